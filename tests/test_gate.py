import pytest

from core_search.gate import decide
from core_search.models import RouterOutput


@pytest.mark.parametrize(
    ("confidence", "should_search", "force", "is_open"),
    [
        (0.20, True, None, True),
        (0.19, True, None, False),
        (1.00, False, None, False),
        (0.00, False, True, True),
        (1.00, True, False, False),
    ],
)
def test_opens_at_the_threshold_and_only_when_there_is_something_to_search(confidence, should_search, force, is_open):
    output = RouterOutput(confidence=confidence, should_search=should_search)
    decision = decide(output, 0.2, force)
    assert decision.open is is_open
    assert decision.reason
