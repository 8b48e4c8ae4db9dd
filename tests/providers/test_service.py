import pytest

from core_search.providers.service import REASON_LENGTH, Service


def service(key="secret-token-of-mine"):
    return Service("OpenAI", "m", key, "OPENAI_API_KEY", "MODEL", "URL")


class Refusal(Exception):
    def __init__(self, body, status_code=418):
        self.body, self.status_code = body, status_code


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "too hot"}}, "too hot"),
        ({"message": "too hot"}, "too hot"),
        ({"error": "too hot"}, "too hot"),
        ({"other": 1}, '{"other": 1}'),
        ("too hot", "too hot"),
        (None, "without a message"),
    ],
)
def test_what_the_server_said(body, said):
    assert str(service().failed(Refusal(body))) == f"OpenAI model 'm' failed (HTTP 418: {said}); check MODEL"


def test_half_a_key_at_the_cut_is_not_shown():
    padding = "." * (REASON_LENGTH - 20)
    assert "secret-t" not in str(service().failed(Refusal(f"{padding}secret-token-of-mine")))


def test_a_key_is_not_in_the_repr():
    assert "secret-token" not in repr(service())
