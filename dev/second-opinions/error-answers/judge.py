"""Sends random requests that Google refuses, by Google's Python client, and compares each answer with a table of public clients."""

import json
import os
import random
from pathlib import Path

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.errors import HttpError

RANDOM = random.Random(20261128)
ANSWERS = json.loads((Path(__file__).parent / "answers.json").read_text())
URL = os.environ["SIMULATOR_URL"]
COUNT = int(os.environ["COUNT"])


def service(name, version, token):
    """Google's client with the simulator's address."""
    options = {"api_endpoint": f"{URL}/{name}/{version}/"}
    return build(name, version, credentials=Credentials(token), client_options=options, static_discovery=True)


DRIVE = service("drive", "v3", os.environ["OWNER_TOKEN"])
CALENDAR = service("calendar", "v3", os.environ["OWNER_TOKEN"])
FILES, EVENTS, PERMISSIONS = DRIVE.files(), CALENDAR.events(), DRIVE.permissions()
FOLDER = "application/vnd.google-apps.folder"
TYPES = ["text/plain", "image/png", "application/pdf", "application/octet-stream"]


def word():
    """A word that no other case uses."""
    return "".join(RANDOM.choice("abcdefghijklmnopqrstuv") for _ in range(12))


def made(parent="root", mime_type=None):
    """The id of a new file."""
    body = {"name": word(), "mimeType": mime_type or RANDOM.choice(TYPES), "parents": [parent]}
    return FILES.create(body=body, supportsAllDrives=True).execute()["id"]


TEAM = DRIVE.drives().list().execute()["drives"][0]["id"]
FOLDERS = [made(mime_type=FOLDER) for _ in range(3)]
TEAM_FOLDER = made(TEAM, FOLDER)
SYNC = EVENTS.list(calendarId="primary", timeMin="2026-11-01T00:00:00Z", maxResults=2500).execute()["nextSyncToken"]


def times(day=None):
    """Start and end of an event."""
    day = day or RANDOM.randint(1, 28)
    return {"start": {"dateTime": f"2027-01-{day:02}T09:00:00Z"}, "end": {"dateTime": f"2027-01-{day:02}T10:00:00Z"}}


def whole(days):
    """A whole-day start and end."""
    day = RANDOM.randint(1, 20)
    return {"start": {"date": f"2027-01-{day:02}"}, "end": {"date": f"2027-01-{day + days:02}"}}


def insert(body):
    """An insertion into the primary calendar."""
    return EVENTS.insert(calendarId="primary", body=body)


def repeated():
    """An insertion of an id that is taken."""
    body = {**times(), "id": word()}
    insert(body).execute()
    return insert(body)


def deleted():
    """A deletion of what was deleted."""
    event = insert(times()).execute()["id"]
    EVENTS.delete(calendarId="primary", eventId=event).execute()
    return EVENTS.delete(calendarId="primary", eventId=event)


def both():
    """A day and a time in one end."""
    body = times()
    end = RANDOM.choice(["start", "end"])
    return insert({**body, end: {**body[end], "date": "2027-01-01"}})


def restricted():
    """A sync token with one restriction."""
    more = RANDOM.choice(
        [{"q": word()}, {"timeMin": "2026-11-02T00:00:00Z"}, {"iCalUID": word()}, {"showDeleted": False}, {"updatedMin": "2026-11-20T00:00:00Z"}]
    )
    return EVENTS.list(calendarId="primary", syncToken=SYNC, **more)


def properties(count, length=1):
    """A body with properties of either kind."""
    kind = RANDOM.choice(["properties", "appProperties"])
    return FILES.create(body={"name": word(), kind: {f"p{at}": "v" * length for at in range(count)}})


def birthday():
    """A birthday with properties."""
    kind = RANDOM.choice(["private", "shared"])
    more = {"eventType": "birthday", "recurrence": ["RRULE:FREQ=YEARLY"], "extendedProperties": {kind: {word(): "v"}}}
    return insert({**whole(1), **more})


def working_location():
    """A working location of several days."""
    more = {"eventType": "workingLocation", "workingLocationProperties": {"type": "homeOffice"}}
    return insert({**whole(RANDOM.randint(2, 8)), **more})


def shared(file, role, **more):
    """A permission of one user on a file."""
    body = {"type": "user", "role": role, "emailAddress": "viewer@workspace.example", **more}
    return PERMISSIONS.create(fileId=file, body=body, supportsAllDrives=True)


def only_revision():
    """A deletion of the one revision that a file has."""
    file = made(mime_type=RANDOM.choice(TYPES))
    return DRIVE.revisions().delete(fileId=file, revisionId="head")


ORDERS = ["name", "folder,name desc", "modifiedTime desc", "createdTime"]
CASES = {
    "sortedFullText": lambda: FILES.list(q=f"fullText contains '{word()}'", orderBy=RANDOM.choice(ORDERS)),
    "unknownOrder": lambda: FILES.list(orderBy=word()),
    "fileNotFound": lambda: RANDOM.choice([FILES.get(fileId=word()), FILES.delete(fileId=word()), FILES.copy(fileId=word(), body={})]),
    "addParent": lambda: FILES.update(fileId=made(), addParents=RANDOM.choice(FOLDERS), body={}),
    "twoParents": lambda: FILES.create(body={"name": word(), "parents": RANDOM.sample(FOLDERS, RANDOM.randint(2, 3))}),
    "addParentInDrive": lambda: FILES.update(fileId=made(TEAM), addParents=TEAM_FOLDER, body={}, supportsAllDrives=True),
    "writersCanShare": lambda: FILES.update(
        fileId=made(TEAM), body={"writersCanShare": RANDOM.choice([True, False])}, supportsAllDrives=True
    ),
    "longProperty": lambda: properties(1, RANDOM.randint(123, 400)),
    "manyProperties": lambda: properties(RANDOM.randint(31, 60)),
    "documentBytes": lambda: FILES.get_media(fileId=made(mime_type="application/vnd.google-apps.document")),
    "exportOfBytes": lambda: FILES.export(fileId=made(), mimeType=RANDOM.choice(TYPES)),
    "timeRangeEmpty": lambda: EVENTS.list(
        calendarId="primary", timeMin="2027-02-01T00:00:00Z", timeMax=f"2027-01-{RANDOM.randint(1, 28):02}T00:00:00Z"
    ),
    "syncTokenWithOrder": lambda: EVENTS.list(calendarId="primary", syncToken=SYNC, orderBy="updated"),
    "syncTokenRestricted": restricted,
    "orderNotAvailable": lambda: EVENTS.list(calendarId="primary", orderBy="startTime", maxResults=RANDOM.randint(1, 9)),
    "duplicateEvent": repeated,
    "deletedEvent": deleted,
    "dayAndTime": both,
    "birthdayProperties": birthday,
    "workingLocationDays": working_location,
    "fileOrganizerOfFile": lambda: shared(made(TEAM), "fileOrganizer"),
    "pastExpiration": lambda: shared(made(), "reader", expirationTime=f"{RANDOM.randint(2000, 2020)}-01-01T00:00:00Z"),
    "farExpiration": lambda: shared(made(), "reader", expirationTime=f"{RANDOM.randint(2040, 2090)}-01-01T00:00:00Z"),
    "onlyRevision": only_revision,
}


def answer(request):
    """Status, reason, domain and location of a refusal."""
    try:
        request.execute()
    except HttpError as error:
        first = json.loads(error.content)["error"]["errors"][0]
        shown = {name: first.get(name) for name in ("reason", "domain", "location")}
        return {"status": error.resp.status, **shown}
    return {"status": 200}


def main():
    """Compares as many answers as were asked for."""
    names = sorted(CASES)
    for at in range(COUNT):
        name = names[at] if at < len(names) else RANDOM.choice(names)
        expected = {key: value for key, value in ANSWERS[name].items() if key != "source"}
        found = answer(CASES[name]())
        problem = None if found == expected else f"expected {expected}, found {found}"
        print(json.dumps({"check": f"{at} {name}", "problem": problem}), flush=True)


main()
