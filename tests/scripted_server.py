"""A local HTTP server that answers as it is told."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Reply:
    """One scripted response. `body` is sent as it is when it is text, else as JSON. NaN stays NaN."""

    body: Any = ""
    status: int = 200
    hangs: bool = False
    headers: dict[str, str] = field(default_factory=lambda: {"retry-after-ms": "1", "content-type": "application/json"})

    @property
    def sent(self) -> bytes:
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


class ScriptedServer:
    """Plays a script of replies by path; the last one repeats. `requests` has the path and JSON of each call."""

    def __init__(self) -> None:
        self.scripts: dict[str, list[Reply]] = {}
        self.requests: list[tuple[str, Any]] = []
        self.keys: list[str] = []
        self.released = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def script(self, path: str, *replies: Reply) -> None:
        self.scripts[path] = list(replies)

    def chat(self, *contents: Any) -> None:
        """Completions with these texts; a `Reply` goes out as it is."""
        replies = [content if isinstance(content, Reply) else Reply(completion(content)) for content in contents]
        self.script("/v1/chat/completions", *replies)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                script.requests.append((self.path, json.loads(body)))
                script.keys.append(self.headers.get("authorization", ""))
                replies = script.scripts[self.path]
                reply = replies.pop(0) if len(replies) > 1 else replies[0]
                if callable(reply.body):
                    reply = Reply(reply.body(json.loads(body)))
                if reply.hangs:
                    script.released.wait(10)
                    return
                self.send_response(reply.status)
                for name, value in {**reply.headers, "content-length": str(len(reply.sent))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(reply.sent)

            def log_message(self, *_: Any) -> None:
                """Nothing on stderr."""

        return Handler


def completion(content: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": content if isinstance(content, str) else json.dumps(content)}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 700, "completion_tokens": 80, "total_tokens": 780},
    }
