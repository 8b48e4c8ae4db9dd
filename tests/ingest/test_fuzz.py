"""Whatever is in the files, it is read or refused with an error of our tree."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from core_search.errors import BundleError, UsageError
from core_search.ingest import Bundle, Header, read, read_bundle, write_bundle
from core_search.ingest.bundle import FILES
from core_search.models import Label, Memory

BUNDLE_KEYS = ["uuid", "id", "name", "fact", "content", "aspect", "validAt", "invalidAt", "invalidatedBy", "labelIds"]
LOCOMO_KEYS = ["sample_id", "conversation", "speaker_a", "session_1", "dia_id", "observation", "session_summary", "qa"]
WORDS = (
    "a",
    "b",
    "D1:1",
    "Person",
    "Goal",
    "2024-05-01T09:00:00Z",
    "2024-05-01",
    "1:56 pm on 8 May, 2023",
    "12e5",
    "\ud800",
    "\0",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(WORDS),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(BUNDLE_KEYS + LOCOMO_KEYS), inner, max_size=6)
    ),
    max_leaves=15,
)
LINES = st.lists(JSON.map(json.dumps).map(str.encode) | st.binary(max_size=30), max_size=4).map(b"\n".join)


def read_or_refuse(path: Path, **given: Any) -> None:
    with contextlib.suppress(BundleError, UsageError):
        read(path, **given)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(FILES), LINES, max_size=4))
def test_any_folder(files):
    with tempfile.TemporaryDirectory() as name:
        for file, content in {"workspace.json": b'{"name": "a"}', "episodes.jsonl": b"", **files}.items():
            (Path(name) / file).write_bytes(content)
        read_or_refuse(Path(name))


@settings(max_examples=60, deadline=None)
@given(LINES | JSON.map(lambda value: json.dumps([value]).encode()))
def test_any_locomo_file(content):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "x.json"
        path.write_bytes(content)
        read_or_refuse(path)


TURNS = st.lists(st.fixed_dictionaries({"speaker": JSON, "dia_id": JSON, "text": JSON}) | JSON, max_size=2) | JSON


@settings(max_examples=60, deadline=None)
@given(turns=TURNS, observation=JSON, summary=JSON, evidence=JSON, speaker=st.text(max_size=3))
def test_any_content_of_a_locomo_conversation(turns, observation, summary, evidence, speaker):
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": speaker,
            "speaker_b": "Bo",
            "session_1": turns,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [{"speaker": speaker, "dia_id": "D2:1", "text": "Hi."}],
            "session_2_date_time": "1:56 pm on 9 May, 9999",
        },
        "observation": {"session_1_observation": observation, "session_2_observation": {speaker: observation}},
        "session_summary": {"session_1_summary": summary},
        "qa": [{"question": "Why?", "category": 1, "evidence": evidence}],
    }
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "x.json"
        path.write_text(json.dumps([sample]))
        read_or_refuse(path)


@settings(max_examples=60, deadline=None)
@given(edits=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=8), cut=st.floats(0, 1))
def test_any_damage_to_a_zip(edits, cut):
    bundle = Bundle(header=Header(name="a"), memory=Memory(labels=(Label(id="work", name="Work"),)))
    with tempfile.TemporaryDirectory() as name:
        path = write_bundle(bundle, Path(name) / "x.zip")
        raw = bytearray(path.read_bytes())
        for position, byte in edits:
            raw[int(position * len(raw))] = byte
        path.write_bytes(raw[: max(1, int(len(raw) * max(cut, 0.5)))] if cut < 0.3 else raw)
        with contextlib.suppress(BundleError, UsageError):
            read_bundle(path)
