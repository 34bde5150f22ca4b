"""Every snippet of the README runs as it is printed."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import LocalGateway

README = Path(__file__).resolve().parents[1] / "README.md"


def test_every_snippet_of_the_readme_runs(
    local_gateway: LocalGateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = README.read_text().replace('"google-drive"', '"google-drive-writer"')
    text = text.replace('"google-calendar"', '"google-calendar-writer"')
    snippets = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(snippets) == 14
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film.mp4").write_bytes(os.urandom(5_000_000))
    monkeypatch.setenv("GATEWAY_BASE_URL", local_gateway.base_url)
    monkeypatch.setenv("GATEWAY_SECRET_KEY", local_gateway.secret_key)
    monkeypatch.setenv("DRIVE_CONNECTION_ID", local_gateway.drive_id)
    monkeypatch.setenv("CALENDAR_CONNECTION_ID", local_gateway.calendar_id)
    monkeypatch.setenv("WEBHOOK_SECRET", "whsec_c2VjcmV0")
    # One behind the other, as a reader follows them.
    names: dict[str, Any] = {}
    for number, snippet in enumerate(snippets):
        exec(compile(snippet, f"README snippet {number + 1}", "exec"), names)
    names["gateway"].close()
    assert (tmp_path / "copy.mp4").read_bytes() == (tmp_path / "film.mp4").read_bytes()
    assert names["receive"](b"{}", {}) == 401
    said = capsys.readouterr().out
    assert "Send the user to http" in said
    assert "pending None" in said
    assert "200 application/json" in said
    assert names["webhook"]["secret"].startswith("whsec_")
    assert f"{names['webhook']['id']} unproven" in said
