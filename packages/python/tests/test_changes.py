"""The loop over a feed's batches, with a gateway that is down for a while."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest

from integration_gateway import AsyncGatewayClient, GatewayClient, GatewayError, NetworkError
from integration_gateway._changes import CallStep, ChangesPlan
from integration_gateway._uploads import PauseStep

Answer = tuple[int, Any]
Answers = Callable[[str, str, Any], Answer]


@contextmanager
def answering(answers: Answers, port: int = 0) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """A server on this computer that answers as the function says: its address, and what has arrived."""
    arrived: list[tuple[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.headers.get("content-length", 0))
            body = json.loads(self.rfile.read(length)) if length else None
            arrived.append((f"{self.command} {self.path}", body))
            status, answer = answers(self.command, self.path, body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            if status == 404 or status == 410:
                self.send_header("x-gateway-error", answer["error"]["code"])
            self.end_headers()
            self.wfile.write(content)

        do_PUT = do_GET

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", arrived
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def batch(sequence: int) -> dict[str, Any]:
    return {"sequence": sequence, "kind": "changes", "reason": None, "stored_at": "now", "changes": []}


def page(*sequences: int, more: bool = False) -> Answer:
    return 200, {"data": [batch(one) for one in sequences], "last_sequence": 3, "has_more": more}


def feed(place: int) -> Answer:
    cursors = [{"name": "mirror", "sequence": place, "lag": 0, "moved_at": "now"}]
    known = {"state": "watching", "reason": None, "cursors": cursors}
    return 200, {"data": {**known, "last_sequence": 3, "last_change_at": None, "created_at": "once"}}


def test_begins_at_its_cursor_and_notes_each_page() -> None:
    def answers(method: str, path: str, body: Any) -> Answer:
        if method == "PUT":
            return 200, {"data": {"name": "mirror", **body}}
        if path == "/feeds/fd_1":
            return feed(1)
        return page(2, more=True) if path.endswith("after=1") else page(3)

    with answering(answers) as (address, arrived), GatewayClient(address, "sk_test_1") as gateway:
        read = [one["sequence"] for one in gateway.changes("fd_1", cursor="mirror", follow=False)]
    assert read == [2, 3]
    assert [body for call, body in arrived if call.startswith("PUT")] == [{"sequence": 2}, {"sequence": 3}]


def test_leaving_in_the_middle_notes_the_batches_that_are_done() -> None:
    def answers(method: str, path: str, body: Any) -> Answer:
        if method == "PUT":
            return 200, {"data": {"name": "mirror", **body}}
        return feed(0) if path == "/feeds/fd_1" else page(1, 2, 3)

    with answering(answers) as (address, arrived), GatewayClient(address, "sk_test_1") as gateway:
        batches = gateway.changes("fd_1", cursor="mirror")
        assert [next(batches)["sequence"], next(batches)["sequence"]] == [1, 2]
        del batches
    assert arrived[-1] == ("PUT /feeds/fd_1/cursors/mirror", {"sequence": 1})


def test_a_place_that_has_run_out_is_a_gap() -> None:
    def answers(_method: str, path: str, _body: Any) -> Answer:
        if path == "/feeds/fd_1":
            return feed(0)
        return 410, {"error": {"code": "cursor_too_old", "message": "gone"}}

    with answering(answers) as (address, _), GatewayClient(address, "sk_test_1") as gateway:
        found = list(gateway.changes("fd_1", after=1, follow=False))
    assert [(one["kind"], one["sequence"], one["stored_at"]) for one in found] == [("gap", 3, "once")]


def test_waits_as_long_as_a_gateway_asks_that_refuses_it_for_its_limit() -> None:
    steps = ChangesPlan("fd_1", 0, None, follow=True, interval_sec=1.0, on_outage=None).steps()
    assert isinstance(next(steps), CallStep)
    refusal = GatewayError("Too many.", code="rate_limited", status=429, retry_after_sec=7)
    assert steps.throw(refusal) == PauseStep(7)
    assert isinstance(next(steps), CallStep)
    refusal = GatewayError("Too many.", code="rate_limited", status=429, retry_after_sec=3600)
    assert steps.throw(refusal) == PauseStep(60)


def test_reports_the_state_of_the_feed_with_the_first_answer_and_whenever_it_changes() -> None:
    watching = {"state": "watching", "reason": None, "explanation": None, "remedy": None}
    paused = {"state": "paused", "reason": "reauthorization_required", "explanation": "Why.", "remedy": "Reconnect."}
    standings: list[Any] = [None, watching, watching, paused, paused, watching]

    def answers(*_: Any) -> Answer:
        standing = standings.pop(0)
        status, answer = page() if standings else page(1)
        return status, {**answer, **({} if standing is None else {"feed": standing})}

    states: list[Any] = []
    with answering(answers) as (address, _), GatewayClient(address, "sk_test_1") as gateway:
        batches = gateway.changes("fd_1", interval_sec=0.001, on_state=lambda feed: states.append(feed["state"]))
        assert next(batches)["sequence"] == 1
        del batches
    assert states == ["watching", "paused", "watching"]


def test_waits_out_a_gateway_that_fails_while_it_looks_for_its_place_and_before_the_first_page() -> None:
    asked: list[str] = []

    def answers(_method: str, path: str, _body: Any) -> Answer:
        asked.append(path)
        if len(asked) in (1, 3):
            return 503, {"message": "Service Unavailable"}
        return feed(0) if path == "/feeds/fd_1" else page(1)

    outages: list[Exception] = []
    with answering(answers) as (address, _), GatewayClient(address, "sk_test_1") as gateway:
        batches = gateway.changes("fd_1", cursor="mirror", interval_sec=0.001, on_outage=outages.append)
        assert next(batches)["sequence"] == 1
        del batches
    assert len(outages) == 2


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@pytest.mark.anyio
async def test_waits_for_a_gateway_that_does_not_listen_yet() -> None:
    port = free_port()
    outages: list[Exception] = []
    with ExitStack() as later:

        def begin(error: Exception) -> None:
            outages.append(error)
            later.enter_context(answering(lambda *_: page(1), port))

        async with AsyncGatewayClient(f"http://127.0.0.1:{port}", "sk_test_1") as gateway:
            batches = gateway.changes("fd_1", interval_sec=0.001, on_outage=begin)
            assert (await anext(batches))["sequence"] == 1
    assert [type(error) for error in outages] == [NetworkError]


def test_a_name_that_does_not_exist_and_an_unknown_feed_are_told_at_once() -> None:
    def no_such_name(request: httpx.Request) -> httpx.Response:
        cause = socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        raise httpx.ConnectError(str(cause), request=request) from cause

    http_client = httpx.Client(transport=httpx.MockTransport(no_such_name))
    with (
        GatewayClient("https://gateway.invalid", "sk_test_1", http_client=http_client) as nowhere,
        pytest.raises(NetworkError),
    ):
        next(nowhere.changes("fd_1"))

    def unknown(*_: Any) -> Answer:
        return 404, {"error": {"code": "not_found", "message": "No such feed."}}

    with (
        answering(unknown) as (address, _),
        GatewayClient(address, "sk_test_1") as gateway,
        pytest.raises(GatewayError),
    ):
        next(gateway.changes("fd_1"))


@pytest.mark.parametrize(("after", "interval"), [(-1, 1.0), (0, 0.0)])
def test_arguments_are_checked_before_anything_is_sent(after: int, interval: float) -> None:
    with GatewayClient("https://gateway.invalid", "sk_test_1") as gateway, pytest.raises(ValueError, match="must be"):
        gateway.changes("fd_1", after=after, interval_sec=interval)
