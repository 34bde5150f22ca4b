"""Answers: what arrived becomes data, or the error that says what went wrong."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import Any, Literal

import httpx

from ._requests import Outgoing
from .errors import (
    GatewayError,
    GatewayTimeoutError,
    IntegrationGatewayError,
    NetworkError,
    Problem,
    ProviderError,
    ReauthorizationRequiredError,
    UnexpectedAnswerError,
    WaitingApproval,
    diagnosis,
    records,
    request_too_large,
    text,
)

MAX_ERROR_BYTES = 256 * 1024
"""Bodies of errors are small; a page larger than this explains nothing more."""
# Marks every answer the gateway itself makes; Google's never have it.
_GATEWAY_ERROR_HEADER = "x-gateway-error"
# Repeats Google's Content-Length, which the gateway cannot keep on streamed answers.
_LENGTH_HEADER = "x-upstream-content-length"
# Failures of the gateway that leave open whether Google saw the request, where the answer does not say.
_OPEN_OUTCOME = {"upstream_unreachable", "upstream_invalid_response", "upstream_timeout", "internal_error"}
# Failures before a request leaves: nothing can have been applied.
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)
_JSON_TYPE = re.compile(r"application/([\w.+-]+\+)?json\b", re.IGNORECASE)


@dataclass(frozen=True)
class QuotaStanding:
    """What a call took of Google's quotas, and how full they were."""

    provider: str
    """Such as `google-drive`."""
    cost: int
    """Units, or requests where the Cloud project counts them."""
    minute: float | None
    """Share of the last minute that was taken before the call; 1 = all.

    Of the project or the user, whichever is fuller. It is at least so much.
    """
    day: float | None
    """Share of the Cloud project's day, as of the last count."""


# Read so far only as the gateway writes it: what is of another form says nothing.
_QUOTA = re.compile(r"([a-z-]+);cost=(\d+)(?:;minute=(\d+\.\d+))?(?:;day=(\d+\.\d+))?")


@dataclass(frozen=True)
class Answer:
    """An answer of Google's: 2xx, 304, or the 308 of an unfinished upload."""

    status: int
    headers: httpx.Headers
    content: bytes
    """The body as it is."""

    @cached_property
    def data(self) -> Any:
        """The body as its Content-Type says: parsed JSON, text, else bytes; None where it is empty."""
        if self.content == b"":
            return None
        media_type = self.headers.get("content-type", "")
        if _JSON_TYPE.match(media_type):
            return self.json()
        return self.text if media_type.lower().startswith("text/") else self.content

    @property
    def text(self) -> str:
        """The body as UTF-8."""
        return self.content.decode("utf-8", "replace")

    @property
    def quota(self) -> QuotaStanding | None:
        """How full Google's quotas are, of a call with a `priority`; None where the answer does not say."""
        found = _QUOTA.match(self.headers.get("x-gateway-quota", ""))
        if found is None:
            return None
        minute, day = (None if share is None else float(share) for share in found.group(3, 4))
        return QuotaStanding(found.group(1), int(found.group(2)), minute, day)

    def json(self) -> Any:
        """The body as JSON, whatever its Content-Type. Raises UnexpectedAnswerError where it is none."""
        try:
            return json.loads(self.content)
        except ValueError as error:
            raise UnexpectedAnswerError("The answer is not valid JSON; `text` shows it.") from error


def is_success(response: httpx.Response) -> bool:
    """Whether Google did what was asked."""
    # A 308 without Location is Google's "send more"; with one it is a redirect, which is not followed.
    unfinished = response.status_code == 308 and "location" not in response.headers
    return response.is_success or response.status_code == 304 or unfinished


@contextmanager
def translated(request: Outgoing, *, answered: bool) -> Iterator[None]:
    """Turns httpx's failures into this package's. `answered`: whether the head of the answer has arrived."""
    writes = not request.is_read
    try:
        yield
    except httpx.TimeoutException as error:
        applied = writes and not isinstance(error, _NEVER_SENT)
        message = f"The gateway said nothing for {request.timeout:g} s."
        raise GatewayTimeoutError(message, may_have_been_applied=applied) from error
    except (httpx.TransportError, httpx.StreamError, httpx.DecodingError) as error:
        if answered:
            raise NetworkError(f"The answer broke off ({error}).", may_have_been_applied=writes) from error
        origin = request.url.split("/proxy/", 1)[0]
        applied = writes and not isinstance(error, _NEVER_SENT)
        message = f"The gateway at {origin} did not answer ({error})."
        raise NetworkError(message, may_have_been_applied=applied) from error


def expected_length(response: httpx.Response) -> int | None:
    """Bytes of the body, where they arrive as Google counted them."""
    length = response.headers.get(_LENGTH_HEADER, "")
    encoding = response.headers.get("content-encoding", "identity")
    bodiless = response.request.method == "HEAD" or response.status_code in (204, 205, 304)
    return int(length) if re.fullmatch(r"\d{1,15}", length) and encoding == "identity" and not bodiless else None


def check_length(request: Outgoing, response: httpx.Response) -> None:
    """Raises NetworkError where a body ended before its end, without a sign of it."""
    expected = expected_length(response)
    received = response.num_bytes_downloaded
    if expected is not None and received != expected:
        message = f"The answer broke off after {received} of {expected} bytes."
        raise NetworkError(message, may_have_been_applied=not request.is_read)


def answer_error(request: Outgoing, response: httpx.Response, content: bytes) -> IntegrationGatewayError:
    """The error of a failed call to Google."""
    body = _parsed(content)
    code = response.headers.get(_GATEWAY_ERROR_HEADER)
    if code is not None:
        return _gateway_error(request, response, code, body)
    return (
        _front_door_error(response, body)
        or _no_stage_error(request, response, body)
        or _provider_error(request, response, body)
    )


def own_route_error(request: Outgoing, response: httpx.Response, content: bytes) -> IntegrationGatewayError:
    """The same for the gateway's own routes, which never pass on what Google says."""
    body = _parsed(content)
    code = response.headers.get(_GATEWAY_ERROR_HEADER)
    error = _front_door_error(response, body) if code is None else _gateway_error(request, response, code, body)
    address = request.url.partition("?")[0]
    stranger = UnexpectedAnswerError(
        f"{address} answered with status {response.status_code}, and not as the gateway does: something in front of it "
        "answered, or base_url is not its address.",
        status=response.status_code,
    )
    return error or _no_stage_error(request, response, body) or stranger


def own_route_answer(content: bytes) -> dict[str, Any]:
    """The JSON object of a route's answer, empty where it has no body. Raises UnexpectedAnswerError."""
    if content == b"":
        return {}
    value = _parsed(content)
    if isinstance(value, dict):
        return value
    raise UnexpectedAnswerError("The answer is not the gateway's JSON: is base_url its address?")


def _front_door_error(response: httpx.Response, body: Any) -> GatewayError | None:
    # API Gateway lets nobody mark or word what it says of a body over its own limit ("Amazon API Gateway important
    # notes"). Google says so with its envelope or a page.
    members = list(body) if isinstance(body, dict) else []
    if response.status_code == 413 and [member.lower() for member in members] == ["message"]:
        return request_too_large(_request_id(response))
    # Lambda's answer at a function URL while no process is free: the gateway has not seen the call.
    kind = response.headers.get("x-amzn-errortype", "")
    if response.status_code != 429 or "Message" not in members or not kind.startswith("TooManyRequests"):
        return None
    return GatewayError(
        "The gateway refused the call (rate_limited): no process of its proxy is free",
        code="rate_limited",
        status=429,
        request_id=_request_id(response),
        retry_after_sec=_retry_after_sec(response.headers) or 1,
        may_have_been_applied=False,
    )


def _no_stage_error(request: Outgoing, response: httpx.Response, body: Any) -> UnexpectedAnswerError | None:
    # API Gateway's answer to an address without a stage, or with one that is not there: no function sees the call.
    is_its_own = response.status_code == 403 and isinstance(body, dict) and list(body) == ["message"]
    kind = response.headers.get("x-amzn-errortype", "")
    if not is_its_own or re.match(r"(Forbidden|MissingAuthenticationToken)Exception", kind) is None:
        return None
    host = httpx.URL(request.url).host
    return UnexpectedAnswerError(
        f"Amazon API Gateway has nothing at {host} under this path: does base_url end in the stage, as in "
        "https://….execute-api.….amazonaws.com/v1?"
    )


def _gateway_error(request: Outgoing, response: httpx.Response, header_code: str, body: Any) -> GatewayError:
    envelope = body.get("error") if isinstance(body, dict) else None
    # The front door answers some requests before any function sees them, with a body of its own.
    message = text(envelope if isinstance(envelope, dict) else body, "message") or f"status {response.status_code}"
    fields: Mapping[str, Any] = envelope if isinstance(envelope, dict) else {}
    code = text(fields, "code") or header_code
    applied = _applied(fields)
    known = applied != "no" if applied is not None else code in _OPEN_OUTCOME
    found = fields.get("connection")
    connection = diagnosis(found) if isinstance(found, dict) else None
    dead = code == "reauthorization_required" and connection is not None
    kind = ReauthorizationRequiredError if dead else GatewayError
    return kind(
        f"The gateway refused the call ({code}): {message}",
        code=code,
        status=response.status_code,
        request_id=text(fields, "request_id") or _request_id(response),
        problems=[
            Problem(path=text(one, "path") or "", message=text(one, "message") or "")
            for one in records(fields.get("errors"))
        ],
        connection=connection,
        retry_after_sec=_retry_after_sec(response.headers),
        approval=_approval(fields.get("approval")),
        applied=applied,
        may_have_been_applied=not request.is_read and known,
    )


def _approval(found: Any) -> WaitingApproval | None:
    approval_id, url, expires_at = (text(found, name) for name in ("approval_id", "url", "expires_at"))
    if approval_id is None or url is None or expires_at is None:
        return None
    return WaitingApproval(id=approval_id, url=url, expires_at=expires_at)


def _applied(fields: Mapping[str, Any]) -> Literal["no", "unknown"] | None:
    # A word that is not known leaves the outcome open, as no answer would.
    value = text(fields, "applied")
    if value is None:
        return None
    return "no" if value == "no" else "unknown"


def _provider_error(request: Outgoing, response: httpx.Response, body: Any) -> ProviderError:
    error = body.get("error") if isinstance(body, dict) else None
    first = next(iter(records(error.get("errors"))), None) if isinstance(error, dict) else None
    reason = text(first, "reason") or text(error, "status")
    said = text(error, "message")
    detail = (f" ({reason})" if reason else "") + (f": {said}" if said else "")
    return ProviderError(
        f"Google answered {request.method} with status {response.status_code}{detail}",
        status=response.status_code,
        headers=response.headers,
        body=body,
        reason=reason,
        request_id=_request_id(response),
        retry_after_sec=_retry_after_sec(response.headers),
    )


def _request_id(response: httpx.Response) -> str | None:
    # The second is API Gateway's own, for answers that it gives by itself.
    found = response.headers.get("x-request-id") or response.headers.get("x-amzn-requestid")
    return str(found) if found else None


def _retry_after_sec(headers: httpx.Headers) -> int | None:
    """Seconds or an HTTP date (RFC 9110 section 10.2.3)."""
    value = headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}", value):
        return int(value)
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    moment = at if at.tzinfo is not None else at.replace(tzinfo=timezone.utc)
    return max(0, math.ceil((moment - datetime.now(timezone.utc)).total_seconds()))


def _parsed(content: bytes) -> Any:
    if content == b"":
        return None
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")
