"""What is sent, and what is refused before anything is."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import httpx
import pytest

from integration_gateway import ConnectionClient, GatewayClient, GatewayError, RequestData

BASE = "https://gateway.example.com/v1"


def connection(answer: Callable[[httpx.Request], httpx.Response] | None = None, **options: Any) -> ConnectionClient:
    """A connection whose requests are answered here."""

    def handle(request: httpx.Request) -> httpx.Response:
        return answer(request) if answer is not None else httpx.Response(200, json={})

    http = httpx.Client(transport=httpx.MockTransport(handle), **options)
    return GatewayClient(BASE, "sk_secret", http_client=http).connection("google-drive", "user-1")


def sent(call: Callable[[ConnectionClient], Any], **options: Any) -> httpx.Request:
    """The request that a call makes."""
    seen: list[httpx.Request] = []

    def keep(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={})

    call(connection(keep, **options))
    [request] = seen
    return request


def target(request: httpx.Request) -> str:
    """Path and query as they go over the network."""
    raw: bytes = request.extensions.get("target", request.url.raw_path)
    return raw.decode()


@pytest.mark.parametrize(
    ("endpoint", "params", "expected"),
    [
        ("/drive/v3/files", None, "/v1/proxy/drive/v3/files"),
        ("drive/v3/files", None, "/v1/proxy/drive/v3/files"),
        (f"{BASE}/proxy/drive/v3/files", None, "/v1/proxy/drive/v3/files"),
        ("/calendar/v3/calendars/a%23b%40c%2Fd/events", None, "/v1/proxy/calendar/v3/calendars/a%23b%40c%2Fd/events"),
        ("/drive/v3/files/%7Eid~(1)!*'", None, "/v1/proxy/drive/v3/files/%7Eid~(1)!*'"),
        ("/x y/ü", None, "/v1/proxy/x%20y/%C3%BC"),
        ("/x?a=b|c&d=%7c", None, "/v1/proxy/x?a=b%7Cc&d=%7c"),
        ("/x?a=1", {"b": "2"}, "/v1/proxy/x?a=1&b=2"),
        ("/x", {"q": "name contains 'a b'", "n": None}, "/v1/proxy/x?q=name%20contains%20%27a%20b%27"),
        ("/x", {"ids": ["a", "b"], "flag": True, "n": 3}, "/v1/proxy/x?ids=a&ids=b&flag=true&n=3"),
        ("/x", [("a", "1"), ("a", "2")], "/v1/proxy/x?a=1&a=2"),
        ("/x", "?a=%20&b=+", "/v1/proxy/x?a=%20&b=+"),
    ],
)
def test_an_address_is_sent_as_it_is_written(endpoint: str, params: Any, expected: str) -> None:
    assert target(sent(lambda drive: drive.get(endpoint, params=params))) == expected


@pytest.mark.parametrize(
    ("endpoint", "why"),
    [
        ("", "empty"),
        ("https://www.googleapis.com/drive/v3/files", "full address"),
        ("//evil.example/x", "full address|empty|dot|path"),
        ("/proxy/drive/v3/files", "leave that out"),
        ("/a#b", "raw #"),
        ("/a\\b", "backslash"),
        ("/a/../b", "dot segment"),
        ("/a/%2e%2E/b", "dot segment"),
        ("/a%zz", "two hex digits"),
        ("/a\nb", "control characters"),
        ("/a\ud800", "half a character"),
    ],
)
def test_an_address_that_would_change_on_its_way_is_refused(endpoint: str, why: str) -> None:
    if endpoint.startswith("//"):
        # A path of Google's that begins with an empty segment: it stays below the gateway's address.
        assert target(sent(lambda drive: drive.get(endpoint))).startswith("/v1/proxy/")
        return
    with pytest.raises(ValueError, match=why):
        connection().get(endpoint)


def test_a_call_carries_its_identity_and_nothing_of_the_http_clients() -> None:
    request = sent(
        lambda drive: drive.get("/x"), auth=("user", "password"), cookies={"a": "b"}, base_url="https://x.example"
    )
    assert request.url.host == "gateway.example.com"
    assert request.headers["authorization"] == "Bearer sk_secret"
    assert request.headers["provider-config-key"] == "google-drive"
    assert request.headers["connection-id"] == "user-1"
    assert "gzip" in request.headers["user-agent"]


def test_bodies_are_json_or_what_their_type_says() -> None:
    request = sent(lambda drive: drive.post("/x", json={"ü": [1, None]}))
    assert (request.content, request.headers["content-type"]) == ('{"ü":[1,null]}'.encode(), "application/json")
    typed = {"content-type": "text/plain"}
    given: list[RequestData] = ["ü", "ü".encode(), io.BytesIO("ü".encode())]
    for data in given:
        assert sent(partial(ConnectionClient.put, endpoint="/x", data=data, headers=typed)).content == "ü".encode()
    own = {"Content-Type": "application/merge-patch+json"}
    request = sent(lambda drive: drive.patch("/x", json={}, headers=own))
    assert request.headers.get_list("content-type") == ["application/merge-patch+json"]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"data": b"x"}, "content-type"),
        ({"json": {}, "data": b"x"}, "not both"),
        ({"json": {"a": float("nan")}}, "written as JSON"),
        ({"json": {"a": object()}}, "written as JSON"),
        ({"data": io.StringIO("x"), "headers": {"content-type": "text/plain"}}, "'rb'"),
        ({"headers": {"Authorization": "Bearer x"}}, "secret key is given to the client"),
        ({"headers": {"connection-id": "x"}}, "connection_id instead"),
        ({"retries": 6}, "0 to 5"),
        ({"retry_on": [42]}, "HTTP statuses"),
        ({"priority": "urgent"}, "interactive or background"),
        ({"headers": {"Gateway-Priority": "background"}}, "priority instead"),
        ({"timeout": -1}, "seconds"),
        ({"params": {"at": datetime(2026, 1, 1)}}, "time zone"),
        ({"params": {"at": object()}}, "must be text"),
        ({"retires": 1}, "unexpected keyword"),
    ],
)
def test_a_call_that_cannot_be_sent_says_what_to_write_instead(options: Any, why: str) -> None:
    with pytest.raises((TypeError, ValueError), match=why):
        connection().post("/x", **options)


def test_a_file_that_no_request_can_carry_is_not_read_to_its_end() -> None:
    class Endless(io.RawIOBase):
        taken = 0

        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert size > 0
            self.taken += size
            return b"x" * size

    source = Endless()
    with pytest.raises(GatewayError) as caught:
        connection().post("/x", data=source, headers={"content-type": "text/plain"})  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.request_id) == ("request_too_large", None)
    assert source.taken < 5_000_000


def test_a_call_says_that_nobody_waits_for_it() -> None:
    request = sent(lambda drive: drive.get("/x", priority="background"))
    assert request.headers["gateway-priority"] == "background"


def test_the_wish_for_repeats_goes_to_the_gateway() -> None:
    request = sent(lambda drive: drive.get("/x", retries=2, retry_on=[429, 503]))
    assert (request.headers["retries"], request.headers["retry-on"]) == ("2", "429,503")


@pytest.mark.parametrize(
    ("base_url", "secret_key", "why"),
    [
        ("gateway.example.com", "sk_x", "base_url must be the address"),
        ("https://gateway.example.com/v1?x=1", "sk_x", "no query"),
        ("https://user@gateway.example.com/v1", "sk_x", "no query"),
        (BASE, "sk x", "visible ASCII"),
        (BASE, "", "visible ASCII"),
    ],
)
def test_a_client_that_cannot_work_is_not_made(base_url: str, secret_key: str, why: str) -> None:
    with pytest.raises(ValueError, match=why) as caught:
        GatewayClient(base_url, secret_key)
    assert "sk x" not in str(caught.value)


def test_proxied_calls_go_to_an_address_of_their_own() -> None:
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        return httpx.Response(200, json={"integrations": [], "next_cursor": None})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    gateway = GatewayClient(BASE, "sk_secret", http_client=http, proxy_url="https://proxy.example.com/")
    drive = gateway.connection("google-drive", "user-1")
    drive.get("/drive/v3/about")
    drive.get(f"{BASE}/proxy/drive/v3/files")
    list(gateway.integrations.list())
    assert seen[:2] == [f"https://proxy.example.com/proxy/drive/v3/{name}" for name in ("about", "files")]
    assert seen[2].startswith(f"{BASE}/integrations")
    with pytest.raises(ValueError, match="proxy_url must be the address"):
        GatewayClient(BASE, "sk_secret", proxy_url="proxy.example.com")


def test_no_representation_shows_the_secret_key() -> None:
    gateway = GatewayClient(BASE, "sk_secret")
    assert "sk_secret" not in repr(gateway) + repr(gateway.connection("a", "b")) + str(vars(gateway).keys())
    gateway.close()
