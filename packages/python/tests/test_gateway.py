"""The client against a gateway on this computer."""

from __future__ import annotations

import io
import os
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from conftest import LocalGateway
from integration_gateway import (
    ConnectionClient,
    GatewayClient,
    GatewayError,
    NetworkError,
    ProviderError,
    ReauthorizationRequiredError,
    UploadError,
    UploadProgress,
    WebhookVerificationError,
    verify_webhook,
)

MIB = 1024 * 1024


def test_writes_reads_and_deletes_a_file(drive: ConnectionClient) -> None:
    made = drive.post("/drive/v3/files", json={"name": "Ü & ü.txt"})
    file_id = made.data["id"]
    endpoint = f"/drive/v3/files/{file_id}"

    renamed = drive.patch(endpoint, json={"name": "renamed.txt"}, params={"fields": "name"})
    assert (renamed.status, renamed.data) == (200, {"name": "renamed.txt"})
    assert drive.head(endpoint).data is None
    assert drive.delete(endpoint).status == 204
    with pytest.raises(ProviderError) as caught:
        drive.get(endpoint)
    assert (caught.value.status, caught.value.reason) == (404, "notFound")
    assert caught.value.request_id


def test_a_call_of_the_client_itself_names_its_connection(gateway: GatewayClient, local_gateway: LocalGateway) -> None:
    answer = gateway.get(
        "/drive/v3/about",
        params={"fields": "user"},
        provider_config_key="google-drive-writer",
        connection_id=local_gateway.drive_id,
    )
    assert answer.data["user"]["emailAddress"] == "first.user@example.com"


def test_sends_an_encoded_id_as_it_is_written(calendar: ConnectionClient, local_gateway: LocalGateway) -> None:
    local_gateway.seen_upstream()
    endpoint = "/calendar/v3/calendars/en.usa%23holiday%40group.v.calendar.google.com/events"
    start = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=1)))
    assert calendar.get(endpoint, params={"timeMin": start, "maxResults": 2}).data["kind"] == "calendar#events"
    [seen] = local_gateway.seen_upstream()
    assert seen["target"] == f"{endpoint}?timeMin=2025-12-31T23%3A00%3A00.000Z&maxResults=2"


def test_reads_a_list_to_its_end_and_no_page_more_than_needed(
    drive: ConnectionClient, local_gateway: LocalGateway
) -> None:
    everything = [file["id"] for file in drive.items("/drive/v3/files", params={"pageSize": 100})]
    assert len(everything) > 200
    assert len(set(everything)) == len(everything)
    local_gateway.seen_upstream()
    some = list(drive.items("/drive/v3/files", params={"pageSize": 10}, max_items=15))
    assert [file["id"] for file in some] == everything[:15]
    assert len(local_gateway.seen_upstream()) == 2


def test_keeps_the_sync_token_of_the_last_page(calendar: ConnectionClient) -> None:
    events = calendar.pages("/calendar/v3/calendars/primary/events", params={"maxResults": 5})
    assert events.next_sync_token is None
    assert sum(len(page.items) for page in events) > 5
    assert events.next_sync_token


def test_uploads_in_chunks_and_downloads_whole(drive: ConnectionClient, tmp_path: Path) -> None:
    source, copy = tmp_path / "source.bin", tmp_path / "copy.bin"
    source.write_bytes(os.urandom(9 * MIB + 123))
    seen: list[UploadProgress] = []
    made = drive.upload_file(
        "/upload/drive/v3/files",
        source,
        content_type="application/octet-stream",
        metadata={"name": "source.bin"},
        params={"fields": "id,size"},
        on_progress=seen.append,
    ).data
    total = source.stat().st_size
    assert made["size"] == str(total)
    assert [one.uploaded_bytes for one in seen] == [4 * MIB, 8 * MIB, total]

    endpoint = f"/drive/v3/files/{made['id']}?alt=media"
    assert drive.download(endpoint, copy) == total
    assert copy.read_bytes() == source.read_bytes()
    assert sorted(os.listdir(tmp_path)) == ["copy.bin", "source.bin"]
    into = io.BytesIO()
    drive.download(endpoint, into, headers={"range": "bytes=5-9"})
    assert into.getvalue() == source.read_bytes()[5:10]
    with drive.stream(endpoint) as download:
        assert download.read() == source.read_bytes()


@pytest.mark.parametrize("size", [0, 1, 256 * 1024, 2 * 256 * 1024 + 1])
def test_uploads_pieces_of_unknown_length(drive: ConnectionClient, size: int) -> None:
    content = os.urandom(size)
    pieces = (content[at : at + 1000] for at in range(0, size, 1000))
    made = drive.upload_file(
        "/upload/drive/v3/files", pieces, content_type="application/octet-stream", chunk_bytes=256 * 1024
    ).data
    assert drive.get(f"/drive/v3/files/{made['id']}", params={"alt": "media"}).content == content


def test_an_upload_goes_on_after_failures_that_pass(drive: ConnectionClient, local_gateway: LocalGateway) -> None:
    content = os.urandom(3 * 256 * 1024)
    chunks = {"origin": "api", "method": "PUT"}
    # The first chunk is not taken; the second one is, and its answer is lost.
    local_gateway.control(
        "faults", {"match": chunks, "times": 1, "action": {"apiError": {"code": 503, "reason": "backendError"}}}
    )
    local_gateway.control("faults", {"match": chunks, "times": 1, "after": 3, "action": {"closeAfterApply": True}})
    local_gateway.seen_upstream()
    made = drive.upload_file(
        "/upload/drive/v3/files", content, content_type="application/octet-stream", chunk_bytes=256 * 1024
    ).data
    puts = [one for one in local_gateway.seen_upstream() if one["method"] == "PUT"]
    ranges = [value for one in puts for name, value in one["headers"] if name.lower() == "content-range"]
    first, second, third = "bytes 0-262143/786432", "bytes 262144-524287/786432", "bytes 524288-786431/786432"
    asked = "bytes */786432"
    assert ranges == [first, asked, first, second, asked, third]
    assert drive.get(f"/drive/v3/files/{made['id']}?alt=media").content == content


def test_an_upload_shorter_than_its_size_is_refused(drive: ConnectionClient) -> None:
    with pytest.raises(UploadError, match="size says 10"):
        drive.upload_file("/upload/drive/v3/files", iter([b"short"]), content_type="text/plain", size=10)
    with pytest.raises(UploadError, match="upload path"):
        drive.upload_file("/drive/v3/files", b"x", content_type="text/plain")


def test_a_file_that_is_not_there_leaves_what_was_on_disk(drive: ConnectionClient, tmp_path: Path) -> None:
    target = tmp_path / "kept.txt"
    target.write_text("before")
    with pytest.raises(ProviderError):
        drive.download("/drive/v3/files/1missing?alt=media", target)
    assert target.read_text() == "before"
    assert os.listdir(tmp_path) == ["kept.txt"]


def test_a_dead_grant_says_why_and_what_to_do(gateway: GatewayClient, local_gateway: LocalGateway) -> None:
    client = gateway.test_credentials.get("google-drive")["client_id"]
    scopes = ["https://www.googleapis.com/auth/drive"]
    minted = local_gateway.control(
        "tokens", {"account": "viewer@workspace.example", "clientId": client, "scopes": scopes}
    )
    made = gateway.connections.import_(
        provider_config_key="google-drive-writer",
        credentials={"type": "OAUTH2", "refresh_token": minted["refresh_token"]},
    )
    kill = {"account": "viewer@workspace.example", "clientId": client, "reason": "user_revoked"}
    local_gateway.control("grants/kill", kill)
    dead = gateway.connection("google-drive-writer", made["connection_id"])
    with pytest.raises(ReauthorizationRequiredError) as caught:
        gateway.connections.refresh(made["connection_id"], provider_config_key="google-drive-writer")
    error = caught.value
    assert error.status == 424
    assert error.cause in {"user_revoked", "shared_grant_ended"}
    assert error.remedy
    assert error.connection.likely_causes[0].who
    with pytest.raises(ReauthorizationRequiredError):
        dead.get("/drive/v3/files")
    [row] = gateway.connections.iterate(status="reauthorization_required")
    assert row["connection_id"] == made["connection_id"]


def test_the_gateways_refusals_have_codes_and_problems(gateway: GatewayClient) -> None:
    with pytest.raises(GatewayError) as caught:
        gateway.connection("no-such-integration", "nobody").get("/drive/v3/files")
    assert (caught.value.code, caught.value.status) == ("unknown_integration", 404)
    with pytest.raises(GatewayError) as caught:
        gateway.connect_sessions.create(end_user={"id": ""}, allowed_integrations=[])
    assert caught.value.code == "invalid_body"
    assert {problem.path for problem in caught.value.problems} >= {"end_user.id", "allowed_integrations"}


def test_a_gateway_that_is_not_there_is_a_network_error() -> None:
    with GatewayClient("http://127.0.0.1:9", "sk_none") as gateway, pytest.raises(NetworkError) as caught:
        gateway.connection("google-drive", "user").post("/drive/v3/files", json={})
    assert caught.value.may_have_been_applied is False
    assert isinstance(caught.value, ConnectionError)


def test_a_session_connects_with_its_own_token(gateway: GatewayClient) -> None:
    session = gateway.connect_sessions.create(
        end_user={"id": "user-42", "email": None}, allowed_integrations=["google-drive"], tags={"team": "blue"}
    )
    state = gateway.connect_sessions.get(session["token"])
    assert (state["status"], state["connection_id"]) == ("pending", None)
    started = gateway.connect_sessions.start_authorization(session["token"], provider_config_key="google-drive")
    assert started["authorization_url"].startswith("http")
    gateway.connect_sessions.end(session["token"])
    with pytest.raises(GatewayError):
        gateway.connect_sessions.get(session["token"])


def test_keys_are_made_listed_and_revoked(gateway: GatewayClient, local_gateway: LocalGateway) -> None:
    made = gateway.secret_keys.create(name="for python", right="proxy")
    assert made["secret_key"].startswith("sk_")
    assert made["id"] in {key["id"] for key in gateway.secret_keys.iterate()}
    with GatewayClient(local_gateway.base_url, made["secret_key"]) as limited, pytest.raises(GatewayError) as caught:
        limited.connections.list()
    assert caught.value.status == 403
    gateway.secret_keys.revoke(made["id"])
    with GatewayClient(local_gateway.base_url, made["secret_key"]) as limited, pytest.raises(GatewayError) as caught:
        limited.connections.list()
    assert caught.value.status == 401


def test_null_and_left_out_are_two_things(gateway: GatewayClient) -> None:
    key = "for-null"
    gateway.integrations.create(
        provider="google-drive",
        unique_key=key,
        credentials_source="test",
        scopes=["drive"],
        hosted_domain="acme.example",
    )
    gateway.integrations.update(key, display_name="Renamed")
    assert gateway.integrations.get(key)["hosted_domain"] == "acme.example"
    gateway.integrations.update(key, hosted_domain=None)
    changed = gateway.integrations.get(key)
    assert (changed["hosted_domain"], changed["display_name"]) == (None, "Renamed")
    assert key in [one["unique_key"] for one in gateway.integrations.iterate()]
    gateway.integrations.delete(key)


def test_a_webhook_of_the_gateway_is_verified(gateway: GatewayClient) -> None:
    received: list[tuple[dict[str, str], bytes]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append((dict(self.headers), self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        made = gateway.webhooks.create(url=f"http://127.0.0.1:{server.server_port}/hook")
        attempt = gateway.webhooks.test(made["id"])
        server.shutdown()
        thread.join()
    assert attempt["status"] == 204
    [(headers, body)] = received
    assert verify_webhook(body, headers, made["secret"])["type"] == "endpoint.test"
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body + b" ", headers, made["secret"])
    gateway.webhooks.delete(made["id"])


def test_a_connection_is_found_by_its_tags(gateway: GatewayClient, local_gateway: LocalGateway) -> None:
    gateway.connections.update(
        local_gateway.drive_id,
        provider_config_key="google-drive-writer",
        end_user={"id": "u-1", "email": None},
        tags={"team": "a & b"},
    )
    found = list(gateway.connections.iterate(tags={"team": "a & b"}, limit=1))
    assert [one["connection_id"] for one in found] == [local_gateway.drive_id]
    assert list(gateway.connections.iterate(tags={"team": "a"})) == []
