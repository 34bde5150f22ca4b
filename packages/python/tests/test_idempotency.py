"""Calls that make something carry a key, under which they may be repeated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from integration_gateway import AsyncGatewayClient, GatewayClient, GatewayError

BASE = "https://gateway.example.com/v1"
SESSION = {"data": {"token": "cs_1", "connect_link": "https://g/connect", "expires_at": "2026-01-01T00:00:00Z"}}


def refusal(status: int, code: str, retry_after: str | None = None) -> httpx.Response:
    """The gateway's error envelope."""
    headers = {"x-gateway-error": code, **({} if retry_after is None else {"retry-after": retry_after})}
    return httpx.Response(status, json={"error": {"code": code, "message": "m", "status": status}}, headers=headers)


def made() -> httpx.Response:
    return httpx.Response(201, json=SESSION)


def lost() -> httpx.Response:
    raise httpx.ReadError("the connection ended")


class Gateway:
    """Answers each request in its turn, the last answer again and again."""

    def __init__(self, *turns: Callable[[], httpx.Response]) -> None:
        self.turns = turns
        self.seen: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        return self.turns[min(len(self.seen), len(self.turns)) - 1]()

    @property
    def keys(self) -> list[str | None]:
        return [request.headers.get("idempotency-key") for request in self.seen]

    def client(self) -> GatewayClient:
        return GatewayClient(BASE, "sk_secret", http_client=httpx.Client(transport=httpx.MockTransport(self)))

    def async_client(self) -> AsyncGatewayClient:
        http = httpx.AsyncClient(transport=httpx.MockTransport(self))
        return AsyncGatewayClient(BASE, "sk_secret", http_client=http)


def create(client: GatewayClient, **options: Any) -> Any:
    return client.connect_sessions.create(end_user={"id": "u"}, **options)


def test_each_call_has_a_key_of_its_own() -> None:
    gateway = Gateway(made)
    create(gateway.client())
    create(gateway.client())
    first, second = gateway.keys
    assert first is not None
    assert len(first) == 38
    assert first[0] == first[-1] == '"'
    assert first != second


def test_a_given_key_is_sent_in_the_form_of_the_draft() -> None:
    gateway = Gateway(made)
    create(gateway.client(), idempotency_key='job "7" \\ 1')
    assert gateway.keys == ['"job \\"7\\" \\\\ 1"']
    for wrong in ("ü", "k" * 256):
        with pytest.raises(ValueError, match="idempotency_key must be"):
            create(gateway.client(), idempotency_key=wrong)


def test_what_makes_nothing_has_none() -> None:
    gateway = Gateway(lambda: httpx.Response(200, json={"connections": []}))
    gateway.client().connections.list()
    assert gateway.keys == [None]


@pytest.mark.parametrize(
    "trouble",
    [
        lost,
        lambda: refusal(409, "request_in_progress", "0"),
        lambda: refusal(503, "service_unavailable", "0"),
        lambda: httpx.Response(502, json={"message": "Internal server error"}),
    ],
)
@pytest.mark.parametrize("is_async", [False, True])
def test_a_lost_answer_is_asked_for_again_under_the_same_key(
    trouble: Callable[[], httpx.Response], is_async: bool
) -> None:
    gateway = Gateway(trouble, made)
    if is_async:
        answer: Any = asyncio.run(gateway.async_client().connect_sessions.create(end_user={"id": "u"}))
    else:
        answer = create(gateway.client())
    assert answer["token"] == "cs_1"
    assert len(gateway.keys) == 2
    assert len(set(gateway.keys)) == 1


@pytest.mark.parametrize(
    "trouble",
    [
        lambda: refusal(400, "invalid_body"),
        lambda: refusal(409, "answer_not_kept"),
        lambda: refusal(503, "service_unavailable", "60"),
        lambda: refusal(500, "internal_error"),
    ],
)
def test_a_final_answer_is_not_asked_for_again(trouble: Callable[[], httpx.Response]) -> None:
    gateway = Gateway(trouble)
    with pytest.raises(GatewayError):
        create(gateway.client())
    assert len(gateway.seen) == 1


def test_it_gives_up_after_two_repeats() -> None:
    gateway = Gateway(lambda: refusal(409, "request_in_progress", "0"))
    with pytest.raises(GatewayError) as failure:
        create(gateway.client())
    assert failure.value.code == "request_in_progress"
    assert len(gateway.seen) == 3
