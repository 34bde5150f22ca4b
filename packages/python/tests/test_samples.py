"""The Python programs of examples/feeds and docs/first-call.md run as they are printed."""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path

from conftest import PROJECT_ROOT, LocalGateway
from integration_gateway import ConnectionClient, GatewayClient

DOCS = PROJECT_ROOT / "docs"
ARRIVAL_SEC = 60


class Program:
    """A running program, and what it prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: queue.Queue[str] = queue.Queue()
        self.printed = ""
        threading.Thread(target=self._read, daemon=True).start()

    def says(self, wanted: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """Waits for a line."""
        give_up_at = time.monotonic() + ARRIVAL_SEC
        while wanted not in self.printed:
            assert time.monotonic() < give_up_at, f"No {wanted!r} in: {self.printed}"
            try:
                self.printed += self._lines.get(timeout=5)
            except queue.Empty:
                meanwhile()
            assert self._process.poll() is None or not self._lines.empty() or wanted in self.printed, self.printed

    def types(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line)


def for_writers(code: str) -> str:
    """A program, for the connections that may write."""
    drive = code.replace('"google-drive"', '"google-drive-writer"')
    return drive.replace('"google-calendar"', '"google-calendar-writer"')


def program_of(page: str, name: str) -> str:
    """A program of a page, for the connections that may write."""
    found = re.search(rf"```python {re.escape(name)}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert found is not None
    return for_writers(found[1])


@contextmanager
def running(name: str, folder: Path, environment: dict[str, str]) -> Iterator[Program]:
    """A program of examples/feeds."""
    script = folder / name
    script.write_text(for_writers((PROJECT_ROOT / "examples" / "feeds" / name).read_text()))
    process = subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield Program(process)
        finally:
            process.kill()


def environment_of(gateway: LocalGateway, connection_id: str, **more: str) -> dict[str, str]:
    address = {"GATEWAY_BASE_URL": gateway.base_url, "GATEWAY_SECRET_KEY": gateway.secret_key}
    return {**address, "CONNECTION_ID": connection_id, **more}


def make(drive: ConnectionClient, name: str, parent: str, mime_type: str = "text/plain") -> str:
    body = {"name": name, "parents": [parent], "mimeType": mime_type}
    made: str = drive.post("/drive/v3/files", json=body).json()["id"]
    return made


def test_the_search_index_finds_what_is_below_a_folder(
    local_gateway: LocalGateway, drive: ConnectionClient, tmp_path: Path
) -> None:
    folder_type = "application/vnd.google-apps.folder"
    top = make(drive, "top", "root", folder_type)
    below = make(drive, "below", top, folder_type)
    deep = make(drive, "deep word", below)
    environment = environment_of(local_gateway, local_gateway.drive_id, FOLDER_ID=top)
    with running("search_folder.py", tmp_path, environment) as searching:
        searching.says("indexed 2")
        searching.types("deep")
        searching.says(f"found {deep} deep word")
        late = make(drive, "late word", below)
        searching.says(f"{late} late word")
        drive.delete(f"/drive/v3/files/{below}")
        searching.says(f"{below} is gone")
        last = make(drive, "last word", top)
        searching.says(f"{last} last word")
        searching.types("word")
        searching.says(f"found {last} last word")
        assert searching.printed.count(f"found {deep}") == 1


def test_the_bell_rings_before_a_meeting(
    local_gateway: LocalGateway, gateway: GatewayClient, calendar: ConnectionClient, tmp_path: Path
) -> None:
    def at(minutes: int) -> dict[str, str]:
        return {"dateTime": (datetime.now(timezone.utc) + timedelta(minutes=minutes)).isoformat()}

    environment = environment_of(local_gateway, local_gateway.calendar_id)
    with running("ring.py", tmp_path, environment) as ringing:
        ringing.says("waiting for meetings")
        event = {"summary": "a meeting that nobody expected", "start": at(5), "end": at(30)}
        calendar.post("/calendar/v3/calendars/primary/events", json=event)
        ringing.says('"a meeting that nobody expected" starts in')


def test_the_programs_of_the_quick_start_print_what_they_say(
    local_gateway: LocalGateway, drive: ConnectionClient
) -> None:
    made = [make(drive, f"quick start {number}", "root") for number in range(3)]
    environment = {**os.environ, **environment_of(local_gateway, local_gateway.drive_id)}

    def prints(name: str) -> str:
        command = [sys.executable, "-c", program_of("first-call.md", name)]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout

    assert re.fullmatch(r"(\S{20,} .+\n){3}", prints("first_call.py"))
    assert re.fullmatch(r"http\S+/connect#session_token=cs_\S+\n", prints("connect_user.py"))
    assert prints("handle_errors.py") == "Google said 404: notFound\n"
    for id in made:
        drive.delete(f"/drive/v3/files/{id}")


def test_the_program_of_failures_prints_a_link_after_the_grant_has_ended(
    local_gateway: LocalGateway, gateway: GatewayClient
) -> None:
    account = "second.user@example.com"
    client = gateway.test_credentials.get("google-drive")["client_id"]
    asked = {"account": account, "clientId": client, "scopes": ["https://www.googleapis.com/auth/drive"]}
    minted = local_gateway.control("tokens", asked)
    made = gateway.connections.import_(
        provider_config_key="google-drive-writer",
        credentials={"type": "OAUTH2", "refresh_token": minted["refresh_token"]},
    )
    local_gateway.control("grants/kill", {"account": account, "reason": "user_revoked"})
    environment = {**os.environ, **environment_of(local_gateway, made["connection_id"])}
    command = [sys.executable, "-c", program_of("first-call.md", "handle_errors.py")]
    ran = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    assert ran.stderr == ""
    assert re.fullmatch(r"reauthorization_required: .+\nhttp\S+/connect#session_token=cs_\S+\n", ran.stdout)
