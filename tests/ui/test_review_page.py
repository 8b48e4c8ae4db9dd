"""The Review page without a browser: every view, every press, and what stays hidden until it may be seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from core_search.ingest.values import Query
from core_search.judgments.exchange import records_of
from core_search.judgments.pooling import Configuration, PoolSpec
from core_search.judgments.store import JudgmentStore
from core_search.judgments.values import QuerySet, Verdict
from core_search.records import Records
from core_search.ui.review.proposing import with_people
from tests.scripted_server import ScriptedServer

HOSTILE = "<script>alert(1)</script> ![x](https://example.com/p.png) **bold** :red[red]"
QUERIES = (
    Query(id="q1", query="my view on code review", need="what holds now"),
    Query(id="q2", query=f"what did we decide about code review {HOSTILE}", need=HOSTILE),
)


def written(page: AppTest) -> str:
    return "\n".join(element.proto.body for element in page.get("html"))


def calm(page: AppTest) -> AppTest:
    assert not page.exception, page.exception[0].message
    assert not page.error, page.error[0].value
    return page


@pytest.fixture
def store(records: Records) -> JudgmentStore:
    return JudgmentStore.of(records.database)


@pytest.fixture
def query_set(store: JudgmentStore) -> Iterator[QuerySet]:
    made = store.sets.create("page set", "sample", QUERIES)
    yield made
    store.sets.delete(made.id)


@pytest.fixture
def pool(shared, store, query_set):
    spec = PoolSpec(configurations=(Configuration(name="the defaults"),), depth=4)
    return store.pools.build(shared, query_set, spec)


@pytest.fixture
def review(environment, open_page) -> Callable[..., AppTest]:
    """`review(reviewer, set=…, view=…)` is the page as that person sees it who gave their name in this session."""

    def open_at(reviewer: str = "", **address: str) -> AppTest:
        page = open_page()
        page.switch_page("pages/2_Review.py")
        for name, value in address.items():
            page.query_params[name] = value
        if reviewer:
            page.query_params["reviewer"] = reviewer
            page.session_state["review_confirmed"] = reviewer
        return page.run()

    return open_at


@pytest.fixture
def desk(review, query_set, pool) -> AppTest:
    return calm(review("Ann", set=query_set.id, pool=pool.id))


def make(page: AppTest) -> AppTest:
    return next(button for button in page.button if button.label == "Make the set").click().run()


def press(page: AppTest, name: str) -> AppTest:
    return page.button(key=f"judge_{name}").click().run()


def test_without_a_set_one_is_made_by_hand(review, store):
    page = calm(review())
    page.radio(key="set_way").set_value("hand").run()
    page.text_input(key="set_name").input("by hand")
    page.text_input(key="set_query").input("soup recipes")
    page.text_input(key="set_need").input("how to cook soup")
    page.text_input(key="set_tags").input("food; soup")
    calm(make(page))
    made = store.sets.named("by hand")
    try:
        assert [(query.id, query.query, query.tags) for query in made.queries] == [
            ("q1", "soup recipes", ("food", "soup"))
        ]
        assert page.text_input(key="reviewer_name").value == ""
    finally:
        store.sets.delete(made.id)


def test_a_set_is_made_from_a_run(review, kept_run, store):
    page = calm(review(run=kept_run("the chess club")))
    page.radio(key="set_way").set_value("run").run()
    page.text_input(key="set_name").input("from a run")
    calm(make(page))
    made = store.sets.named("from a run")
    store.sets.delete(made.id)
    assert made.queries[0].query == "the chess club"
    assert made.queries[0].now is not None


def test_one_click_from_a_run_to_a_set_with_its_query(open_page, kept_run, store):
    run = kept_run("who bakes the best bread")
    made = []
    try:
        for _ in range(2):  # the second time the same set opens
            page = calm(open_page(run=run))
            calm(page.button(key="judge_run").click().run())
            made = [one for one in store.sets.all("sample") if one.name.startswith("who bakes")]
            assert [one.name for one in made] == ["who bakes the best bread"]
            assert page.selectbox(key="set_choice").value == made[0].id
        assert store.sets.load(made[0].id).queries[0].now is not None
    finally:
        for one in made:
            store.sets.delete(one.id)


def test_a_pool_is_drawn_and_the_first_card_lies_there(review, store, query_set):
    page = calm(review(set=query_set.id))
    page.text_input(key="reviewer_name").input("Ann")
    page.number_input(key="pool_depth").set_value(3)
    calm(page.button(key="start_judging").click().run())
    (kept,) = store.pools.of_set(query_set.id)
    assert kept.spec.depth == 3
    assert "my view on code review" in written(page)
    assert "what holds now" in written(page)
    assert page.button(key="judge_grade_3")


def test_a_name_is_needed(review, query_set):
    page = review(set=query_set.id)
    page.button(key="start_judging").click().run()
    assert "name" in page.error[0].value


def test_a_link_makes_nobody_speak_in_anothers_name(review, query_set, pool):
    page = calm(review(set=query_set.id, pool=pool.id))
    page.query_params["reviewer"] = "Ann"
    page.run()
    assert not [button for button in page.button if button.key == "judge_grade_0"]
    calm(page.button(key="go_on_as").click().run())
    assert page.button(key="judge_grade_0")


def test_every_press_is_kept_and_brings_the_next_card(desk, store, query_set, pool):
    texts = [written(desk)]
    for grade in (3, 0, 1):
        press(desk, f"grade_{grade}")
        texts.append(written(calm(desk)))
    assert len(set(texts)) == 4
    mine = store.grades.of_reviewer(query_set.id, "Ann")
    assert sorted(said.grade for said in mine.values()) == [0, 1, 3]
    assert len(mine) == 3
    press(desk, "undo")
    assert len(store.grades.of_reviewer(query_set.id, "Ann")) == 2


def test_skip_cannot_judge_and_notes(desk, store, query_set, pool):
    press(desk, "skip")
    press(desk, "cannot")
    press(desk, "reason_2")
    press(desk, "note")
    note = next(field for field in desk.text_input if field.key.startswith("note_"))
    note.input("look again").run()
    assert "Your note: look again" in written(desk)
    press(desk, "grade_2")
    said = {grade.verdict: grade for grade in store.grades.all(query_set.id)}
    assert set(said) == {Verdict.SKIPPED, Verdict.CANNOT_JUDGE, Verdict.GRADED}
    assert said[Verdict.CANNOT_JUDGE].reason == "I do not understand the query"
    assert said[Verdict.GRADED].note == "look again"
    press(desk, "keys")
    assert "cannot judge: then 1 to 4" in written(desk)


def test_skipped_cards_come_back_at_the_end(desk, store, query_set, pool):
    press(desk, "skip")
    for _ in range(len(pool.items) - 1):
        press(desk, "grade_1")
    assert len(store.grades.of_reviewer(query_set.id, "Ann")) == len(pool.items)
    press(desk, "grade_1")
    assert "Every card is judged" in written(calm(desk))
    press(desk, "undo")
    assert desk.button(key="judge_grade_1")


def test_the_review_is_blind_until_the_card_is_judged(review, store, query_set, pool):
    for item in pool.items:
        store.grades.give(query_set.id, item.key, "Somebody else", 2)
    page = calm(review("Ann", set=query_set.id, pool=pool.id))
    assert not re.search(r"Somebody else|rank \d|rerank \d", written(page))
    press(page, "skip")
    assert "Somebody else" not in written(page)
    press(page, "grade_1")
    assert re.search(r"the defaults</div>.*>rank \d", written(page))
    assert "Somebody else" in written(page)


def test_going_on_another_day_starts_where_it_ended(review, store, query_set, pool):
    first = review("Ann", set=query_set.id, pool=pool.id)
    press(first, "grade_2")
    again = calm(review("Ann", set=query_set.id, pool=pool.id))
    assert "1 of" in again.get("progress")[0].proto.text
    other = calm(review("Ben", set=query_set.id, pool=pool.id))
    assert "0 of" in other.get("progress")[0].proto.text


def test_contents_of_strangers_are_text(review, store, query_set, pool):
    page = review("<b>Ann</b>", set=query_set.id, pool=pool.id)
    while "&lt;script&gt;" not in written(page):
        press(page, "grade_1")
    body = "".join(element.proto.body for element in page.get("html") if not element.proto.unsafe_allow_javascript)
    assert "<script>" not in body
    assert "<b>Ann" not in body
    for view in ("reviewers", "set", "files"):
        other = review("<b>Ann</b>", set=query_set.id, pool=pool.id, view=view)
        assert "<b>Ann" not in written(calm(other))


def test_reviewers_agreement_and_settling(review, store, query_set, pool):
    page = calm(review("Ann", set=query_set.id, pool=pool.id, view="reviewers"))
    assert "Nobody has judged" in written(page)
    for place, item in enumerate(pool.items):
        store.grades.give(query_set.id, item.key, "Ann", place % 4)
        store.grades.give(query_set.id, item.key, "Ben", 3 if place == 0 else place % 4)
    page = calm(page.run())
    assert "Cohen" in written(page)
    assert "1 disagreement to settle" in written(page)
    calm(page.button(key="settle_3").click().run())
    assert store.settled.all(query_set.id)[pool.items[0].key].grade == 3
    assert {grade.grade for grade in store.grades.of_card(query_set.id, pool.items[0].key)} == {0, 3}


def test_disagreements_about_cards_that_are_not_judged_yet_stay_hidden(review, store, query_set, pool):
    key = pool.items[0].key
    store.grades.give(query_set.id, key, "Ben", 0)
    store.grades.give(query_set.id, key, "Cy", 3)
    page = calm(review("Ann", set=query_set.id, pool=pool.id, view="reviewers"))
    assert "1 more are about cards that you have not judged" in written(page)
    assert not [button for button in page.button if button.key == "settle_0"]
    page.toggle(key="only_settles").set_value(True).run()
    assert page.button(key="settle_0")


def test_labels_are_changed_for_the_set(review, store, query_set, pool):
    page = calm(review("Ann", set=query_set.id, pool=pool.id, view="set"))
    page.text_input(key=f"label_0_{query_set.id}").input("useless")
    save = next(button for button in page.button if button.label == "Save")
    calm(save.click().run())
    assert store.sets.load(query_set.id).labels[0] == "useless"
    page = calm(review("Ann", set=query_set.id, pool=pool.id))
    assert page.button(key="judge_grade_0").label == "useless"


def test_files_go_out_and_conflicts_are_decided(review, store, query_set, pool):
    key = pool.items[0].key
    store.grades.give(query_set.id, key, "Ann", 3)
    page = calm(review("Ann", set=query_set.id, view="files"))
    assert len(page.get("download_button")) == 3
    data = f"query_id,item_kind,item_id,reviewer,grade\n{key.query_id},{key.kind},{key.item_id},Ann,0\n".encode()
    page.file_uploader(key="judgments_file").upload("j.csv", data, "text/csv").run()
    assert "0 new, 0 here already, 1 in conflict" in written(calm(page))
    assert page.button(key="import_judgments").disabled
    page.radio(key="decide_all").set_value("theirs").run()
    calm(page.button(key="import_judgments").click().run())
    assert store.grades.of_reviewer(query_set.id, "Ann")[key].grade == 0


def test_a_faulty_file_is_told(review, query_set):
    page = review("Ann", set=query_set.id, view="files")
    page.file_uploader(key="judgments_file").upload("j.csv", b"query_id,item_id\nq1,e1\n", "text/csv").run()
    assert "j.csv:2" in written(page)


def test_a_set_that_is_gone_and_a_pool_of_another_set(review, query_set, pool):
    page = review("Ann", set="gone1234", pool=pool.id)
    assert "gone1234" in page.error[0].value
    calm(review("Ann", set=query_set.id, pool="gone1234", view="reviewers"))


def test_a_link_to_a_set_about_another_memory_opens_that_memory(review, store):
    made = store.sets.create("hostile set", "hostile", QUERIES[:1])
    page = calm(review(set=made.id))
    store.sets.delete(made.id)
    assert page.selectbox(key="workspace_choice").value == "hostile"


def test_read_only_shows_and_takes_nothing(environment, review, query_set, pool):
    environment.setenv("CORE_SEARCH_READ_ONLY", "1")
    for view in ("judge", "reviewers", "set", "files"):
        page = calm(review("Ann", set=query_set.id, pool=pool.id, view=view))
        assert not [b for b in page.button if (b.key or "").startswith("judge_grade") or b.label in ("Save", "Import")]


@pytest.fixture
def model(environment):
    """A provider of grades: the real OpenAI client, and a server that gives everything a 2."""
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        environment.delenv(name, raising=False)
        environment.delenv(name.upper(), raising=False)
    server = ScriptedServer()
    server.chat({"reason": "half of it", "grade": 2})
    for name, value in {
        "OPENAI_API_KEY": "sk-proposes-0123456789abcdef",
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "CORE_SEARCH_OPENAI_MODEL": "scripted-model",
        "CORE_SEARCH_ROUTER": "local",
        "CORE_SEARCH_EMBEDDINGS": "local",
    }.items():
        environment.setenv(name, value)
    yield server
    server.close()


def test_a_model_proposes_and_people_see_it_after_they_have_judged(review, store, query_set, pool, model):
    page = calm(review("Ann", set=query_set.id, pool=pool.id, view="reviewers"))
    assert "It takes two reviewers" not in written(page)
    calm(page.button(key="propose").click().run())
    assert page.success[0].value == f"{len(pool.items)} grades were proposed."
    assert len(model.requests) == len(pool.items)
    assert "nobody has judged one of these items yet" in written(page)

    # No judgment: nothing counts, nothing goes out, and no card shows it before it is judged.
    assert store.counting(query_set.id) == {}
    assert records_of(store.grades.all(query_set.id), store.settled.all(query_set.id).values()) == []
    page = calm(review("Ann", set=query_set.id, pool=pool.id))
    assert "scripted-model" not in written(page)
    for grade in (2, 1, 2):
        press(page, f"grade_{grade}")
    assert "proposed by scripted-model" in written(page)
    assert "half of it" in written(page)
    assert sorted(store.counting(query_set.id).values()) == [1, 2, 2]

    page = calm(review("Ann", set=query_set.id, pool=pool.id, view="reviewers"))
    assert "scripted-model and Ann" in written(page)
    (agreed,) = with_people(store.proposals.all(query_set.id), store.grades.all(query_set.id))
    assert (agreed.items, agreed.value) == (3, 0.0)  # the model says the same of everything: chance alone agrees
    assert "It takes two reviewers" in written(page)  # a model is no reviewer


# ---------------------------------------------------------------- in place


def _inspected(run_id: str) -> None:
    from core_search.models import ItemKind
    from core_search.ui import session
    from core_search.ui.review.in_place import grades_in_place

    grades_in_place(session.open_run(run_id).run, ItemKind.EPISODE, "e1", [("in this run", "rank 1 · rerank 0.5")])


@pytest.fixture
def in_place(environment, kept_run, store):
    """One item of a run with its grades, before anybody has given a name; everything judged in it is removed."""
    yield AppTest.from_function(_inspected, args=(kept_run("who plays chess"),), default_timeout=60).run()
    if made := store.sets.named("sample, asked in passing"):
        store.sets.delete(made.id)


def test_an_item_is_judged_where_it_is_looked_at(in_place, store):
    page = calm(in_place)
    assert page.button(key="judge_grade_2").disabled
    calm(page.text_input(key="in_place_name").input("Ann").run())
    assert "rank 1" not in written(page)
    calm(press(page, "grade_2"))
    made = store.sets.named("sample, asked in passing")
    (grade,) = store.grades.all(made.id)
    assert (grade.key.item_id, grade.grade, grade.reviewer) == ("e1", 2, "Ann")
    store.grades.give(made.id, grade.key, "Ben", 0)
    assert "Ben" in written(page.run())
    assert "rank 1 · rerank 0.5" in written(page)  # where it stood comes with the judgment


def test_in_place_has_the_keys_of_a_card(in_place, store):
    page = calm(in_place.text_input(key="in_place_name").input("Ann").run())
    press(page, "cannot")
    calm(press(page, "reason_2"))
    made = store.sets.named("sample, asked in passing")

    def said():
        return [(grade.verdict, grade.reason, grade.note) for grade in store.grades.all(made.id)]

    assert said() == [(Verdict.CANNOT_JUDGE, "I do not understand the query", "")]
    press(page, "note")
    calm(page.text_input(key="in_place_note").input("look again").run())
    assert said() == [(Verdict.CANNOT_JUDGE, "I do not understand the query", "look again")]
    press(page, "undo")
    calm(press(page, "undo"))
    assert said() == []
    assert page.button(key="judge_undo").disabled
