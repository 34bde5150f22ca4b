"""The official Python client of the Model Context Protocol at Google's simulated servers.

Reads DRIVE_ENDPOINT, CALENDAR_ENDPOINT and TOKEN, the token of a user whose changes need an approval, and prints a line of JSON
for each check: its name, and null or what is wrong.
"""

import asyncio
import base64
import json
import os

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.types import ElicitResult

DRIVE = os.environ["DRIVE_ENDPOINT"]
CALENDAR = os.environ["CALENDAR_ENDPOINT"]
MODES = ["legacy", "auto", "2026-07-28"]
EVENT = {"startTime": "2027-03-02T09:00:00Z", "endTime": "2027-03-02T10:00:00Z"}


def check(name, actual, expected):
    problem = None if actual == expected else f"{actual!r} is not {expected!r}"
    print(json.dumps({"check": name, "problem": problem}))


def connect(address, mode, forms=None, token=None):
    """A client; `forms` collects the messages of the forms that it allows, and without it the client can show none."""

    async def allow(_context, params):
        forms.append(params.message)
        return ElicitResult(action="accept", content={"decision": "allow"})

    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    transport = streamable_http_client(address, http_client=httpx2.AsyncClient(headers=headers))
    return Client(transport, mode=mode, elicitation_callback=None if forms is None else allow)


async def reads(mode, token):
    async with connect(DRIVE, mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        check(f"{mode}: lists the tools of Drive without a token", "read_file_content" in names, True)
        try:
            await client.call_tool("list_recent_files", {})
            check(f"{mode}: is refused without a token", "no refusal", "a refusal")
        except (MCPError, httpx2.HTTPError) as refusal:
            check(f"{mode}: is refused without a token", bool(str(refusal)), True)
    async with connect(DRIVE + "self", mode, token=token) as client:
        content = base64.b64encode(f"written in {mode}".encode()).decode()
        file = {"title": f"By {mode}", "mimeType": "text/plain", "content": content}
        made = await client.call_tool("create_file", {**file, "disableConversionToGoogleType": True})
        read = await client.call_tool("read_file_content", {"fileId": made.structured_content["id"]})
        check(f"{mode}: creates and reads a file", read.structured_content, {"fileContent": f"written in {mode}"})
    async with connect(CALENDAR, mode, token=token) as client:
        listed = (await client.call_tool("list_calendars", {})).structured_content["calendars"]
        check(f"{mode}: lists calendars", any(one.get("primary") for one in listed), True)
        steps = []

        async def step(progress, total, _message):
            steps.append((progress, total))

        listed = await client.call_tool("list_events", {}, progress_callback=step)
        check(f"{mode}: reads progress before the result", (listed.is_error, steps), (False, [(1, 2), (2, 2)]))


async def changes(mode, token):
    forms = []
    async with connect(CALENDAR, mode, forms, token) as client:
        made = await client.call_tool("create_event", {"summary": f"By {mode}", **EVENT})
        if mode == "legacy":
            check("legacy: cannot show the form", (made.is_error, forms), (True, []))
            return
        check(f"{mode}: creates an event after one form", (made.is_error, len(forms)), (False, 1))
        event = {"eventId": made.structured_content["id"]}
        await client.call_tool("delete_event", event)
        gone = await client.call_tool("get_event", event)
        check(f"{mode}: deletes it after another", (gone.structured_content or {}).get("status"), "cancelled")
        check(f"{mode}: sees a form for each change", len(forms), 2)


async def main():
    token = os.environ["TOKEN"]
    for mode in MODES:
        await reads(mode, token)
        await changes(mode, token)


asyncio.run(main())
