"""A seeded set of series on the simulator's calendar, their instances compared with those of python-dateutil."""

import json
import os
import random
import warnings
from datetime import datetime, timedelta, timezone
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from dateutil import tz
from dateutil.rrule import rrulestr

SIMULATOR_URL = os.environ["SIMULATOR_URL"]
COUNT = int(os.environ["SERIES"])
SCOPE = "https://www.googleapis.com/auth/calendar"
EVENTS = "calendar/v3/calendars/primary/events"
# Both hemispheres, an offset of half an hour, summer time of half an hour and at midnight, and none.
ZONES = [
    *("Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Australia/Sydney"),
    *("Asia/Kolkata", "Asia/Beirut", "Pacific/Auckland", "America/St_Johns", "Africa/Johannesburg", "UTC"),
]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# How far the instances of a rule are compared: far enough for changes of the clocks and leap years, and some hundred instances.
WINDOW_DAYS = {"YEARLY": 365 * 5, "MONTHLY": 365 * 2, "WEEKLY": 400, "DAILY": 300}

RANDOM = random.Random(20260301)
# COUNT and UNTIL stand side by side here, of which dateutil warns.
warnings.simplefilter("ignore", DeprecationWarning)


def some(values, most=3):
    """A few different values in their order, as one part of a rule takes them."""
    chosen = RANDOM.sample(values, RANDOM.randint(1, most))
    return ",".join(str(value) for value in values if value in chosen)


def parts_of(freq, is_timed):
    """The parts that a rule of this frequency can have apart from INTERVAL and its end."""
    ordinal = lambda: f"{RANDOM.choice([1, 2, 3, 4, 5, -1, -2])}{RANDOM.choice(DAYS)}"  # noqa: E731
    days, months = f"BYDAY={some(DAYS, 5)}", f"BYMONTH={some(list(range(1, 13)), 4)}"
    month_days = f"BYMONTHDAY={some([1, 2, 13, 15, 28, 29, 30, 31, -1, -2, -31], 4)}"
    position = f"BYSETPOS={some([1, 2, -1, -2], 2)}"
    choices = {
        "YEARLY": [
            [],
            [months],
            [months, month_days],
            [f"BYDAY={ordinal()}", months],
            [f"BYDAY={RANDOM.choice([1, 20, 52, -1, -10])}{RANDOM.choice(DAYS)}"],
            [f"BYYEARDAY={some([1, 60, 100, 200, 366, -1, -306], 3)}"],
            # Without BYDAY dateutil takes all seven days, and of weeks that two years share it takes the days of one.
            [f"BYWEEKNO={some([2, 10, 20, 40, 51], 3)}", days],
            [days, months, position],
        ],
        "MONTHLY": [
            [],
            [month_days],
            [f"BYDAY={ordinal()},{ordinal()}"],
            [days, position],
            [days, month_days],
            [months, f"BYDAY={ordinal()}"],
        ],
        "WEEKLY": [[], [days], [days, f"WKST={RANDOM.choice(DAYS)}"], [days, months]],
        "DAILY": [[], [days], [months], [month_days], [f"BYHOUR={some(list(range(24)), 4)}", f"BYMINUTE={some([0, 20, 30, 45])}"]],
    }[freq]
    return RANDOM.choice(choices[: 4 if freq == "DAILY" and not is_timed else None])


class Series:
    """One series: its start, its lines as Calendar takes them, and its instances as dateutil reads them."""

    def __init__(self):
        self.is_timed = RANDOM.random() < 0.75
        self.name = RANDOM.choice(ZONES)
        self.zone = tz.gettz(self.name) if self.is_timed else None
        self.start = datetime(RANDOM.randint(2024, 2027), RANDOM.randint(1, 12), RANDOM.randint(1, 28), tzinfo=self.zone)
        if self.is_timed:
            self.start += timedelta(hours=RANDOM.randint(0, 23), minutes=RANDOM.choice([0, 15, 30]))
            self.start = tz.resolve_imaginary(self.start)
        self.rules = [self._rule()]
        # A first start that is none of the rule's is nevertheless an instance, and counts (RFC 5545 section 3.3.10).
        if RANDOM.random() < 0.75:
            first = next(iter(rrulestr(self.rules[0], dtstart=self.start)), self.start)
            self.start = tz.resolve_imaginary(first) if self.is_timed else first
        self.freq = self.rules[0][5:].split(";")[0]
        self.until = self.start + timedelta(days=WINDOW_DAYS[self.freq])
        if RANDOM.random() < 0.1:
            self.rules.append(self._rule(["WEEKLY", "MONTHLY"]))
        self.others = []
        known = self._starts()
        self._end(known)
        self._change(known)
        self.lines = [*(f"RRULE:{rule}" for rule in self.rules), *self.others]

    def _rule(self, frequencies=("YEARLY", "MONTHLY", "WEEKLY", "DAILY")):
        freq = RANDOM.choice(frequencies)
        parts = parts_of(freq, self.is_timed)
        has_interval = RANDOM.random() < 0.4
        return ";".join([f"FREQ={freq}", *([f"INTERVAL={RANDOM.randint(2, 5)}"] if has_interval else []), *parts])

    def _end(self, known):
        """A COUNT or an UNTIL for the first rule, the last instance included, or neither."""
        draw = RANDOM.random()
        if draw < 0.35:
            self.rules[0] += f";COUNT={RANDOM.randint(1, 60)}"
        elif draw < 0.7:
            self.rules[0] += f";UNTIL={self._stamp(RANDOM.choice(known))}"

    def _change(self, known):
        """Dates that are left out and dates that are added, in each of their forms."""
        suffix = "" if self.is_timed else ";VALUE=DATE"
        if RANDOM.random() < 0.35:
            chosen = RANDOM.sample(known, min(len(known), RANDOM.randint(1, 4)))
            if self.is_timed and RANDOM.random() < 0.5:
                stamps = ",".join(f"{one.astimezone(self.zone):%Y%m%dT%H%M%S}" for one in chosen)
                self.others.append(f"EXDATE;TZID={self.name}:{stamps}")
            else:
                self.others.append(f"EXDATE{suffix}:{','.join(map(self._stamp, chosen))}")
        if RANDOM.random() < 0.25:
            step = timedelta(days=RANDOM.randint(1, 40), hours=RANDOM.randint(0, 5) if self.is_timed else 0)
            added = [tz.resolve_imaginary(one + step) if self.is_timed else one + step for one in RANDOM.sample(known, 1)]
            self.others.append(f"RDATE{suffix}:{','.join(map(self._stamp, added))}")
        if RANDOM.random() < 0.05:
            self.others.append(f"EXRULE:FREQ=WEEKLY;BYDAY={RANDOM.choice(DAYS)}")

    def _stamp(self, start):
        return f"{start.astimezone(timezone.utc):%Y%m%dT%H%M%SZ}" if self.is_timed else f"{start:%Y%m%d}"

    def _starts(self):
        """Every start until the end of the window, as dateutil reads rules and dates."""
        rules = [rule and self._bounded(rule, self.until) for rule in map(self._counted, self.rules)]
        # dateutil takes no parameter of a date but TZID.
        lines = [*(f"RRULE:{rule}" for rule in rules if rule), *(line.replace(";VALUE=DATE", "") for line in self.others)]
        found = rrulestr("\n".join(lines), dtstart=self.start, forceset=True, tzids=tz.gettz) if lines else []
        if lines:
            found.rdate(self.start)
        starts = []
        for start in found or [self.start]:
            if start >= self.until:
                break
            # A time that the clock skips counts with the offset before the gap (RFC 5545 section 3.3.5), after another one perhaps.
            starts.append(tz.resolve_imaginary(start) if self.is_timed else start)
        return sorted(set(starts), key=self._stamp)

    def _bounded(self, rule, until):
        """The rule with an end: dateutil looks for the next instance of a sparse one until the year 9999, for seconds."""
        return rule if "UNTIL=" in rule else f"{rule};UNTIL={self._stamp(until)}"

    def _counted(self, rule):
        """The rule with a COUNT lower by one if the first start is no instance of the rule."""
        base, _, count = rule.partition(";COUNT=")
        if count == "" or next(iter(rrulestr(self._bounded(base, self.start), dtstart=self.start)), None) == self.start:
            return rule
        return None if count == "1" else f"{base};COUNT={int(count) - 1}"

    def expected(self):
        return [self._stamp(start) for start in self._starts()]

    def body(self):
        if not self.is_timed:
            day = {"date": f"{self.start:%Y-%m-%d}"}
            return {"start": day, "end": {"date": f"{self.start + timedelta(days=1):%Y-%m-%d}"}, "recurrence": self.lines}
        end = (self.start.astimezone(timezone.utc) + timedelta(minutes=20)).isoformat()
        begin = {"dateTime": f"{self.start:%Y-%m-%dT%H:%M:%S}", "timeZone": self.name}
        return {"start": begin, "end": {"dateTime": end, "timeZone": self.name}, "recurrence": self.lines}

    def window(self):
        stamp = lambda moment: moment.replace(tzinfo=moment.tzinfo or timezone.utc).isoformat()  # noqa: E731
        # The end is excluded, of whole days at the calendar's midnight.
        return {"timeMin": stamp(self.start - timedelta(days=2)), "timeMax": stamp(self.until)}

    def __str__(self):
        at = f"{self.start:%Y-%m-%dT%H:%M} {self.name}" if self.is_timed else f"{self.start:%Y-%m-%d}"
        return f"{at} {' '.join(self.lines)}"


def ask(method, path, body=None, query=None, token=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
    url = f"{SIMULATOR_URL}/{path}" + (f"?{urlencode(query)}" if query else "")
    data = None if body is None else json.dumps(body).encode()
    try:
        with urlopen(Request(url, data, headers, method=method)) as answer:
            text = answer.read()
    except HTTPError as error:
        raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from error
    return json.loads(text) if text else None


def listed(path, token, query):
    """Stamps of the instances of a list, from their starts, which their ids repeat."""
    stamps, page = [], None
    while page is None or "nextPageToken" in page:
        again = {} if page is None else {"pageToken": page["nextPageToken"]}
        page = ask("GET", path, query={**query, **again, "maxResults": 2500}, token=token)
        for event in page["items"]:
            start = event["start"]
            if "date" in start:
                stamp = start["date"].replace("-", "")
            else:
                stamp = f"{datetime.fromisoformat(start['dateTime']).astimezone(timezone.utc):%Y%m%dT%H%M%SZ}"
            assert event["id"].endswith(f"_{stamp}"), f"{event['id']} starts at {stamp}"
            stamps.append(stamp)
    return stamps


def difference(what, found, expected):
    if found == expected:
        return None
    missing, more = sorted(set(expected) - set(found)), sorted(set(found) - set(expected))
    return f"{what}: {len(found)} instead of {len(expected)}; missing {missing[:3]}, too many {more[:3]}"


def judge(series, token):
    expected = series.expected()
    event = ask("POST", EVENTS, body=series.body(), token=token)["id"]
    try:
        window = series.window()
        instances = listed(f"{EVENTS}/{quote(event)}/instances", token, window)
        singles = listed(EVENTS, token, {**window, "singleEvents": "true", "orderBy": "startTime"})
    finally:
        ask("DELETE", f"{EVENTS}/{quote(event)}", token=token)
    return len(expected), difference("instances", instances, expected) or difference("singleEvents", singles, expected)


def main():
    ask("POST", "__sim/reset", {})
    ask("POST", "__sim/seed", {"generated": False, "now": "2026-01-01T12:00:00Z"})
    token = ask("POST", "__sim/tokens", {"account": "first.user@example.com", "scopes": [SCOPE]})["access_token"]
    ask("PATCH", "calendar/v3/calendars/primary", {"timeZone": "UTC"}, token=token)
    for number in range(1, COUNT + 1):
        series, compared = Series(), 0
        try:
            compared, problem = judge(series, token)
        except AssertionError as error:
            problem = str(error)
        print(json.dumps({"check": f"{number}: {series}", "instances": compared, "problem": problem}), flush=True)


main()
