"""LB-1: the secret key shows itself nowhere, and travels only where nobody on the way can read it."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import logging
import traceback
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from integration_gateway import AsyncGatewayClient, GatewayClient, google_api
from integration_gateway._requests import Outgoing, own_route, proxied_call, read_ref, read_settings
from integration_gateway._secret import SecretText

BASE = "https://gateway.example.com/v1"
KEY = "sk_default_never-to-be-seen"
UNREACHABLE = "http://127.0.0.1:1"


def settings() -> Any:
    """Checked options with the key."""
    return read_settings(BASE, SecretText(KEY), 5, False)


def google(address: str = BASE, behind: str = "") -> Any:
    """A transport for Google's client."""
    return google_api(base_url=address, secret_key=KEY + behind, provider_config_key="drive", connection_id="c-1")


@dataclasses.dataclass(frozen=True)
class Role:
    """Credentials of AWS, as botocore has them."""

    access_key: str
    secret_key: str
    token: str


def signing(address: str, access_key: str = "ASIAEXAMPLE") -> GatewayClient:
    """A client that signs."""
    return GatewayClient(address, aws_credentials=lambda: Role(access_key, KEY, KEY + KEY), aws_region="us-east-1")


def told(error: BaseException) -> str:
    """What a reporter of errors writes down: texts, the chain, and the local variables of every frame."""
    seen = traceback.TracebackException.from_exception(error, capture_locals=True)
    return "".join(seen.format()) + repr(error) + repr(error.__dict__)


def outgoing() -> list[Outgoing]:
    """Requests as they are before they are sent."""
    return [
        proxied_call(settings(), read_ref("drive", "c-1"), "GET", "/drive/v3/files"),
        own_route(settings(), "GET", "/connections", "", None, None),
        own_route(settings(), "GET", "/connect/session", "", None, SecretText(KEY)),
    ]


def test_no_object_shows_the_key() -> None:
    """LB-1: neither in repr nor in str, nor a part or a copy of it."""
    objects: list[Any] = [settings(), GatewayClient(BASE, KEY), AsyncGatewayClient(BASE, KEY), google(), *outgoing()]
    objects += [client.connection("drive", "c-1") for client in objects[1:3]]
    for one in objects:
        assert KEY not in f"{one!r} {one!s} {one}"
        assert KEY not in repr(getattr(one, "__dict__", None))
    assert KEY not in repr(dataclasses.asdict(settings())) + repr(copy.deepcopy(settings()))


def answering(status: int, headers: dict[str, str] | None = None) -> httpx.Client:
    """A client that is answered so."""
    return httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(status, json={}, headers=headers)))


def unreachable_async() -> None:
    """A call that nobody answers, for asyncio."""

    async def call() -> None:
        async with AsyncGatewayClient(UNREACHABLE, KEY) as gateway:
            await gateway.connections.list()

    asyncio.run(call())


FAILURES: list[Callable[[], object]] = [
    lambda: GatewayClient("not an address", KEY),
    lambda: GatewayClient("http://gateway.example.com", KEY),
    lambda: AsyncGatewayClient("http://gateway.example.com", KEY),
    lambda: google("http://gateway.example.com"),
    lambda: GatewayClient(BASE, f"{KEY}\n"),
    lambda: google(behind=" "),
    lambda: GatewayClient(BASE, KEY, timeout=-1),
    lambda: GatewayClient(BASE, KEY).connection("drive", "c-1").get("/x", retries=9),
    lambda: GatewayClient(BASE, KEY).connection("drive", "c-1").get("/x#"),
    lambda: GatewayClient(UNREACHABLE, KEY).connection("drive", "c-1").get("/drive/v3/files"),
    lambda: GatewayClient(UNREACHABLE, KEY).connections.list(),
    lambda: google(UNREACHABLE).request("https://www.googleapis.com/drive/v3/files"),
    lambda: GatewayClient(BASE, KEY, http_client=answering(503)).connections.list(),
    lambda: GatewayClient(BASE, KEY, http_client=answering(502)).connection("drive", "c-1").get("/drive/v3/files"),
    unreachable_async,
    lambda: signing(UNREACHABLE).connections.list(),
    lambda: signing(UNREACHABLE).connection("drive", "c-1").post("/drive/v3/files", json={}),
    lambda: signing(BASE, "").connections.list(),
]


@pytest.mark.parametrize("fails", FAILURES)
def test_no_failure_shows_the_key(fails: Callable[[], object], caplog: pytest.LogCaptureFixture) -> None:
    """LB-1: not its words, not the chain behind it, not the local variables of any frame, not a log."""
    with caplog.at_level(logging.DEBUG), pytest.raises(Exception) as caught:  # noqa: PT011
        fails()
    chain = [caught.value, caught.value.__cause__, caught.value.__context__]
    assert not [one for one in chain if one is not None and KEY in told(one)]
    assert KEY not in caplog.text


def test_the_key_arrives_all_the_same() -> None:
    """LB-1: what is hidden is sent."""
    seen: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["authorization"])
        return httpx.Response(200, json={"connections": []})

    with GatewayClient(BASE, KEY, http_client=httpx.Client(transport=httpx.MockTransport(handle))) as gateway:
        gateway.connection("drive", "c-1").get("/drive/v3/files")
        gateway.connections.list()
    assert seen == [f"Bearer {KEY}"] * 2


@pytest.mark.parametrize(
    "address",
    ["http://localhost:3000", "http://127.0.0.1:1/v1", "http://127.9.9.9", "http://[::1]:8", "http://a.localhost"],
)
def test_http_is_taken_for_this_computer(address: str) -> None:
    """LB-1: for names and addresses of loopback."""
    assert GatewayClient(address, KEY)
    assert google(address)


@pytest.mark.parametrize(
    "address",
    ["http://gateway.example.com", "http://10.0.0.7", "http://127.0.0.1.example.com", "http://localhost.example.com"],
)
def test_http_to_anybody_else_needs_an_option(address: str) -> None:
    """LB-1: the key would be readable on the way."""
    for make in (GatewayClient, AsyncGatewayClient):
        with pytest.raises(ValueError, match="allow_http=True"):
            make(address, KEY)
        assert make(address, KEY, allow_http=True)
    with pytest.raises(ValueError, match="allow_http=True"):
        google(address)
