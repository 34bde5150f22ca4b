"""Calls a gateway with google-api-python-client as examples/google_api_client.py sets it up; prints one JSON line a check."""

import io
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

from google_api_client import CHUNK_SIZE, gateway_service  # noqa: E402
from googleapiclient.errors import HttpError  # noqa: E402
from googleapiclient.http import MediaIoBaseDownload, MediaIoBaseUpload  # noqa: E402

BASE_URL = os.environ["GATEWAY_BASE_URL"]
SECRET_KEY = os.environ["GATEWAY_SECRET_KEY"]


def service(name, integration, connection):
    return gateway_service(
        name, "v3", base_url=BASE_URL, secret_key=SECRET_KEY, integration_id=integration, connection_id=connection
    )


drive = service("drive", os.environ["DRIVE_INTEGRATION"], os.environ["DRIVE_CONNECTION"])
calendar = service("calendar", os.environ["CALENDAR_INTEGRATION"], os.environ["CALENDAR_CONNECTION"])


def upload(data, *, resumable):
    media = MediaIoBaseUpload(io.BytesIO(data), "application/octet-stream", chunksize=CHUNK_SIZE, resumable=resumable)
    return drive.files().create(body={"name": "uploaded.bin"}, media_body=media, fields="id,size").execute()


def download(file_id, chunk_size):
    out = io.BytesIO()
    loader = MediaIoBaseDownload(out, drive.files().get_media(fileId=file_id), chunksize=chunk_size)
    done = False
    while not done:
        _, done = loader.next_chunk()
    return out.getvalue()


def lists_with_paging():
    seen, request = [], drive.files().list(pageSize=100, fields="nextPageToken,files(id)")
    while request is not None:
        answer = request.execute()
        seen += [file["id"] for file in answer["files"]]
        request = drive.files().list_next(request, answer)
    assert len(seen) > 200 and len(set(seen)) == len(seen), len(seen)


def sends_a_long_query_as_a_form():
    found = drive.files().list(q="name contains '" + "x" * 3000 + "'").execute()
    assert found["files"] == [], found


def reads_many_files_in_one_batch():
    ids = [file["id"] for file in drive.files().list(pageSize=60).execute()["files"]]
    answers, errors = {}, []
    batch = drive.new_batch_http_request(
        callback=lambda name, answer, error: errors.append(error) if error else answers.update({name: answer["id"]})
    )
    for file_id in ids:
        batch.add(drive.files().get(fileId=file_id), request_id=file_id)
    batch.add(drive.files().get(fileId="1missing"), request_id="missing")
    batch.execute()
    assert answers == {file_id: file_id for file_id in ids}, "answers of other files"
    assert [error.resp.status for error in errors] == [404], errors


def uploads_and_downloads_in_one_request():
    data = os.urandom(300_000)
    file = upload(data, resumable=False)
    assert download(file["id"], 100 * 1024 * 1024) == data


def uploads_and_downloads_in_chunks():
    data = os.urandom(2 * CHUNK_SIZE + 4321)
    file = upload(data, resumable=True)
    assert file["size"] == str(len(data)), file
    assert download(file["id"], 1024 * 1024) == data


def says_that_a_request_is_too_large():
    try:
        upload(os.urandom(5_000_000), resumable=False)
    except HttpError as error:
        assert error.resp.status == 413, error
    else:
        raise AssertionError("5 MB went through in one request")


def writes_and_reads_events():
    times = {"start": {"dateTime": "2027-03-01T10:00:00Z"}, "end": {"dateTime": "2027-03-01T11:00:00Z"}}
    event = calendar.events().insert(calendarId="primary", body={**times, "summary": "Ü & ü"}).execute()
    assert calendar.events().get(calendarId="primary", eventId=event["id"]).execute()["summary"] == "Ü & ü"
    calendar.events().delete(calendarId="primary", eventId=event["id"]).execute()
    holidays = calendar.events().list(calendarId="en.usa#holiday@group.v.calendar.google.com", maxResults=3).execute()
    assert holidays["kind"] == "calendar#events", holidays


def reads_the_error_of_google_and_of_the_gateway():
    try:
        drive.files().get(fileId="1missing").execute()
    except HttpError as error:
        assert (error.resp.status, error.resp.get("x-gateway-error")) == (404, None), error
    try:
        service("drive", "no-such-integration", "nobody").files().list().execute()
    except HttpError as error:
        assert error.resp["x-gateway-error"] == "unknown_integration", error
    else:
        raise AssertionError("an integration that is not there answered")


def sends_nothing_to_another_address():
    try:
        drive._http.request("https://www.googleapis.com/drive/v3/files")
    except ValueError as error:
        assert "nothing was sent" in str(error), error
    else:
        raise AssertionError("a request left for another address")


CHECKS = [
    lists_with_paging,
    sends_a_long_query_as_a_form,
    reads_many_files_in_one_batch,
    uploads_and_downloads_in_one_request,
    uploads_and_downloads_in_chunks,
    says_that_a_request_is_too_large,
    writes_and_reads_events,
    reads_the_error_of_google_and_of_the_gateway,
    sends_nothing_to_another_address,
]

for check in CHECKS:
    name = check.__name__.replace("_", " ")
    try:
        check()
        print(json.dumps({"check": name, "problem": None}))
    except Exception as error:  # every problem is one line of the report
        print(json.dumps({"check": name, "problem": f"{type(error).__name__}: {error}"}))
