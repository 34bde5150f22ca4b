"""Webhooks of the gateway: whether one is genuine (the Standard Webhooks specification, "Signature scheme")."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence

from .errors import WebhookVerificationError
from .wire import WebhookEvent

_TOLERANCE_SEC = 300
# Shorter ones can be guessed; the gateway makes 32 bytes (Standard Webhooks, "Signature scheme").
_SECRET_MIN_BYTES = 16


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_sec: int = _TOLERANCE_SEC,
    now_sec: float | None = None,
) -> WebhookEvent:
    """The content of a webhook, parsed, after it was shown to come from the gateway, unchanged and just now.

    Its `type` names the member of `wire.WebhookEvent`; a newer gateway may send others. A webhook can arrive
    twice: take `webhook-id` of its headers as its identity.

    Args:
        body: As it arrived, byte for byte: JSON that was parsed and written again has another signature.
        headers: Of the request, whatever the case of their names.
        secret: As it was shown, beginning with `whsec_`; several while one replaces the other.
        tolerance_sec: How many seconds old a webhook may be, and how far ahead its clock.
        now_sec: Seconds since 1970; the clock's unless given.

    Raises WebhookVerificationError for a webhook that is not to be trusted, ValueError for a secret that cannot be one.
    """
    content = _content(body)
    given = _named(headers)
    webhook_id = _header(given, "webhook-id")
    timestamp = _header(given, "webhook-timestamp")
    signatures = _header(given, "webhook-signature")
    keys = [_key(one) for one in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("Give at least one secret.")
    if "." in webhook_id:
        raise WebhookVerificationError("webhook-id holds a dot, which none of the gateway's does.")
    _check_time(timestamp, tolerance_sec, time.time() if now_sec is None else now_sec)
    signed = f"{webhook_id}.{timestamp}.".encode() + content
    expected = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()) for key in keys]
    found = [part[3:].encode() for part in signatures.split(" ") if part.startswith("v1,")]
    # Every pair is compared, each in constant time.
    if not any([hmac.compare_digest(one, other) for one in expected for other in found]):  # noqa: C419
        raise WebhookVerificationError(
            "No signature of this webhook fits: another secret signed it, or it was changed."
        )
    try:
        event: WebhookEvent = json.loads(content)
        return event
    except ValueError as error:
        raise WebhookVerificationError("The webhook's body is not valid JSON.") from error


def _content(body: bytes | str) -> bytes:
    try:
        return body.encode() if isinstance(body, str) else bytes(body)
    except UnicodeEncodeError as error:
        raise WebhookVerificationError("The webhook's body is not valid Unicode.") from error


def _named(headers: Mapping[str, str]) -> dict[str, object]:
    """Headers by their names in small letters; two of the three with one name are none."""
    given: dict[str, object] = {}
    for name, value in headers.items():
        key = name.lower() if isinstance(name, str) else None
        if key is not None:
            given[key] = None if key in given else value
    return given


def _header(headers: Mapping[str, object], name: str) -> str:
    value = headers.get(name)
    # Frameworks hand on what a sender wrote: bytes, lists, half characters. None of it is one of the gateway's.
    if not isinstance(value, str) or not value or not value.isascii():
        raise WebhookVerificationError(
            f"The request has no header {name} of visible ASCII, or several: it is not one of the gateway's webhooks."
        )
    return value


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (AttributeError, TypeError, binascii.Error, ValueError):
        key = b""
    if len(key) < _SECRET_MIN_BYTES:
        raise ValueError("secret must be the webhook's secret as it was shown, beginning with whsec_.")
    return key


def _check_time(timestamp: str, tolerance_sec: int, now_sec: float) -> None:
    if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 12:
        raise WebhookVerificationError("webhook-timestamp is not a number of seconds.")
    if abs(now_sec - int(timestamp)) > tolerance_sec:
        raise WebhookVerificationError(
            f"The webhook is from more than {tolerance_sec} s away: it was sent again by somebody, or a clock is wrong."
        )
