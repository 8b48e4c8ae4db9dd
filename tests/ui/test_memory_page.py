"""The Memory page without a browser: its lists and cards, its states, bringing memories in and looking after them."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core_search import SearchEngine, Settings
from core_search.browse import TimeLine, Unit
from core_search.ingest import write_bundle
from core_search.models import Aspect
from core_search.ui import session
from core_search.ui.memory.aspect_chart import aspect_chart
from core_search.ui.memory.loading import safe_file_name
from core_search.ui.memory.timeline_chart import MOST_DOTS, MOST_LABELS, rows_of, time_line_chart
from core_search.ui.memory.workspaces import packed
from tests.small import bundle

ROOT = Path(__file__).resolve().parent.parent.parent
LISTS = ("episodes", "labels", "entities", "statements", "sessions")
ITEMS = (
    "episode:e1",
    "label:l-review",
    "entity:bob",
    "entity:knows",
    "statement:st3",
    "statement:st5",
    "document:d1",
    "session:s3",
)
OpenMemory = Callable[..., AppTest]


@pytest.fixture
def open_memory(environment: pytest.MonkeyPatch) -> OpenMemory:
    """`open_memory(tab=…, item=…)` runs the Memory page at that address, over the memories of these tests."""

    def open_at(**parameters: str) -> AppTest:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
        page.switch_page("pages/4_Memory.py")
        for name, value in parameters.items():
            page.query_params[name] = value
        return page.run()

    return open_at


@pytest.fixture(scope="module")
def two_memories(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("two_memories")
    with SearchEngine(Settings(home=home)) as engine:
        engine.load(bundle("sample"))
        engine.load(bundle("other"))
    return home


@pytest.fixture
def own_home(two_memories: Path, tmp_path: Path, environment: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with two memories that a test may change."""
    shutil.copytree(two_memories, tmp_path, dirs_exist_ok=True)
    environment.setenv("CORE_SEARCH_HOME", str(tmp_path))
    yield tmp_path
    session.engine().close()
    st.cache_resource.clear()


def calm(page: AppTest) -> AppTest:
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


def written(page: AppTest) -> str:
    """Everything that is written in the main part of the page."""
    shown = [str(getattr(element, "value", "")) for element in page.main]
    shown += [button.label for button in page.button]
    return "\n".join(shown + [element.proto.body for element in page.get("html")])


def address(page: AppTest, name: str) -> str:
    return "".join(page.query_params[name])


def rows(page: AppTest) -> list[dict[str, object]]:
    """The rows of the first table."""
    return page.dataframe[0].value.to_dict("records")


def memories(home: Path) -> list[str]:
    with SearchEngine(Settings(home=home)) as engine:
        return [meta.name for meta in engine.workspaces()]


# ------------------------------------------------------------ lists and cards


@pytest.mark.parametrize("tab", LISTS)
@pytest.mark.parametrize("workspace", ["sample", "hostile", "empty"])
def test_every_list_draws(open_memory, tab, workspace):
    page = calm(open_memory(tab=tab, workspace=workspace))
    assert page.segmented_control(key="memory_strip").value == tab
    # The hostile memory has neither statements nor sessions.
    assert bool(page.info) is (workspace == "empty" or (workspace == "hostile" and tab in ("statements", "sessions")))


@pytest.mark.parametrize("tab", ["memories", "health"])
def test_the_memories_and_their_health_draw(open_memory, tab):
    page = calm(open_memory(tab=tab))
    assert "sample" in written(page)
    assert not page.warning


def test_the_strip_counts(open_memory):
    chips = open_memory().segmented_control(key="memory_strip").options
    assert [" ".join(chip.replace("*", "").split()) for chip in chips[:5]] == [
        "Episodes :small[6]",
        "Labels :small[2]",
        "Entities :small[6]",
        "Statements :small[9, 1 ended]",
        "Sessions :small[3, 1 compacted]",
    ]


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("tab", ["episodes", "sessions"])
def test_every_thing_has_a_card(open_memory, item, tab):
    page = calm(open_memory(tab=tab, item=item))
    page.button(key="close_item").click().run()
    assert "item" not in calm(page).query_params


@pytest.mark.parametrize("kind", ["episode", "label", "entity", "statement", "document", "session"])
def test_an_unknown_id_is_said(open_memory, kind):
    assert f"No {kind} with this id" in written(calm(open_memory(item=f"{kind}:nobody")))


def test_a_link_may_name_the_kind(open_memory):
    page = open_memory(tab="entities", entity="ann")
    assert address(page, "item") == "entity:ann"
    assert "entity" not in page.query_params
    assert "1990-05-01" in written(page)


def test_a_link_to_a_memory_that_is_not_here(open_memory):
    page = open_memory(workspace="gone")
    assert "gone" in page.warning[0].value
    assert page.selectbox(key="workspace_choice").value == "sample"


def test_an_episode_is_read_with_its_labels_and_statements(open_memory):
    text = written(open_memory(item="episode:e3"))
    assert "Code reviews need two reviewers." in text
    assert "code\\-review" in text
    assert "Belief · 2026\\-01\\-20 · no longer true since 2026\\-02\\-09" in text
    assert "replaced by: Two reviewers are needed." in text


def test_from_an_episode_to_its_neighbour_and_its_session(open_memory):
    page = open_memory(item="episode:e1")
    assert page.button(key="turn_after").disabled
    page.button(key="turn_before").click().run()
    assert address(page, "item") == "episode:e2"
    page.button(key="turn_session").click().run()
    assert "How Max reviews code" in written(calm(page))


def test_entities_are_searched_and_filtered(open_memory):
    page = open_memory(tab="entities")
    assert [row["name"] for row in rows(page)][:2] == ["Bob Stone", "Chess Club"]
    page.text_input(key="browse_entity_words").set_value("BOBBY").run()
    assert [row["name"] for row in rows(page)] == ["Bob Stone"]
    page.text_input(key="browse_entity_words").set_value("").run()
    page.pills(key="browse_types").set_value(["Organization"]).run()
    assert [row["name"] for row in rows(calm(page))] == ["Chess Club"]


def test_statements_by_aspect_and_state(open_memory):
    page = open_memory(tab="statements")
    assert len(rows(page)) == 9
    page.segmented_control(key="browse_state").set_value("invalidated").run()
    assert [(row["until"], row["replaced by"]) for row in rows(page)] == [("2026-02-09", "Two reviewers are needed.")]
    page.selectbox(key="browse_aspect").set_value("Goal").run()
    assert not calm(page).dataframe


def test_all_statements_of_an_entity(open_memory):
    page = open_memory(tab="statements")
    page.session_state["browse_entity"] = "ann"
    assert [row["fact"] for row in rows(page.run())] == ["Ann Lee knows Bob Stone."]
    page.button(key="forget_entity").click().run()
    assert len(rows(calm(page))) == 9


def test_a_label_leads_to_its_episodes(open_memory):
    page = open_memory(tab="labels", item="label:l-food")
    page.button(key="label_episodes").click().run()
    assert address(page, "tab") == "episodes"
    assert [row["text"] for row in rows(calm(page))] == ["The soup recipe needs more salt."]


def test_a_stretch_of_the_time_line_filters_the_list(open_memory):
    page = open_memory(tab="episodes")
    page.session_state["browse_unit"], page.session_state["browse_stretch"] = "month", "2026-01-01"
    assert [row["when"] for row in rows(calm(page.run()))] == ["2026-01-20 18:00"]
    page.button(key="forget_stretch").click().run()
    assert len(rows(page)) == 6


def test_another_memory_forgets_filters_and_what_was_chosen(open_memory):
    page = open_memory(tab="episodes", item="episode:e1")
    page.text_input(key="browse_episode_words").set_value("soup").run()
    page.selectbox(key="workspace_choice").set_value("hostile").run()
    assert address(page, "workspace") == "hostile"
    assert "item" not in page.query_params
    assert len(rows(calm(page))) == 2


def test_words_of_strangers_stay_words(open_memory):
    page = calm(open_memory(workspace="hostile", item="episode:h1"))
    blocks = [element.proto.body for element in page.get("html")]
    assert any("&lt;script&gt;document.title" in block for block in blocks)
    assert not any("<script>" in block or "<img" in block for block in blocks)
    assert (
        len(max((b.proto.body for b in open_memory(workspace="hostile", item="episode:h2").get("html")), key=len))
        > 50_000
    )


# ------------------------------------------------------------ pictures


def test_the_time_line_chart_is_bounded():
    months = [date(1990 + at // 12, at % 12 + 1, 1) for at in range(400)]
    labels = {f"label {at:02}": dict.fromkeys(months, 40 - at) for at in range(30)}
    line = TimeLine(Unit.MONTH, dict.fromkeys(months, 99), labels)
    assert len(rows_of(line)) == MOST_DOTS // 400 < MOST_LABELS
    assert rows_of(line)[0] == "label 00"
    figure = time_line_chart(line, {}, picked=months[3], label="label 01")
    assert len(figure.data) == 2 + len(rows_of(line))
    assert figure.data[0].customdata[3][0] == "1990-04-01"
    assert not time_line_chart(TimeLine(Unit.DAY, {}, {}), {}).data[0].x


def test_names_of_labels_are_no_templates():
    line = TimeLine(Unit.DAY, {date(2026, 1, 1): 1}, {"x": {date(2026, 1, 1): 1}})
    figure = time_line_chart(line, {"x": "%{y} <b onclick=1>"}, label="x")
    assert all("onclick" not in trace.hovertemplate for trace in figure.data)
    assert "&lt;b" in figure.data[-1].customdata[0][3]


def test_the_aspect_chart_stacks_current_and_invalidated():
    figure = aspect_chart({Aspect.GOAL: (3, 0), Aspect.BELIEF: (2, 2)}, "Goal")
    assert [list(trace.x) for trace in figure.data] == [[2, 3], [2, 0]]
    assert list(figure.data[0].y) == ["Belief", "Goal"]


# ------------------------------------------------------------ states of the installation


def test_read_only_shows_and_exports_and_changes_nothing(environment, open_memory):
    environment.setenv("CORE_SEARCH_READ_ONLY", "1")
    page = calm(open_memory(tab="memories"))
    assert "read-only" in page.info[0].value
    assert not page.file_uploader
    assert not [button for button in page.button if "rename" in str(button.key) or "remove" in str(button.key)]
    assert page.download_button(key="export_memory")
    for tab in LISTS:
        calm(open_memory(tab=tab))


def test_read_only_without_any_memory(environment, open_memory, tmp_path):
    environment.setenv("CORE_SEARCH_READ_ONLY", "1")
    environment.setenv("CORE_SEARCH_HOME", str(tmp_path))
    for tab in (*LISTS, "memories", "health"):
        assert "no memory here yet" in calm(open_memory(tab=tab)).info[0].value


def test_a_memory_that_does_not_open_can_still_be_removed(own_home, open_memory):
    for graph in (own_home / "workspaces" / "other").glob("*/graph.db"):
        graph.write_bytes(b"")
    page = open_memory(workspace="other", tab="memories")
    assert "graph.db" in page.error[0].value.replace("\\", "")
    page.text_input(key="typed_name").set_value("other")
    page.button(key="FormSubmitter:remove-Remove").click().run()
    calm(page)
    assert memories(own_home) == ["sample"]


# ------------------------------------------------------------ bringing in and looking after


def upload(page: AppTest, *files: tuple[str, bytes], name: str = "", replace: bool = False) -> AppTest:
    page.file_uploader(key="load_files").set_value([(file, content, "") for file, content in files])
    page.text_input(key="load_name").set_value(name)
    page.checkbox(key="load_replace").set_value(replace)
    return page.button(key="FormSubmitter:load-Load").click().run()


def zipped(tmp_path: Path, name: str) -> bytes:
    return write_bundle(bundle(name), tmp_path / f"{name}-made.zip").read_bytes()


def test_a_bundle_is_loaded_and_looked_at(own_home, open_memory):
    page = upload(open_memory(tab="memories"), ("third.zip", zipped(own_home, "third")))
    assert "third" in calm(page).success[0].value
    assert address(page, "workspace") == "third"
    assert memories(own_home) == ["other", "sample", "third"]


def test_the_files_of_a_bundle_are_loaded_under_another_name(own_home, open_memory):
    with zipfile.ZipFile(io.BytesIO(zipped(own_home, "third"))) as archive:
        files = [(name, archive.read(name)) for name in archive.namelist()]
    calm(upload(open_memory(tab="memories"), *files, name="renamed"))
    assert memories(own_home) == ["other", "renamed", "sample"]


def test_every_problem_is_listed_and_nothing_is_loaded(own_home, open_memory):
    lines = b'{"uuid": "a"}\n{"uuid": "b", "content": 3}\n'
    page = upload(open_memory(tab="memories"), ("workspace.json", b'{"name": "bad"}'), ("episodes.jsonl", lines))
    assert "Nothing was loaded" in page.error[0].value
    text = written(page)
    assert "<td" in text
    assert "episodes.jsonl:1" in text
    assert "episodes.jsonl:2" in text
    assert memories(own_home) == ["other", "sample"]


def locomo(*names: str) -> tuple[str, bytes]:
    turns = [{"speaker": "Ann", "dia_id": "D1:1", "text": "I adopted a dog."}]
    speakers = {"speaker_a": "Ann", "speaker_b": "Bo"}
    talk = {**speakers, "session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    return "locomo.json", json.dumps([{"sample_id": name, "conversation": talk} for name in names]).encode()


def test_a_locomo_file_makes_a_memory_of_each_conversation_or_one_of_all(own_home, open_memory):
    page = calm(upload(open_memory(tab="memories"), locomo("conv-1", "conv-2")))
    assert address(page, "workspace") == "sample"  # of two, neither is the one to look at
    page = calm(upload(page, locomo("conv-1", "conv-2"), name="talks"))
    assert address(page, "workspace") == "talks"
    assert memories(own_home) == ["conv-1", "conv-2", "other", "sample", "talks"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ([], "no file was chosen"),
        ([("a.zip", b"x"), ("b.zip", b"x")], "memory by itself"),
        ([("a.zip", b"no zip")], "cannot be read as a zip"),
        ([("locomo.json", b"[]")], "Nothing was loaded"),
        ([("labels.jsonl", b""), ("labels.jsonl", b"")], "given twice"),
    ],
)
def test_what_cannot_be_loaded_says_why(own_home, open_memory, files, reason):
    page = upload(open_memory(tab="memories"), *files)
    assert not page.exception
    assert reason in (page.error[0].value + written(page)).replace("\\", "")
    assert memories(own_home) == ["other", "sample"]


def test_a_known_name_is_replaced_only_when_that_is_said(own_home, open_memory):
    packed_again = ("other.zip", zipped(own_home, "other"))
    page = upload(open_memory(tab="memories"), packed_again)
    assert "already" in page.error[0].value
    calm(upload(page, packed_again, replace=True))


def test_a_memory_is_renamed(own_home, open_memory):
    page = open_memory(tab="memories", workspace="other")
    page.text_input(key="new_name").set_value("../up")
    page.button(key="FormSubmitter:rename-Rename").click().run()
    assert "cannot name a workspace" in page.error[0].value
    page.text_input(key="new_name").set_value("better")
    calm(page.button(key="FormSubmitter:rename-Rename").click().run())
    assert address(page, "workspace") == "better"
    assert memories(own_home) == ["better", "sample"]


def test_a_memory_is_removed_when_its_name_is_typed(own_home, open_memory):
    page = open_memory(tab="memories", workspace="other")
    page.text_input(key="typed_name").set_value("othr")
    page.button(key="FormSubmitter:remove-Remove").click().run()
    assert "nothing was removed" in page.error[0].value
    page.text_input(key="typed_name").set_value("other")
    calm(page.button(key="FormSubmitter:remove-Remove").click().run())
    assert memories(own_home) == ["sample"]
    assert address(page, "workspace") == "sample"


def test_an_export_loads_again(own_home, open_memory):
    with SearchEngine(Settings(home=own_home)) as engine:
        content = packed(engine, "other")
        before = engine.folder("other").meta().fingerprint
    calm(upload(open_memory(tab="memories"), ("other.zip", content), name="again"))
    with SearchEngine(Settings(home=own_home)) as engine:
        assert engine.folder("again").meta().fingerprint == before


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("episodes.jsonl", "episodes.jsonl"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\my memory.zip", "my memory.zip"),
        ("..", "upload"),
        ("a\x00b\n.zip", "a_b_.zip"),
        ("x" * 300 + ".zip", "x" * 96 + ".zip"),
    ],
)
def test_names_of_uploaded_files_stay_in_their_folder(sent, kept):
    assert safe_file_name(sent) == kept
