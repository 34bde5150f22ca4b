"""Books half an hour in one Google Calendar. The address, the right to call and its limits come from the stack."""

from __future__ import annotations

import base64
import json
import os
from datetime import datetime, timedelta
from typing import Any

from integration_gateway import ConnectionClient, GatewayClient, IntegrationGatewayError

SLOT = timedelta(minutes=30)
JSON = {"content-type": "application/json"}


def is_free(calendar: ConnectionClient, start: datetime) -> bool:
    """Whether the calendar has nothing in the half hour that begins then."""
    asked = {"timeMin": start.isoformat(), "timeMax": (start + SLOT).isoformat(), "items": [{"id": "primary"}]}
    busy: list[Any] = calendar.post("/calendar/v3/freeBusy", json=asked).data["calendars"]["primary"]["busy"]
    return busy == []


def book(calendar: ConnectionClient, start: datetime, title: str) -> str | None:
    """Creates the event. Returns its id, or None where the time is taken."""
    if not is_free(calendar, start):
        return None
    times = {"start": {"dateTime": start.isoformat()}, "end": {"dateTime": (start + SLOT).isoformat()}}
    event = calendar.post("/calendar/v3/calendars/primary/events", json={"summary": title, **times}).data
    return str(event["id"])


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answers a request of the function's URL with the body `{"start": "2027-03-01T09:00:00Z", "title": "…"}`."""
    try:
        body = event.get("body") or "{}"
        # A function URL encodes bodies whose content type is not one of text.
        wanted = json.loads(base64.b64decode(body) if event.get("isBase64Encoded") else body)
        start, title = datetime.fromisoformat(wanted["start"].replace("Z", "+00:00")), str(wanted["title"])
    except (KeyError, TypeError, ValueError, AttributeError):
        return answer(400, error="Send a start with a time zone and a title.")
    if start.tzinfo is None:
        return answer(400, error="Send a start with a time zone and a title.")
    with GatewayClient() as gateway:
        calendar = gateway.connection(os.environ["INTEGRATION"], os.environ["CONNECTION_ID"])
        try:
            event_id = book(calendar, start, title)
        except IntegrationGatewayError as error:
            # The log has what Google refused, or the remedy, such as that the owner has to reconnect.
            print(error)
            return answer(503, error="Booking is closed at the moment.")
    return answer(409, error="That time is taken.") if event_id is None else answer(201, event_id=event_id)


def answer(status: int, **body: str) -> dict[str, Any]:
    """An answer of the function's URL."""
    return {"statusCode": status, "headers": JSON, "body": json.dumps(body)}
