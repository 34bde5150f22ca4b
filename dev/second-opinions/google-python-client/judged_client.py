"""Google's client over the simulator, every answer judged by the discovery document that the client itself carries."""

import json
import os
import re
from urllib.request import Request, urlopen

from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.discovery_cache import get_static_doc
from googleapiclient.errors import HttpError
from googleapiclient.http import HttpRequest

SIMULATOR_URL = os.environ["SIMULATOR_URL"]
PLAIN = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}
TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})")


def control(path, body):
    data = json.dumps(body).encode()
    with urlopen(Request(f"{SIMULATOR_URL}/__sim/{path}", data, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def problems_of(schemas, schema, value, place):
    """What is wrong with a value: members that the schema does not have, and values of another type."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"]]
    kind = schema.get("type")
    if kind == "object":
        if not isinstance(value, dict):
            return [f"{place} is no object"]
        members, others = schema.get("properties", {}), schema.get("additionalProperties")
        found = []
        for name, member in value.items():
            inner = members.get(name, others)
            found += [f"{place}.{name} is no member"] if inner is None else problems_of(schemas, inner, member, f"{place}.{name}")
        return found
    if kind == "array":
        if not isinstance(value, list):
            return [f"{place} is no list"]
        return [one for index, entry in enumerate(value) for one in problems_of(schemas, schema["items"], entry, f"{place}[{index}]")]
    if kind in PLAIN:
        is_fit = isinstance(value, PLAIN[kind]) and (kind == "boolean" or not isinstance(value, bool))
        if is_fit and schema.get("format") == "date-time":
            is_fit = TIME.fullmatch(value) is not None
        if is_fit and "enum" in schema:
            is_fit = value in schema["enum"]
        return [] if is_fit else [f"{place} is no {schema.get('format', kind)}: {value!r}"]
    return []


def methods_of(resources):
    for resource in resources.values():
        yield from resource.get("methods", {}).values()
        yield from methods_of(resource.get("resources", {}))


class Judge:
    """Counts the calls of one API and keeps what is wrong with their answers."""

    def __init__(self, name):
        document = json.loads(get_static_doc(name, "v3"))
        self.name, self.calls, self.problems = name, 0, []
        self._schemas = document["schemas"]
        self._methods = {method["id"]: method for method in methods_of(document["resources"])}

    def client(self, account):
        judge = self

        class JudgedRequest(HttpRequest):
            def execute(self, *args, **kwargs):
                judge.calls += 1
                answer = super().execute(*args, **kwargs)
                schema = judge._methods[self.methodId].get("response")
                if schema is not None and isinstance(answer, dict):
                    judge.problems += problems_of(judge._schemas, schema, answer, self.methodId)
                return answer

        token = control("tokens", {"account": account})["access_token"]
        return build(
            self.name,
            "v3",
            credentials=Credentials(token),
            client_options={"api_endpoint": f"{SIMULATOR_URL}/{self.name}/v3/"},
            static_discovery=True,
            requestBuilder=JudgedRequest,
        )


def refusal(request):
    """Status and reason of a call that must fail."""
    try:
        request.execute()
    except HttpError as error:
        return error.resp.status, error.error_details[0]["reason"]
    raise AssertionError("the call was not refused")


def tell(judge, least_calls, chapters):
    """Runs the chapters of a story, then judges it as a whole; prints one JSON line for each."""

    def whole():
        assert judge.calls >= least_calls, f"{judge.calls} calls instead of {least_calls}"
        assert judge.problems == [], "\n".join(judge.problems[:20])

    for chapter in [*chapters, whole]:
        try:
            chapter()
            problem = None
        except Exception as error:  # noqa: BLE001: every failure of a chapter is its result
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps({"check": f"{judge.name}: {chapter.__name__.replace('_', ' ')}", "problem": problem}))
