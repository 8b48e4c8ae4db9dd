from core_search.context import Row
from core_search.models import ItemKind
from core_search.ranking.merge import merge
from core_search.trace import DropCode, StageDraft


def row(id_, source, kind=ItemKind.EPISODE, **scores):
    return Row(id_, kind, scores, (source,))


def test_keeps_the_first_place_and_every_source_with_its_score():
    stage = StageDraft("merge")
    merged = merge([row("a", "graph"), row("b", "graph"), row("a", "vectors", cosine=0.5)], stage)
    assert [(r.id, r.sources, dict(r.scores)) for r in merged] == [
        ("a", ("graph", "vectors"), {"cosine": 0.5}),
        ("b", ("graph",), {}),
    ]
    frozen = stage.frozen(0.0)
    assert (frozen.in_, frozen.out, frozen.dropped) == (3, 2, 1)
    assert [entry.code for entry in frozen.ledger] == [None, None, DropCode.DUPLICATE]


def test_an_episode_and_a_document_of_one_id_are_two_items():
    merged = merge([row("a", "x"), row("a", "y", ItemKind.DOCUMENT)], StageDraft("merge"))
    assert len(merged) == 2
