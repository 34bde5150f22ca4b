"""One gateway on this computer for all tests, with a connection to each provider that may write."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from integration_gateway import AsyncConnectionClient, AsyncGatewayClient, ConnectionClient, GatewayClient

PROJECT_ROOT = Path(__file__).resolve().parents[3]
START_TIMEOUT_SEC = 400


@dataclass(frozen=True)
class LocalGateway:
    """Where the gateway is, and the ids of its writing connections."""

    base_url: str
    secret_key: str
    control_url: str
    drive_id: str
    calendar_id: str
    role_arn: str
    role_credentials: tuple[str, str, str]
    """Of a session of the role: access key, secret and token."""

    def control(self, path: str, body: object) -> Any:
        """Asks the simulated Google for something."""
        answer = httpx.post(f"{self.control_url}/{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def seen_upstream(self) -> list[dict[str, Any]]:
        """What has reached Google's API since the last look."""
        answer = httpx.get(f"{self.control_url}/requests")
        assert answer.is_success, answer.text
        httpx.delete(f"{self.control_url}/requests").raise_for_status()
        return [one for one in answer.json()["requests"] if one["origin"] == "api"]


@pytest.fixture(scope="session")
def local_gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalGateway]:
    """`npm start` on free ports, with data of its own."""
    data = tmp_path_factory.mktemp("gateway")
    log = tmp_path_factory.mktemp("log") / "gateway.log"
    with log.open("wb") as output:
        command = ["npm", "start", "--", "--port", "0", "--iam-callers", "--data", str(data)]
        process = subprocess.Popen(command, cwd=PROJECT_ROOT, stdout=output, stderr=output, start_new_session=True)
    try:
        found = _wait_for(data / "local.json", process, log)
        yield _with_writers(found)
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_for(path: Path, process: subprocess.Popen[bytes], log: Path) -> dict[str, Any]:
    give_up_at = time.monotonic() + START_TIMEOUT_SEC
    while not path.exists():
        assert process.poll() is None, f"The gateway did not start:\n{log.read_text()}"
        assert time.monotonic() < give_up_at, f"The gateway took too long:\n{log.read_text()}"
        time.sleep(0.1)
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def _with_writers(found: dict[str, Any]) -> LocalGateway:
    base_url, secret_key, simulator = found["gateway_url"], found["secret_key"], found["simulator_control_url"]
    ids: dict[str, str] = {}
    with GatewayClient(base_url, secret_key) as gateway:
        for provider, scope in (("google-drive", "drive"), ("google-calendar", "calendar")):
            key = f"{provider}-writer"
            gateway.integrations.create(
                provider=provider,  # type: ignore[arg-type]
                unique_key=key,
                credentials_source="test",
                scopes=[scope],
            )
            client = gateway.test_credentials.get(provider)["client_id"]
            url = f"https://www.googleapis.com/auth/{scope}"
            body = {"account": "first.user@example.com", "clientId": client, "scopes": [url]}
            minted = httpx.post(f"{simulator}/tokens", json=body)
            assert minted.is_success, minted.text
            made = gateway.connections.import_(
                provider_config_key=key,
                credentials={"type": "OAUTH2", "refresh_token": minted.json()["refresh_token"]},
            )
            ids[provider] = made["connection_id"]
    role = found["iam_role"]
    credentials = (role["access_key_id"], role["secret_access_key"], role["session_token"])
    return LocalGateway(
        base_url, secret_key, simulator, ids["google-drive"], ids["google-calendar"], role["arn"], credentials
    )


@pytest.fixture(scope="session")
def gateway(local_gateway: LocalGateway) -> Iterator[GatewayClient]:
    """A client of the gateway."""
    with GatewayClient(local_gateway.base_url, local_gateway.secret_key) as client:
        yield client


@pytest.fixture(scope="session")
def drive(gateway: GatewayClient, local_gateway: LocalGateway) -> ConnectionClient:
    """Drive, with the right to write."""
    return gateway.connection("google-drive-writer", local_gateway.drive_id)


@pytest.fixture(scope="session")
def calendar(gateway: GatewayClient, local_gateway: LocalGateway) -> ConnectionClient:
    """Calendar, with the right to write."""
    return gateway.connection("google-calendar-writer", local_gateway.calendar_id)


@pytest.fixture
def anyio_backend() -> str:
    """asyncio, on which the asynchronous client runs."""
    return "asyncio"


@pytest.fixture
async def async_gateway(local_gateway: LocalGateway, anyio_backend: str) -> AsyncIterator[AsyncGatewayClient]:
    """A client for asyncio."""
    async with AsyncGatewayClient(local_gateway.base_url, local_gateway.secret_key) as client:
        yield client


@pytest.fixture
def async_drive(async_gateway: AsyncGatewayClient, local_gateway: LocalGateway) -> AsyncConnectionClient:
    """Drive, with the right to write."""
    return async_gateway.connection("google-drive-writer", local_gateway.drive_id)
