import pytest

from core_search.entities import EntityNames, normalise
from core_search.models import Entity, EntityType


def person(uuid, name, *aliases, **attributes):
    return Entity(uuid=uuid, name=name, aliases=aliases, type=EntityType.PERSON, attributes=attributes)


NAMES = EntityNames(
    [
        person("ines", "Inês Carvalho", "my wife", "wife"),
        person("zoe", "Zoë Králová", role="manager"),
        person("ken", "田中健", "Ken Tanaka"),
        person("olga", "Ольга Петрова"),
        person("obrien", "Conor O’Brien"),
        Entity(uuid="cpp", name="C++", type=EntityType.TECHNOLOGY),
        Entity(uuid="knows", name="knows", type=EntityType.PREDICATE),
    ]
)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Inês Carvalho’s", "ines carvalho"),
        ("  The  Ledger ", "ledger"),
        ("ZOË KRÁLOVÁ", "zoe kralova"),
        ("Straße", "strasse"),
        ("й", "й"),  # a Cyrillic letter keeps its mark: it is another letter without
        ("ｆｕｌｌ", "full"),
        ("my", "my"),
    ],
)
def test_normalises_names(written, normal):
    assert normalise(written) == normal


@pytest.mark.parametrize(
    ("hint", "uuids"),
    [
        ("ines carvalho", ["ines"]),
        ("my wife's", ["ines"]),
        ("manager", ["zoe"]),
        ("田中健", ["ken"]),
        ("knows", []),
        ("nobody", []),
        ("", []),
    ],
)
def test_finds_exact_names_aliases_and_roles_but_no_predicates(hint, uuids):
    assert NAMES.exact(hint) == uuids


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what did Inês Carvalho's mother say", ["Inês Carvalho"]),
        ("is ines carvalho around", ["ines carvalho"]),
        ("mail from 田中健さん about C++", ["C++", "田中健"]),
        ("who knows this", []),
        ("inescarvalho", []),
    ],
)
def test_finds_names_in_text_as_whole_words(text, found):
    assert sorted(NAMES.find_in(text)) == sorted(found)
