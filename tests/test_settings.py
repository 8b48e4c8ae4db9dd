import pytest

from core_search.errors import SettingError
from core_search.settings import Settings


def test_reads_the_environment_and_hides_keys():
    settings = Settings.from_environment({"OPENAI_API_KEY": "sk-secret-123456", "CORE_SEARCH_ROUTER": "local"})
    assert settings.router == "local"
    assert settings.secrets == ("sk-secret-123456",)
    assert "secret" not in f"{settings!r}{settings.wire()}"


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        ({"CORE_SEARCH_ROUTR": "local"}, "CORE_SEARCH_ROUTR"),
        ({"CORE_SEARCH_GRAPH": "neo4j"}, "CORE_SEARCH_GRAPH"),
        ({"SEARCH_LABEL_VECTOR_THRESHOLD": "7"}, "SEARCH_LABEL_VECTOR_THRESHOLD"),
    ],
)
def test_names_the_variable_that_is_wrong(environment, says):
    with pytest.raises(SettingError, match=says):
        Settings.from_environment(environment)
