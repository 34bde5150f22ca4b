"""Prints a line ten minutes before each meeting. It survives restarts."""

import os
from datetime import datetime, timezone

from integration_gateway import GatewayClient

connection = {"provider_config_key": "google-calendar", "connection_id": os.environ["CONNECTION_ID"]}
gateway = GatewayClient(os.environ["GATEWAY_BASE_URL"], os.environ["GATEWAY_SECRET_KEY"])


def ring(id, time):
    path = f"/calendar/v3/calendars/primary/events/{id}"
    event = gateway.get(path, params={"fields": "summary"}, **connection).json()
    start = datetime.fromisoformat(time.replace("Z", "+00:00"))
    minutes = round((start - datetime.now(timezone.utc)).total_seconds() / 60)
    print(f'"{event["summary"]}" starts in {minutes} minutes', flush=True)


reminders = [10]
feed = gateway.feeds.create(**connection, resource="calendar:primary", reminders=reminders)
# A feed that was there keeps its settings.
gateway.feeds.update(feed["id"], reminders=reminders)
feed = gateway.feeds.get(feed["id"])
if all(cursor["name"] != "ring" for cursor in feed["cursors"]):
    gateway.feeds.move_cursor(feed["id"], "ring", sequence=feed["last_sequence"])
print("waiting for meetings", flush=True)

for batch in gateway.changes(feed["id"], cursor="ring"):
    if batch["kind"] == "starts":
        for change in batch["changes"]:
            ring(change["id"], change["time"])
