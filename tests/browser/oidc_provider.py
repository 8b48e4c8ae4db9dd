"""A small OpenID Connect provider on this machine: whoever comes says who they are, and is believed.

It does what Streamlit's sign-in needs of one: discovery, keys, the code flow with PKCE, signed ID tokens, sign-out.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey

FORM = """<!doctype html><title>Who are you?</title><link rel="icon" href="data:,"><form action="/come">{hidden}
<input name="name" placeholder="Name"><input name="email" placeholder="Address"><button>Come in</button></form>"""


class Provider:
    """Its address, its one client, and everything that it gave out and that nobody else may see."""

    def __init__(self) -> None:
        self.client_id, self.client_secret = "core-search-app", secrets.token_urlsafe(24)
        self.key = ECKey.generate_key("P-256", parameters={"kid": "one", "use": "sig", "alg": "ES256"})
        self.open_codes: dict[str, dict[str, str]] = {}
        self.given: list[str] = [self.client_secret]
        self.signed_out = 0
        self.address = ""

    def discovery(self) -> dict[str, object]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "end_session_endpoint": f"{self.address}/leave",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def code(self, asked: dict[str, str]) -> str:
        code = secrets.token_urlsafe(24)
        self.open_codes[code] = asked
        self.given.append(code)
        return code

    def tokens(self, form: dict[str, str], authorization: str) -> dict[str, object] | None:
        """For a code, once, and only for the client that asked for it; None when anything is wrong."""
        asked = self.open_codes.pop(form.get("code", ""), None)
        client = base64.b64encode(f"{self.client_id}:{self.client_secret}".encode()).decode()
        proof = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest()).decode()
        if (
            asked is None
            or authorization != f"Basic {client}"
            or proof.rstrip("=") != asked["code_challenge"]
            or form.get("redirect_uri") != asked["redirect_uri"]
        ):
            return None
        now = int(time.time())
        claims = {
            "iss": self.address,
            "aud": self.client_id,
            "sub": hashlib.sha256(asked["email"].encode()).hexdigest()[:12],
            "iat": now,
            "exp": now + 600,
            "nonce": asked["nonce"],
            "name": asked["name"],
            "email": asked["email"],
        }
        id_token = jwt.encode({"alg": "ES256", "kid": "one"}, claims, self.key)
        access_token = secrets.token_urlsafe(24)
        self.given += [id_token, access_token]
        return {"id_token": id_token, "access_token": access_token, "token_type": "Bearer", "expires_in": 600}


class _Handler(BaseHTTPRequestHandler):
    provider: Provider

    def do_GET(self) -> None:
        provider, address = self.provider, urlsplit(self.path)
        asked = dict(parse_qsl(address.query))
        if address.path == "/.well-known/openid-configuration":
            self._answer(json.dumps(provider.discovery()), "application/json")
        elif address.path == "/keys":
            self._answer(json.dumps({"keys": [provider.key.as_dict(private=False)]}), "application/json")
        elif address.path == "/authorize" and asked["client_id"] == provider.client_id:
            fields = (f'<input type="hidden" name="{k}" value="{html.escape(v)}">' for k, v in asked.items())
            self._answer(FORM.format(hidden="".join(fields)), "text/html")
        elif address.path == "/come":
            back = urlencode({"code": provider.code(asked), "state": asked["state"]})
            self._send_to(f"{asked['redirect_uri']}?{back}")
        elif address.path == "/leave":
            provider.signed_out += 1
            self._send_to(asked["post_logout_redirect_uri"])
        else:
            self._answer("", "text/plain", 404)

    def do_POST(self) -> None:
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        tokens = self.provider.tokens(form, self.headers.get("Authorization", ""))
        if tokens is None:
            self._answer('{"error": "invalid_grant"}', "application/json", 400)
        else:
            self._answer(json.dumps(tokens), "application/json")

    def _answer(self, text: str, kind: str, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_to(self, address: str) -> None:
        self.send_response(302)
        self.send_header("Location", address)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing: the tests look at what it gave out."""


@contextmanager
def provider() -> Iterator[Provider]:
    """A provider that answers as long as the block runs."""
    here = Provider()
    server = ThreadingHTTPServer(("localhost", 0), type("Handler", (_Handler,), {"provider": here}))
    here.address = f"http://localhost:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
