"""examples/booking-api on a gateway on this computer, as a role with the limits that its stack declares."""

from __future__ import annotations

import base64
import importlib.util
import json
from types import ModuleType
from typing import Any

import pytest

from conftest import PROJECT_ROOT, LocalGateway
from integration_gateway import GatewayClient

LIMITS = {"mode": "enforce", "allow": ["calendar.freebusy.query", "calendar.events.insert"]}


def _example() -> ModuleType:
    path = PROJECT_ROOT / "examples" / "booking-api" / "booking.py"
    spec = importlib.util.spec_from_file_location("booking", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def booking(local_gateway: LocalGateway, gateway: GatewayClient, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The function's module in its environment; a key with the limits of its role stands in for the role."""
    key = gateway.secret_keys.create(name="Booking", right="proxy", limits=LIMITS)  # type: ignore[arg-type]
    monkeypatch.setenv("GATEWAY_BASE_URL", local_gateway.base_url)
    monkeypatch.setenv("GATEWAY_SECRET_KEY", key["secret_key"])
    monkeypatch.setenv("INTEGRATION", "google-calendar-writer")
    monkeypatch.setenv("CONNECTION_ID", local_gateway.calendar_id)
    return _example()


def _ask(booking: ModuleType, body: object) -> tuple[int, dict[str, Any]]:
    answer = booking.handler({"body": json.dumps(body)}, None)
    return answer["statusCode"], json.loads(answer["body"])


def test_a_free_time_is_booked_once(booking: ModuleType, gateway: GatewayClient, local_gateway: LocalGateway) -> None:
    wanted = {"start": "2027-03-01T09:00:00Z", "title": "Introduction"}
    status, body = _ask(booking, wanted)
    assert status == 201
    calendar = gateway.connection("google-calendar-writer", local_gateway.calendar_id)
    event = calendar.get(f"/calendar/v3/calendars/primary/events/{body['event_id']}").data
    assert event["summary"] == "Introduction"
    assert _ask(booking, wanted)[0] == 409
    assert _ask(booking, {**wanted, "start": "2027-03-01T09:30:00Z"})[0] == 201


def test_a_body_that_the_function_url_encoded_is_read(booking: ModuleType) -> None:
    wanted = json.dumps({"start": "2027-03-01T13:00:00Z", "title": "x"}).encode()
    event = {"isBase64Encoded": True, "body": base64.b64encode(wanted).decode()}
    assert booking.handler(event, None)["statusCode"] == 201
    assert booking.handler({"isBase64Encoded": True, "body": "not base64"}, None)["statusCode"] == 400


@pytest.mark.parametrize(
    "body", [{}, [], {"start": "soon", "title": "x"}, {"start": "2027-03-01T09:00:00", "title": "x"}]
)
def test_a_request_without_a_time_is_refused(booking: ModuleType, body: object) -> None:
    assert _ask(booking, body)[0] == 400


def test_a_connection_that_is_not_there_closes_booking(booking: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONNECTION_ID", "nobody")
    assert _ask(booking, {"start": "2027-03-01T11:00:00Z", "title": "x"})[0] == 503


def test_a_refusal_of_google_closes_booking(booking: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    # Google takes offsets from UTC in whole minutes only.
    assert _ask(booking, {"start": "2027-03-01T11:00:00+00:00:30", "title": "x"})[0] == 503
    assert "400" in capsys.readouterr().out
