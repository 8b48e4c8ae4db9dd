"""Point 7, what tests/ingest leaves: attacks through the command line, that leave nothing anywhere."""

from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path

import pytest

from core_search.cli import main

EPISODE = {"uuid": "e1", "content": "x", "validAt": "2026-01-01T00:00:00Z"}
FACT = {"fact": "f", "aspect": "Goal", "validAt": "2026-01-01T00:00:00Z", "episodeUuids": ["e1"]}


def lines(*records: dict) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def bomb() -> dict[str, bytes]:
    return {"episodes.jsonl": lines(EPISODE), "zeros.jsonl": b"0" * 20_000_000}


ATTACKS: dict[str, tuple[dict[str, bytes], str]] = {
    "a bomb": (bomb(), "zip bomb"),
    "a climbing path": ({"episodes.jsonl": lines(EPISODE), "../../escape.jsonl": b"x"}, "climbs out"),
    "an absolute path": ({"episodes.jsonl": lines(EPISODE), "/tmp/escape.jsonl": b"x"}, "absolute path"),
    "duplicate ids": ({"episodes.jsonl": lines(EPISODE, EPISODE)}, "stands on line 1 already"),
    "dangling references": ({"episodes.jsonl": lines({**EPISODE, "labelIds": ["no"]})}, "is not in labels.jsonl"),
    "a circle of facts": (
        {
            "episodes.jsonl": lines(EPISODE),
            "statements.jsonl": lines(
                *(
                    {**FACT, "uuid": f"s{i}", "invalidatedBy": f"s{(i + 1) % 3}", "invalidAt": "2026-02-01T00:00:00Z"}
                    for i in range(3)
                )
            ),
        },
        "is a circle",
    ),
    "a fact after itself": (
        {"episodes.jsonl": lines(EPISODE), "statements.jsonl": lines({**FACT, "uuid": "s", "invalidatedBy": "s"})},
        "is a circle",
    ),
    "a line of 10 MB": (
        {"episodes.jsonl": lines({**EPISODE, "content": random.Random(7).randbytes(5_000_001).hex()})},
        "longer than 10,000,000",
    ),
    "latin-1": ({"episodes.jsonl": '{"uuid": "é"}'.encode("latin-1")}, "not UTF-8"),
    "utf-16": ({"episodes.jsonl": '{"uuid": "e"}'.encode("utf-16")}, "UTF-16"),
    "utf-32": ({"episodes.jsonl": '{"uuid": "e"}'.encode("utf-32")}, "UTF-16"),
    "deep nesting": ({"episodes.jsonl": b'{"uuid": ' + b"[" * 200_000 + b"]" * 200_000 + b"}"}, "not usable JSON"),
    "a huge number": ({"episodes.jsonl": b'{"uuid": ' + b"9" * 50_000 + b"}"}, "not usable JSON"),
    "half a character": ({"episodes.jsonl": b'{"uuid": "\\ud800"}'}, "half a character"),
}


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_ends_in_clear_lines_and_leaves_nothing(attack, packed, tmp_path, monkeypatch, capsys):
    files, reason = ATTACKS[attack]
    files = {"workspace.json": b'{"name": "attack"}', **files}
    home = tmp_path / "home"
    monkeypatch.setenv("CORE_SEARCH_HOME", str(home))
    path = tmp_path / ("attack.zip" if packed else "attack")
    if packed:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
    else:
        path.mkdir()
        if "path" in attack or attack == "a bomb":
            pytest.skip("only a zip can do this")
        for name, content in files.items():
            (path / name).write_bytes(content)
    before = set(tmp_path.parent.iterdir())
    assert main(["load", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith("core-search: ")
    assert "nothing was loaded" in said
    assert reason in said
    assert "Traceback" not in said
    assert set(tmp_path.parent.iterdir()) == before
    assert not Path("/tmp/escape.jsonl").exists()
    assert not list(home.rglob("graph.db"))


def test_links_in_a_folder_that_lead_out_of_it_are_refused(tmp_path, monkeypatch, capsys):
    secret = tmp_path / "secret.txt"
    secret.write_text('{"uuid": "passwd", "content": "root:x:0:0", "validAt": "2026-01-01T00:00:00Z"}\n')
    folder = tmp_path / "linked"
    folder.mkdir()
    (folder / "workspace.json").write_text('{"name": "linked"}')
    (folder / "episodes.jsonl").symlink_to(secret)
    monkeypatch.setenv("CORE_SEARCH_HOME", str(tmp_path / "home"))
    assert main(["load", str(folder)]) == 1
    said = capsys.readouterr().err
    assert "link" in said
    assert "root:x" not in said
