"""Every rule of the bundle, each with a file that breaks it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core_search.errors import BundleError, UsageError
from core_search.ingest import Qrel, lines, read_bundle
from core_search.models import Aspect, EpisodeType

EPISODE = '{"uuid": "e1", "content": "x", "validAt": "2024-05-01T09:00:00Z"%s}\n'
FACT = '{"uuid": "%s", "fact": "x", "aspect": "Goal", "validAt": "2024-05-01T09:00:00Z"%s}\n'


def test_a_valid_bundle_is_read_with_its_defaults(write_files):
    bundle = read_bundle(write_files())

    assert bundle.header.name == "home"
    assert bundle.header.version == "V3"
    assert bundle.header.clock == datetime(2024, 6, 1, 10, tzinfo=UTC)
    first, second = bundle.memory.episodes
    assert first.created_at == first.valid_at == datetime(2024, 5, 1, 9, tzinfo=UTC)
    assert second.valid_at == second.created_at == datetime(2024, 5, 2, 9, tzinfo=UTC)
    assert first.type is EpisodeType.CONVERSATION
    assert bundle.memory.statements[0].aspect is Aspect.PREFERENCE
    assert bundle.memory.entities[0].attributes == {"birthday": "1 May"}
    assert bundle.qrels == (Qrel(query_id="q1", doc_id="e1", grade=2),)
    assert bundle.notes == ()


def test_two_files_are_enough(write_files):
    others = ("labels.jsonl", "entities.jsonl", "statements.jsonl", "documents.jsonl", "queries.jsonl", "qrels.txt")
    folder = write_files({"workspace.json": '{"name": "a"}', "episodes.jsonl": "", **dict.fromkeys(others)})

    assert read_bundle(folder).memory.episodes == ()


def test_every_problem_is_told_at_once_in_the_order_of_files_and_lines(problems_of):
    found = problems_of(
        {
            "workspace.json": '{\n  "name": "home",\n  "timezone": "Mars/Base",\n  "owner": "bob"\n}',
            "labels.jsonl": '{"id": "work", "name": "Work"}\n{"id": "work", "name": "Again"}\n',
            "episodes.jsonl": (
                EPISODE % ', "labelIds": ["work", "play"], "session_id": "s"'
                + "not json\n\n[1]\n"
                + '{"uuid": "e2", "content": 3, "validAt": "2024-05-01T09:00:00"}\n'
            ),
            "statements.jsonl": FACT
            % ("f1", ', "subject": "bob", "episodeUuids": ["e2", "e9"], "invalidatedBy": "f9"'),
            "documents.jsonl": '{"id": "d1"}\n',
            "qrels.txt": "q1 0 e1 2\nq9 0 e9 1\nq1 0 e1 1\nq1 e1\nq1 0 e2 high\n",
        }
    )

    places = [": ".join(problem.split(": ")[:2]) for problem in found]
    assert places == [
        "workspace.json:3: timezone",
        "workspace.json:4: owner",
        "labels.jsonl:2: id",
        "episodes.jsonl:1: session_id",
        "episodes.jsonl:1: labelIds[1]",
        "episodes.jsonl:2: line",
        "episodes.jsonl:4: line",
        "episodes.jsonl:5: content",
        "episodes.jsonl:5: createdAt",
        "episodes.jsonl:5: validAt",
        "statements.jsonl:1: subject",
        "statements.jsonl:1: episodeUuids[1]",
        "statements.jsonl:1: invalidatedBy",
        "documents.jsonl:1: sessionId",
        "documents.jsonl:1: content",
        "documents.jsonl:1: createdAt",
        "documents.jsonl:1: updatedAt",
        "qrels.txt:2: query id",
        "qrels.txt:2: episode uuid",
        "qrels.txt:3: line",
        "qrels.txt:4: line",
        "qrels.txt:5: grade",
    ]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"workspace.json": None}, """workspace.json: file: missing; make it with at least {"name": "my-memory"}"""),
        ({"episodes.jsonl": None, "statements.jsonl": None, "qrels.txt": None}, "episodes.jsonl: file: missing"),
        ({"workspace.json": " \n"}, "workspace.json:1: line: empty"),
        ({"workspace.json": '\n{\n"name": }'}, "workspace.json:3: line: not valid JSON"),
        ({"workspace.json": '{"name": "a", "timezone": "Europe"}'}, "unknown time zone 'Europe'"),
        (
            {"workspace.json": '{"name": "a", "clock": "2024-05-01"}'},
            "workspace.json:1: clock: '2024-05-01' is no instant",
        ),
        (
            {"labels.jsonl": '{"id": "a", "id": "work", "name": "W"}'},
            "labels.jsonl:1: id: stands twice in this record; keep one",
        ),
        ({"labels.jsonl": '{"id": "work", "name": "W", "colour": ""}'}, "colour: unknown field; known are id, name"),
        ({"labels.jsonl": r'{"id": "work", "name": "\ud800"}'}, "labels.jsonl:1: line: an escape such as"),
        ({"labels.jsonl": '{"id": "work", "name": "W"}\n' + "[" * 100_000}, "labels.jsonl:2: line: not usable JSON"),
        ({"episodes.jsonl": EPISODE % ', "createdAt": "1714550000"'}, "createdAt: '1714550000' is no instant"),
        (
            {"episodes.jsonl": EPISODE % ', "createdAt": "2024-05-01T09:00"'},
            "has no offset; write date, time and offset",
        ),
        ({"episodes.jsonl": EPISODE % ', "createdAt": "0001-01-01T00:00+09:00"'}, "lies outside the years 1 to 9999"),
        (
            {"episodes.jsonl": EPISODE % ', "type": "Chat"'},
            "type: input should be 'CONVERSATION' or 'DOCUMENT', not 'Chat'",
        ),
        (
            {"entities.jsonl": '{"uuid": "ann", "name": "A", "type": "Person", "attributes": {"age": 3}}'},
            "attributes.age",
        ),
        ({"queries.jsonl": '{"id": "q 1", "query": "x"}', "qrels.txt": None}, "'q 1' has white space"),
        ({"queries.jsonl": None}, "qrels.txt:1: query id: 'q1' is not in queries.jsonl"),
    ],
)
def test_a_problem_names_place_and_remedy(problems_of, changes, problem):
    found = problems_of(changes)

    assert len(found) == 1
    assert problem in found[0]


def test_a_duplicate_names_the_first_line(problems_of):
    found = problems_of({"labels.jsonl": '{"id": "work", "name": "a"}\n\n{"id": "work", "name": "b"}\n'})

    assert found == ("labels.jsonl:3: id: 'work' stands on line 1 already; every record needs an id of its own",)


def test_an_invalid_record_is_not_dangling_as_well(problems_of):
    found = problems_of({"labels.jsonl": '{"id": "work"}\n'})

    assert found == ("labels.jsonl:1: name: missing",)


def test_a_fact_may_not_end_before_it_begins(problems_of):
    found = problems_of({"statements.jsonl": FACT % ("f1", ', "invalidAt": "2024-05-01T10:59:59+02:00"')})

    assert found[0].startswith("statements.jsonl:1: invalidAt: 2024-05-01T10:59:59+02:00 is before validAt")


def test_each_circle_of_replacements_is_told_once(problems_of):
    facts = [FACT % (name, f', "invalidatedBy": "{by}"') for name, by in ("ab", "bc", "cb", "dd", "ed")]

    found = problems_of({"statements.jsonl": "".join(facts)})

    assert [problem.partition(";")[0] for problem in found] == [
        "statements.jsonl:2: invalidatedBy: 'b' → 'c' → 'b' is a circle",
        "statements.jsonl:4: invalidatedBy: 'd' → 'd' is a circle",
    ]


def test_a_fact_may_be_replaced_by_an_episode(write_files):
    folder = write_files({"statements.jsonl": FACT % ("f1", ', "invalidatedBy": "e2"')})

    assert read_bundle(folder).memory.statements[0].invalidated_by == "e2"


def test_an_id_named_twice_in_a_list_is_kept_once_and_noted(write_files):
    bundle = read_bundle(write_files({"episodes.jsonl": EPISODE % ', "labelIds": ["work", "work"]'}))

    assert bundle.memory.episodes[0].label_ids == ("work",)
    assert bundle.notes == ("episodes.jsonl:1: labelIds: an id was named twice; kept once",)


def test_an_unknown_jsonl_file_is_noted(write_files):
    bundle = read_bundle(write_files({"facts.jsonl": "", "README.md": "mine"}))

    assert len(bundle.notes) == 1
    assert bundle.notes[0].startswith("facts.jsonl: not a file of a bundle; ignored.")


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(write_files):
    bom = b"\xef\xbb\xbf"
    folder = write_files(
        {"workspace.json": bom + b'{\r\n"name": "a"\r\n}', "labels.jsonl": bom + b'{"id": "work", "name": "W"}\r\n'}
    )

    assert read_bundle(folder).memory.labels[0].name == "W"


def test_line_separators_inside_a_text_do_not_end_a_line(write_files):
    folder = write_files({"labels.jsonl": '{"id": "work", "name": "a\u2028b\x85c"}\n'})

    assert read_bundle(folder).memory.labels[0].name == "a\u2028b\x85c"


def test_bytes_that_are_not_utf8_are_told_once_by_file_and_position(problems_of):
    first = b'{"id": "work", "name": "W"}\n'

    found = problems_of(
        {"labels.jsonl": first + b'{"id": "a", "name": "caf\xe9"}\n{"id": "b", "name": "\xe9", "x": 1}\n'}
    )

    assert found[0] == f"labels.jsonl:2: encoding: not UTF-8 at byte {len(first) + 24}; save the file as UTF-8"
    assert [problem.split(": ")[0] for problem in found] == ["labels.jsonl:2", "labels.jsonl:3"]


def test_the_byte_position_counts_the_byte_order_mark(problems_of):
    found = problems_of({"labels.jsonl": b"\xef\xbb\xbf\xff"})

    assert "labels.jsonl:1: encoding: not UTF-8 at byte 3" in found[0]


def test_utf16_is_named(problems_of):
    found = problems_of({"labels.jsonl": '{"id": "work", "name": "W"}'.encode("utf-16")})

    assert found[0].startswith("labels.jsonl:1: encoding: UTF-16")


def test_a_line_over_the_limit_is_a_problem_and_the_next_lines_are_read(problems_of, monkeypatch):
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 200)
    long = EPISODE.replace("e1", "e0") % f', "source": "{"x" * 500}"'

    found = problems_of({"episodes.jsonl": long + EPISODE % "" + '{"uuid": "e3"}\n'})

    assert found[0] == "episodes.jsonl:1: line: longer than 200 bytes; split the text over several records"
    assert [problem.split(": ")[0] for problem in found[1:]] == ["episodes.jsonl:3"] * 3


def test_at_most_200_problems_are_listed_and_all_are_counted(write_files):
    folder = write_files({"labels.jsonl": "".join(json.dumps({"id": f"l{n}"}) + "\n" for n in range(250))})

    with pytest.raises(BundleError) as caught:
        read_bundle(folder)

    all_of_them = 250 + 2  # and the references to "work" of an episode and a document
    assert len(caught.value.problems) == 200
    assert caught.value.more == all_of_them - 200
    assert str(caught.value).startswith(f"{all_of_them} problems")
    assert str(caught.value).endswith("and 52 more")


def test_nothing_at_the_path_is_a_usage_error(tmp_path: Path):
    with pytest.raises(UsageError, match=r"there is no file or folder .*nowhere"):
        read_bundle(tmp_path / "nowhere")
