import jsonschema

from core_search.models import Aspect, Extraction, QueryType
from core_search.router.schema import EXTRACTION_SCHEMA


def objects(schema):
    if schema.get("type") == "object":
        yield schema
    for inner in schema.get("properties", {}).values():
        yield from objects(inner)


def test_the_schema_is_strict():
    jsonschema.Draft202012Validator.check_schema(EXTRACTION_SCHEMA)
    for schema in objects(EXTRACTION_SCHEMA):
        assert schema["required"] == list(schema["properties"])
        assert schema["additionalProperties"] is False


def test_the_schema_has_the_keys_of_an_extraction():
    assert set(EXTRACTION_SCHEMA["properties"]) == set(Extraction().wire())


def test_an_extraction_fits_its_schema():
    extraction = Extraction(query_type=QueryType.TEMPORAL, aspects=tuple(Aspect), entity_hints=("Bob",), confidence=0.5)
    jsonschema.validate(extraction.wire(), EXTRACTION_SCHEMA)
