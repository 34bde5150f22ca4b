"""Three months of an office's calendars, in at least 75 calls of google-api-python-client against the simulator."""

from judged_client import Judge, control, refusal, tell

JUDGE = Judge("calendar")
ZONE = "America/New_York"
ADA, BEN, VIEWER = "first.user@example.com", "second.user@example.com", "viewer@workspace.example"

control("reset", {})
control("seed", {"generated": False, "now": "2026-10-26T12:00:00Z"})
ada, ben, viewer = (JUDGE.client(account) for account in (ADA, BEN, VIEWER))
state = {}


def at(time):
    return {"dateTime": f"2026-{time}:00", "timeZone": ZONE}


def starts(page):
    return [(event["start"].get("dateTime") or event["start"]["date"])[5:16] for event in page["items"]]


def pages(method, **parameters):
    items, request = [], method.list(**parameters)
    while request is not None:
        page = request.execute()
        items += page["items"]
        request = method.list_next(request, page)
    return items, page["nextSyncToken"]


def finds_an_empty_office():
    assert len(pages(ada.settings(), maxResults=5)[0]) == 12
    assert ada.settings().get(setting="locale").execute()["value"] == "en"
    assert len(ada.colors().get().execute()["calendar"]) == 24
    assert [entry["id"] for entry in ada.calendarList().list().execute()["items"]] == [ADA]
    assert ada.events().list(calendarId="primary").execute()["items"] == []


def opens_a_calendar_and_shares_it():
    team = ada.calendars().insert(body={"summary": "Office", "timeZone": ZONE}).execute()["id"]
    state["team"] = team
    ada.calendars().patch(calendarId=team, body={"location": "New York"}).execute()
    assert ada.calendars().get(calendarId=team).execute()["location"] == "New York"
    ada.calendars().update(calendarId=team, body={"summary": "The office", "timeZone": ZONE}).execute()
    assert "location" not in ada.calendars().get(calendarId=team).execute()
    acl = ada.acl()
    rule = acl.insert(calendarId=team, body={"role": "reader", "scope": {"type": "user", "value": BEN}}).execute()
    acl.insert(calendarId=team, body={"role": "freeBusyReader", "scope": {"type": "domain", "value": "workspace.example"}}).execute()
    assert acl.get(calendarId=team, ruleId=rule["id"]).execute()["role"] == "reader"
    assert len(acl.list(calendarId=team).execute()["items"]) == 3
    assert refusal(ben.acl().list(calendarId=team)) == (403, "requiredAccessLevel")
    ben.calendarList().insert(body={"id": team, "colorId": "11"}).execute()
    entry = ben.calendarList().get(calendarId=team).execute()
    assert (entry["accessRole"], entry["colorId"]) == ("reader", "11")
    ben.calendarList().patch(calendarId=team, body={"summaryOverride": "Ada's office"}).execute()
    ben.calendarList().update(calendarId=team, body={"hidden": True}).execute()
    assert len(ben.calendarList().list().execute()["items"]) == 1
    assert len(ben.calendarList().list(showHidden=True).execute()["items"]) == 2


def repeats_over_the_end_of_summer_time():
    team = state["team"]
    events = ada.events()
    body = {
        "summary": "Stand-up",
        "start": at("10-26T09:00"),
        "end": at("10-26T09:15"),
        "recurrence": ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261112T045959Z", "EXDATE;TZID=America/New_York:20261104T090000"],
    }
    series = events.insert(calendarId=team, body=body).execute()["id"]
    state["series"] = series
    found = events.list(calendarId=team, singleEvents=True, orderBy="startTime").execute()
    assert starts(found) == ["10-26T09:00", "10-28T09:00", "11-02T09:00", "11-09T09:00", "11-11T09:00"], starts(found)
    assert [event["id"].split("_")[1] for event in found["items"]][1:3] == ["20261028T130000Z", "20261102T140000Z"]
    # A list in an order of its own ends without a sync token.
    assert "nextSyncToken" not in found
    state["sync"] = events.list(calendarId=team, singleEvents=True).execute()["nextSyncToken"]
    berlin = events.list(calendarId=team, singleEvents=True, orderBy="startTime", timeZone="Europe/Berlin").execute()
    assert starts(berlin)[:3] == ["10-26T14:00", "10-28T14:00", "11-02T15:00"], starts(berlin)
    assert refusal(events.list(calendarId=team, orderBy="startTime")) == (400, "invalid")
    assert refusal(events.list(calendarId=team, timeMin="2026-11-02T00:00:00Z", timeMax="2026-11-01T00:00:00Z")) == (400, "timeRangeEmpty")
    assert [event["id"] for event in events.list(calendarId=team).execute()["items"]] == [series]


def changes_single_instances_and_syncs():
    team, series = state["team"], state["series"]
    events = ada.events()
    second = f"{series}_20261028T130000Z"
    events.patch(calendarId=team, eventId=second, body={"start": at("10-28T10:00"), "end": at("10-28T10:15")}).execute()
    events.delete(calendarId=team, eventId=f"{series}_20261102T140000Z").execute()
    changed = events.list(calendarId=team, singleEvents=True, syncToken=state["sync"]).execute()
    assert sorted((event["id"].split("_")[1], event["status"]) for event in changed["items"]) == [
        ("20261028T130000Z", "confirmed"),
        ("20261102T140000Z", "cancelled"),
    ]
    kept = events.instances(calendarId=team, eventId=series).execute()
    assert starts(kept) == ["10-26T09:00", "10-28T10:00", "11-09T09:00", "11-11T09:00"], starts(kept)
    assert len(events.instances(calendarId=team, eventId=series, showDeleted=True).execute()["items"]) == 5
    one = events.instances(calendarId=team, eventId=series, originalStart="2026-10-28T09:00:00-04:00").execute()["items"]
    assert [event["id"] for event in one] == [second]
    renamed = {**events.get(calendarId=team, eventId=second).execute(), "summary": "Stand-up, late"}
    assert events.update(calendarId=team, eventId=second, body=renamed).execute()["summary"] == "Stand-up, late"
    events.patch(calendarId=team, eventId=series, body={"location": "Kitchen"}).execute()
    followed = events.get(calendarId=team, eventId=second).execute()
    assert (followed["summary"], followed["location"]) == ("Stand-up, late", "Kitchen")


def splits_a_series():
    team, series = state["team"], state["series"]
    events = ada.events()
    events.patch(calendarId=team, eventId=series, body={"recurrence": ["RRULE:FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261109T045959Z"]}).execute()
    body = {"summary": "Stand-up", "start": at("11-09T09:30"), "end": at("11-09T09:45"), "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=2"]}
    events.insert(calendarId=team, body=body).execute()
    found = events.list(calendarId=team, singleEvents=True, orderBy="startTime", timeMin="2026-11-05T00:00:00Z").execute()
    assert starts(found) == ["11-09T09:30", "11-16T09:30"], starts(found)
    whole_days = {"start": {"date": "2026-12-24"}, "end": {"date": "2026-12-27"}, "summary": "Closed", "recurrence": ["RRULE:FREQ=YEARLY"]}
    closed = events.insert(calendarId=team, body=whole_days).execute()["id"]
    assert events.get(calendarId=team, eventId=f"{closed}_20271224").execute()["end"] == {"date": "2027-12-27"}
    assert refusal(events.get(calendarId=team, eventId=f"{closed}_20271225")) == (404, "notFound")


def invites_and_answers():
    body = {
        "summary": "Budget",
        "start": at("10-29T15:00"),
        "end": at("10-29T16:00"),
        "attendees": [{"email": BEN}, {"email": VIEWER, "optional": True}],
    }
    event = ada.events().insert(calendarId="primary", body=body, sendUpdates="all").execute()
    state["budget"] = event["id"]
    mine = {"calendarId": "primary", "eventId": event["id"]}
    answer = {"attendeesOmitted": True, "attendees": [{"email": BEN, "responseStatus": "accepted"}]}
    ben.events().patch(**mine, body=answer).execute()
    viewer.events().patch(**mine, body={**answer, "attendees": [{"email": VIEWER, "responseStatus": "declined"}]}).execute()
    seen = ada.events().get(**mine).execute()
    assert [attendee["responseStatus"] for attendee in seen["attendees"]] == ["accepted", "declined"]
    assert refusal(ben.events().patch(**mine, body={"summary": "Mine"})) == (403, "forbiddenForNonOrganizer")
    ben.events().patch(**mine, body={"colorId": "4"}).execute()
    assert "colorId" not in ada.events().get(**mine).execute()
    ada.events().patch(**mine, body={"start": at("10-29T16:00"), "end": at("10-29T17:00")}).execute()
    assert ben.events().get(**mine).execute()["start"]["dateTime"].endswith("T16:00:00-04:00") is True


def asks_who_is_free():
    team = state["team"]
    question = {
        "timeMin": "2026-10-26T00:00:00Z",
        "timeMax": "2026-10-31T00:00:00Z",
        "timeZone": ZONE,
        "items": [{"id": "primary"}, {"id": team}, {"id": ADA}],
    }
    busy = ben.freebusy().query(body=question).execute()["calendars"]
    assert busy["primary"]["busy"] == [{"start": "2026-10-29T16:00:00-04:00", "end": "2026-10-29T17:00:00-04:00"}]
    assert [span["start"][5:16] for span in busy[team]["busy"]] == ["10-26T09:00", "10-28T10:00"]
    assert busy[ADA]["errors"][0]["reason"] == "notFound"
    declined = viewer.freebusy().query(body=question).execute()["calendars"]
    assert declined["primary"]["busy"] == []
    assert set(viewer.events().list(calendarId=team, singleEvents=True).execute()["items"][0]) <= {
        *("kind", "etag", "id", "status", "start", "end", "recurringEventId", "originalStartTime", "iCalUID", "sequence", "eventType"),
    }


def adds_imports_moves_and_finds():
    team = state["team"]
    events = ada.events()
    quick = events.quickAdd(calendarId="primary", text="Dentist on Friday 9am-10am").execute()
    assert quick["start"]["dateTime"] == "2026-10-30T09:00:00+01:00", quick["start"]
    times = {"start": at("11-20T09:00"), "end": at("11-20T10:00")}
    imported = events.import_(calendarId="primary", body={**times, "iCalUID": "a@b.example", "summary": "Conference"}).execute()
    assert events.import_(calendarId="primary", body={**times, "iCalUID": "a@b.example"}).execute()["id"] == imported["id"]
    assert events.move(calendarId="primary", eventId=quick["id"], destination=team).execute()["organizer"]["email"] == team
    properties = {"extendedProperties": {"private": {"k": "v"}, "shared": {"s": "t"}}}
    found = events.insert(calendarId="primary", body={**times, **properties, "summary": "Tagged"}).execute()["id"]
    for constraint in ({"privateExtendedProperty": "k=v"}, {"sharedExtendedProperty": "s=t"}, {"q": "tagged"}, {"iCalUID": f"{found}@google.com"}):
        assert [event["id"] for event in events.list(calendarId="primary", **constraint).execute()["items"]] == [found], constraint
    assert refusal(events.insert(calendarId="primary", body={**times, "id": found})) == (409, "duplicate")
    items, token = pages(events, calendarId="primary", maxResults=1)
    assert len(items) == 3 and len({event["id"] for event in items}) == 3
    events.delete(calendarId="primary", eventId=found).execute()
    assert [event["status"] for event in events.list(calendarId="primary", syncToken=token).execute()["items"]] == ["cancelled"]
    assert refusal(events.delete(calendarId="primary", eventId=found)) == (410, "deleted")
    assert refusal(events.list(calendarId="primary", syncToken="x")) == (400, "invalid")


def opens_and_stops_channels():
    def channel(name):
        return {"id": name, "type": "web_hook", "address": "https://app.example.com/hook"}

    opened = [
        ada.events().watch(calendarId="primary", body=channel("c-1")).execute(),
        ada.acl().watch(calendarId=state["team"], body=channel("c-2")).execute(),
        ada.calendarList().watch(body=channel("c-3")).execute(),
        ada.settings().watch(body=channel("c-4")).execute(),
    ]
    for one in opened:
        ada.channels().stop(body={"id": one["id"], "resourceId": one["resourceId"]}).execute()
    assert refusal(ada.channels().stop(body={"id": "c-1", "resourceId": "x"})) == (404, "channelUnknown")


def closes_the_office():
    team = state["team"]
    ada.events().delete(calendarId="primary", eventId=state["budget"]).execute()
    assert ben.events().get(calendarId="primary", eventId=state["budget"]).execute()["status"] == "cancelled"
    ada.acl().patch(calendarId=team, ruleId=f"user:{BEN}", body={"role": "writer"}).execute()
    ada.acl().delete(calendarId=team, ruleId=f"user:{BEN}").execute()
    assert refusal(ben.calendars().get(calendarId=team)) == (404, "notFound")
    assert len(ben.calendarList().list(showHidden=True).execute()["items"]) == 1
    assert refusal(ada.calendars().delete(calendarId="primary")) == (403, "cannotDeletePrimaryCalendar")
    ada.calendars().clear(calendarId="primary").execute()
    assert ada.events().list(calendarId="primary").execute()["items"] == []
    ada.calendars().delete(calendarId=team).execute()
    assert refusal(ada.events().list(calendarId=team)) == (404, "notFound")


tell(
    JUDGE,
    75,
    [
        finds_an_empty_office,
        opens_a_calendar_and_shares_it,
        repeats_over_the_end_of_summer_time,
        changes_single_instances_and_syncs,
        splits_a_series,
        invites_and_answers,
        asks_who_is_free,
        adds_imports_moves_and_finds,
        opens_and_stops_channels,
        closes_the_office,
    ],
)
