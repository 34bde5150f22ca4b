"""IAM roles instead of secret keys: signed calls, checked by the front door of a gateway on this computer."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from conftest import LocalGateway
from integration_gateway import AsyncGatewayClient, GatewayClient, GatewayError, google_api

REGION = "us-east-1"
BASE = "https://gateway.example.com/v1"


@dataclass(frozen=True)
class Role:
    """Credentials as botocore's ReadOnlyCredentials have them."""

    access_key: str
    secret_key: str
    token: str | None = None


@dataclass(frozen=True)
class Refreshable:
    """Credentials as boto3 hands them out."""

    role: Role

    def get_frozen_credentials(self) -> Role:
        """Those of this moment."""
        return self.role


@pytest.fixture(scope="session")
def role(local_gateway: LocalGateway, gateway: GatewayClient) -> Role:
    """A role that is registered with every right."""
    gateway.secret_keys.register_role(name="Python", right="full", role_arn=local_gateway.role_arn)
    return Role(*local_gateway.role_credentials)


def test_a_role_calls_uploads_downloads_and_manages(local_gateway: LocalGateway, role: Role, tmp_path: Path) -> None:
    with GatewayClient(local_gateway.base_url, aws_credentials=Refreshable(role), aws_region=REGION) as signing:
        drive = signing.connection("google-drive-writer", local_gateway.drive_id)
        name = "a+b & 'c' (ü)"
        content = bytes(range(256)) * 40_000
        file = drive.upload_file(
            "/upload/drive/v3/files", io.BytesIO(content), content_type="text/plain", metadata={"name": name}
        ).data
        found = drive.get("/drive/v3/files", params={"q": "name = 'a+b & \\'c\\' (ü)'", "fields": "files(id,name)"})
        assert [one["name"] for one in found.data["files"]] == [name]
        drive.download(f"/drive/v3/files/{file['id']}?alt=media", tmp_path / "copy")
        assert hashlib.sha256((tmp_path / "copy").read_bytes()).digest() == hashlib.sha256(content).digest()
        calendar = signing.connection("google-calendar-writer", local_gateway.calendar_id)
        assert calendar.get("/calendar/v3/calendars/first.user%40example.com/events").status == 200
        drive.delete(f"/drive/v3/files/{file['id']}")
        session = signing.connect_sessions.create(end_user={"id": "u"}, allowed_integrations=["google-drive-writer"])
        # The session's own token needs no signature.
        assert signing.connect_sessions.get(session["token"])["status"] == "pending"


@pytest.mark.anyio
async def test_a_role_calls_with_asyncio(local_gateway: LocalGateway, role: Role) -> None:
    async with AsyncGatewayClient(local_gateway.base_url, aws_credentials=lambda: role, aws_region=REGION) as signing:
        drive = signing.connection("google-drive-writer", local_gateway.drive_id)
        assert (await drive.get("/drive/v3/about", params={"fields": "user"})).status == 200


def test_google_own_client_signs(local_gateway: LocalGateway, role: Role) -> None:
    from googleapiclient.discovery import build

    transport = google_api(
        base_url=local_gateway.base_url,
        aws_credentials=lambda: role,
        aws_region=REGION,
        provider_config_key="google-drive-writer",
        connection_id=local_gateway.drive_id,
    )
    with build("drive", "v3", http=transport) as service:
        made = service.files().create(body={"name": "signed one (ü)"}).execute()
        listed = service.files().list(q="name = 'signed one (ü)'").execute()
        assert [one["id"] for one in listed["files"]] == [made["id"]]


def test_a_wrong_secret_is_refused(local_gateway: LocalGateway, role: Role) -> None:
    wrong = Role(role.access_key, "x", role.token)
    with (
        GatewayClient(local_gateway.base_url, aws_credentials=lambda: wrong, aws_region=REGION) as signing,
        pytest.raises(GatewayError) as caught,
    ):
        signing.connections.list()
    assert (caught.value.status, caught.value.code) == (403, "forbidden")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "secret_key is required"),
        ({"secret_key": "sk_x", "aws_credentials": lambda: Role("a", "b")}, "not both"),
        ({"aws_credentials": lambda: Role("a", "b")}, "aws_region is required"),
        ({"aws_credentials": "AKIA", "aws_region": REGION}, "get_credentials"),
        ({"secret_key": "sk_x", "aws_region": REGION}, "leave it out"),
        ({"aws_credentials": lambda: Role("a", "b"), "aws_region": REGION, "proxy_url": BASE}, "proxy_url"),
    ],
)
def test_options_that_cannot_work_are_refused(options: dict[str, Any], says: str) -> None:
    for client in (GatewayClient, AsyncGatewayClient):
        with pytest.raises(ValueError, match=says):
            client(BASE, **options)


ENVIRONMENT = (
    *("GATEWAY_BASE_URL", "GATEWAY_SECRET_KEY", "GATEWAY_REGION"),
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets these variables, and removes every other one that a client reads."""
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)

    def set_variables(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name, value)

    return set_variables


def recorded() -> tuple[list[httpx.Request], httpx.MockTransport]:
    """A transport that keeps what is sent."""
    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json={"connections": []})

    return seen, httpx.MockTransport(handle)


def test_a_client_without_options_signs_as_the_role_of_its_function(environment: Callable[..., None]) -> None:
    seen, transport = recorded()
    environment(GATEWAY_BASE_URL=BASE, GATEWAY_REGION="eu-central-1", AWS_ACCESS_KEY_ID="ASIAFIRST")
    environment(AWS_SECRET_ACCESS_KEY="first", AWS_SESSION_TOKEN="token-1")
    client = GatewayClient(http_client=httpx.Client(transport=transport))
    client.connections.list()
    assert str(seen[0].url).startswith(f"{BASE}/iam/connections")
    assert "Credential=ASIAFIRST/" in seen[0].headers["authorization"]
    assert "/eu-central-1/execute-api/" in seen[0].headers["authorization"]
    assert seen[0].headers["x-amz-security-token"] == "token-1"
    # Lambda replaces them while a process lives.
    environment(AWS_ACCESS_KEY_ID="ASIASECOND", AWS_SESSION_TOKEN="token-2")
    client.connections.list()
    assert "Credential=ASIASECOND/" in seen[1].headers["authorization"]
    assert seen[1].headers["x-amz-security-token"] == "token-2"


@pytest.mark.anyio
async def test_a_client_without_options_prefers_a_secret_key(environment: Callable[..., None]) -> None:
    seen, transport = recorded()
    environment(GATEWAY_BASE_URL=BASE, GATEWAY_SECRET_KEY="sk_default_a", AWS_ACCESS_KEY_ID="ASIAFIRST")
    await AsyncGatewayClient(http_client=httpx.AsyncClient(transport=transport)).connections.list()
    assert str(seen[0].url).startswith(f"{BASE}/connections")
    assert seen[0].headers["authorization"] == "Bearer sk_default_a"


def test_a_client_without_options_names_what_is_missing(environment: Callable[..., None]) -> None:
    environment()
    for client in (GatewayClient, AsyncGatewayClient):
        with pytest.raises(ValueError, match="GATEWAY_BASE_URL, which is not set"):
            client()
        with pytest.raises(ValueError, match="base_url is required with other options"):
            client(secret_key="sk_x")
    environment(GATEWAY_BASE_URL=BASE, GATEWAY_REGION=REGION)
    seen, transport = recorded()
    with pytest.raises(ValueError, match="gave no credentials"):
        GatewayClient(http_client=httpx.Client(transport=transport)).connections.list()
    assert seen == []


def no_credentials() -> Role:
    """What a broken source does."""
    raise RuntimeError("no credentials here")


@pytest.mark.parametrize(("source", "says"), [(no_credentials, "here"), (lambda: Role("", ""), "gave no credentials")])
def test_nothing_is_sent_without_credentials(source: Callable[[], Role], says: str) -> None:
    sent: list[httpx.Request] = []

    def keep(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json={})

    http = httpx.Client(transport=httpx.MockTransport(keep))
    signing = GatewayClient(BASE, aws_credentials=source, aws_region=REGION, http_client=http)
    with pytest.raises((RuntimeError, ValueError), match=says):
        signing.connections.list()
    assert sent == []


def test_the_region_is_that_of_the_address() -> None:
    seen: list[str] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request.headers["authorization"])
        return httpx.Response(200, json={"connections": []})

    http = httpx.Client(transport=httpx.MockTransport(handle))
    base = "https://abc.execute-api.eu-central-1.amazonaws.com/v1"
    GatewayClient(base, aws_credentials=lambda: Role("AKIAEXAMPLE", "b"), http_client=http).connections.list()
    assert "/eu-central-1/execute-api/aws4_request, SignedHeaders=host;x-amz-date, " in seen[0]
