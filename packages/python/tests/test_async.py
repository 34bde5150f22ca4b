"""The client for asyncio against a gateway on this computer; its rules are those of the other client."""

from __future__ import annotations

import asyncio
import io
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from conftest import LocalGateway
from integration_gateway import (
    AsyncConnectionClient,
    AsyncGatewayClient,
    GatewayError,
    NetworkError,
    ProviderError,
    UploadError,
)

pytestmark = pytest.mark.anyio


async def test_writes_reads_and_deletes_a_file(async_drive: AsyncConnectionClient) -> None:
    made = (await async_drive.post("/drive/v3/files", json={"name": "a.txt"})).data
    endpoint = f"/drive/v3/files/{made['id']}"
    assert (await async_drive.patch(endpoint, json={"name": "b.txt"})).data["name"] == "b.txt"
    assert (await async_drive.head(endpoint)).status == 200
    assert (await async_drive.delete(endpoint)).status == 204
    with pytest.raises(ProviderError) as caught:
        await async_drive.get(endpoint)
    assert caught.value.reason == "notFound"


async def test_calls_run_side_by_side(async_gateway: AsyncGatewayClient, local_gateway: LocalGateway) -> None:
    calls = [
        async_gateway.get(
            "/drive/v3/files",
            params={"pageSize": size},
            provider_config_key="google-drive-writer",
            connection_id=local_gateway.drive_id,
        )
        for size in range(1, 9)
    ]
    answers = await asyncio.gather(*calls)
    assert [len(answer.data["files"]) for answer in answers] == list(range(1, 9))


async def test_reads_a_list_to_its_end(async_drive: AsyncConnectionClient) -> None:
    files = async_drive.items("/drive/v3/files", params={"pageSize": 100})
    ids = [file["id"] async for file in files]
    assert len(ids) > 200
    assert len(set(ids)) == len(ids)
    assert files.pages.next_page_token is None


async def test_uploads_and_downloads(async_drive: AsyncConnectionClient, tmp_path: Path) -> None:
    content = os.urandom(600_000)

    async def pieces() -> AsyncIterator[bytes]:
        for at in range(0, len(content), 70_000):
            yield content[at : at + 70_000]

    source = tmp_path / "source.bin"
    source.write_bytes(content)
    for body in (pieces(), source, content, io.BytesIO(content)):
        made = await async_drive.upload_file(
            "/upload/drive/v3/files", body, content_type="application/octet-stream", chunk_bytes=256 * 1024
        )
        endpoint = f"/drive/v3/files/{made.data['id']}?alt=media"
        async with async_drive.stream(endpoint) as download:
            assert await download.read() == content
        assert await async_drive.download(endpoint, tmp_path / "copy.bin") == len(content)
        assert (tmp_path / "copy.bin").read_bytes() == content
    with pytest.raises(UploadError, match="size says"):
        await async_drive.upload_file("/upload/drive/v3/files", pieces(), content_type="text/plain", size=1)


async def test_the_gateways_own_routes(async_gateway: AsyncGatewayClient, local_gateway: LocalGateway) -> None:
    rows = [row["connection_id"] async for row in async_gateway.connections.iterate(limit=1)]
    assert local_gateway.drive_id in rows
    assert len(rows) > 2
    session = await async_gateway.connect_sessions.create(end_user={"id": "user-1"})
    assert (await async_gateway.connect_sessions.get(session["token"]))["status"] == "pending"
    with pytest.raises(GatewayError) as caught:
        await async_gateway.integrations.get("no-such-integration")
    assert caught.value.status == 404


async def test_a_gateway_that_is_not_there_is_a_network_error() -> None:
    async with AsyncGatewayClient("http://127.0.0.1:9", "sk_none") as gateway:
        with pytest.raises(NetworkError) as caught:
            await gateway.connection("google-drive", "user").post("/drive/v3/files", json={})
        assert caught.value.may_have_been_applied is False


async def test_a_cancelled_call_ends(async_drive: AsyncConnectionClient, local_gateway: LocalGateway) -> None:
    local_gateway.control("faults", {"match": {"origin": "api"}, "times": 1, "action": {"delayMs": 5000}})
    call = asyncio.create_task(async_drive.get("/drive/v3/about?fields=user"))
    await asyncio.sleep(0.2)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await async_drive.get("/drive/v3/about?fields=user")).status == 200
