"""Google's own client through the gateway."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import Any

import pytest
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError
from googleapiclient.http import MediaIoBaseDownload, MediaIoBaseUpload

from conftest import LocalGateway
from integration_gateway import GoogleTransport, NetworkError, google_api

MIB = 1024 * 1024


def transport(local_gateway: LocalGateway, provider: str, connection_id: str) -> GoogleTransport:
    """A transport for one of the writing connections."""
    return google_api(
        base_url=local_gateway.base_url,
        secret_key=local_gateway.secret_key,
        provider_config_key=provider,
        connection_id=connection_id,
    )


@pytest.fixture
def drive_api(local_gateway: LocalGateway) -> Iterator[Any]:
    """Google's Drive client."""
    with build("drive", "v3", http=transport(local_gateway, "google-drive-writer", local_gateway.drive_id)) as service:
        yield service


@pytest.fixture
def calendar_api(local_gateway: LocalGateway) -> Iterator[Any]:
    """Google's Calendar client."""
    http = transport(local_gateway, "google-calendar-writer", local_gateway.calendar_id)
    with build("calendar", "v3", http=http) as service:
        yield service


def upload(service: Any, content: bytes, **options: Any) -> Any:
    """Uploads bytes as Google's client does."""
    media = MediaIoBaseUpload(io.BytesIO(content), "application/octet-stream", **options)
    return service.files().create(body={"name": "uploaded.bin"}, media_body=media, fields="id,size").execute()


def download(service: Any, file_id: str, chunk_size: int) -> bytes:
    """Downloads bytes as Google's client does."""
    out = io.BytesIO()
    loader = MediaIoBaseDownload(out, service.files().get_media(fileId=file_id), chunksize=chunk_size)
    done = False
    while not done:
        _, done = loader.next_chunk()
    return out.getvalue()


def test_lists_with_paging(drive_api: Any) -> None:
    seen: list[str] = []
    request = drive_api.files().list(pageSize=100, fields="nextPageToken,files(id)")
    while request is not None:
        answer = request.execute()
        seen += [file["id"] for file in answer["files"]]
        request = drive_api.files().list_next(request, answer)
    assert len(seen) > 200
    assert len(set(seen)) == len(seen)


def test_sends_a_long_query_as_a_form(drive_api: Any) -> None:
    assert drive_api.files().list(q="name contains '" + "x" * 3000 + "'").execute()["files"] == []


def test_a_batch_goes_to_the_gateway(drive_api: Any, local_gateway: LocalGateway) -> None:
    ids = [file["id"] for file in drive_api.files().list(pageSize=60).execute()["files"]]
    local_gateway.seen_upstream()
    answers: dict[str, str] = {}
    errors: list[HttpError] = []

    def take(name: str, answer: Any, error: HttpError | None) -> None:
        if error is None:
            answers[name] = answer["id"]
        else:
            errors.append(error)

    batch = drive_api.new_batch_http_request(callback=take)
    for file_id in ids:
        batch.add(drive_api.files().get(fileId=file_id), request_id=file_id)
    batch.add(drive_api.files().get(fileId="1missing"), request_id="missing")
    batch.execute()
    assert answers == {file_id: file_id for file_id in ids}
    assert [error.resp.status for error in errors] == [404]
    # It reached Google through the gateway, and nothing of the gateway's went along.
    seen = local_gateway.seen_upstream()
    assert any("/batch/drive/v3" in one["target"] for one in seen)
    assert local_gateway.secret_key not in str(seen)
    assert local_gateway.drive_id not in str(seen)


@pytest.mark.parametrize("size", [0, 300_000])
def test_uploads_and_downloads_in_one_request(drive_api: Any, size: int) -> None:
    content = os.urandom(size)
    file = upload(drive_api, content)
    if size > 0:
        assert download(drive_api, file["id"], 100 * MIB) == content
    assert drive_api.files().get_media(fileId=file["id"]).execute() == content


@pytest.mark.parametrize("options", [{"chunksize": 4 * MIB}, {"chunksize": 256 * 1024}, {}, {"chunksize": -1}])
def test_uploads_in_chunks_of_any_size_and_downloads_in_chunks(
    drive_api: Any, local_gateway: LocalGateway, options: dict[str, int]
) -> None:
    content = os.urandom(2 * 4 * MIB + 4321 if options.get("chunksize", 0) != 256 * 1024 else 600_000)
    local_gateway.seen_upstream()
    file = upload(drive_api, content, resumable=True, **options)
    assert file["size"] == str(len(content))
    assert download(drive_api, file["id"], MIB) == content
    sizes = [one["bodyLength"] for one in local_gateway.seen_upstream() if one["method"] == "PUT"]
    assert sum(sizes) == len(content)
    assert max(sizes) <= 4 * MIB


def test_an_upload_of_a_large_chunk_goes_on_after_a_failure(drive_api: Any, local_gateway: LocalGateway) -> None:
    content = os.urandom(9 * MIB)
    error = {"apiError": {"code": 503, "reason": "backendError"}}
    match = {"origin": "api", "method": "PUT"}
    local_gateway.control("faults", {"match": match, "times": 1, "after": 1, "action": error})
    media = MediaIoBaseUpload(io.BytesIO(content), "application/octet-stream", resumable=True)
    request = drive_api.files().create(body={"name": "x"}, media_body=media, fields="id")
    answer = None
    while answer is None:
        _, answer = request.next_chunk(num_retries=3)
    assert drive_api.files().get_media(fileId=answer["id"]).execute() == content


def test_says_that_a_request_is_too_large(drive_api: Any) -> None:
    with pytest.raises(HttpError, match="resumable=True") as caught:
        upload(drive_api, os.urandom(5_000_000))
    assert caught.value.resp.status == 413


def test_writes_and_reads_events(calendar_api: Any) -> None:
    times = {"start": {"dateTime": "2027-03-01T10:00:00Z"}, "end": {"dateTime": "2027-03-01T11:00:00Z"}}
    event = calendar_api.events().insert(calendarId="primary", body={**times, "summary": "Ü & ü"}).execute()
    assert calendar_api.events().get(calendarId="primary", eventId=event["id"]).execute()["summary"] == "Ü & ü"
    calendar_api.events().delete(calendarId="primary", eventId=event["id"]).execute()
    holidays = calendar_api.events().list(calendarId="en.usa#holiday@group.v.calendar.google.com", maxResults=3)
    assert holidays.execute()["kind"] == "calendar#events"


def test_reads_the_error_of_google_and_of_the_gateway(drive_api: Any, local_gateway: LocalGateway) -> None:
    with pytest.raises(HttpError) as caught:
        drive_api.files().get(fileId="1missing").execute()
    assert (caught.value.resp.status, caught.value.resp.get("x-gateway-error")) == (404, None)
    with (
        build("drive", "v3", http=transport(local_gateway, "no-such-integration", "nobody")) as service,
        pytest.raises(HttpError) as caught,
    ):
        service.files().list().execute()
    assert caught.value.resp["x-gateway-error"] == "unknown_integration"


@pytest.mark.parametrize(
    "uri",
    [
        "https://oauth2.googleapis.com/token",
        "http://www.googleapis.com/drive/v3/files",
        "https://www.googleapis.com:8443/drive/v3/files",
        "https://www.googleapis.com.evil.example/drive/v3/files",
        "https://user@evil.example/drive/v3/files",
    ],
)
def test_sends_nothing_to_another_address(local_gateway: LocalGateway, uri: str) -> None:
    http = transport(local_gateway, "google-drive-writer", local_gateway.drive_id)
    with pytest.raises(ValueError, match="nothing was sent"):
        http.request(uri)
    with pytest.raises(ValueError, match="nothing was sent"):
        http.request(f"{local_gateway.base_url}/connections")
    http.close()


def test_a_broken_connection_is_one_that_google_s_client_repeats(local_gateway: LocalGateway) -> None:
    http = google_api(base_url="http://127.0.0.1:9", secret_key="sk_x", provider_config_key="a", connection_id="b")
    with build("drive", "v3", http=http) as service, pytest.raises(NetworkError) as caught:
        service.files().list().execute()
    assert isinstance(caught.value, ConnectionError)
    assert local_gateway.secret_key not in repr(http)


@pytest.mark.parametrize(
    "path", ["/files/%2e%2e/about", "/files/..", "/%2E./about", "/files/.%2e?fields=a", "/./files"]
)
def test_refuses_an_address_with_a_dot_segment_before_anything_is_sent(path: str) -> None:
    """The gateway would refuse it too, but whatever stands before it may resolve it."""
    nowhere = google_api(
        base_url="http://127.0.0.1:1",
        secret_key="sk_default_" + "a" * 43,
        provider_config_key="drive",
        connection_id="one",
    )
    for root in ("https://www.googleapis.com/drive/v3", "http://127.0.0.1:1/proxy/drive/v3"):
        with pytest.raises(ValueError, match="dot segment"):
            nowhere.request(root + path)
