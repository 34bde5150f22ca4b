"""Webhooks, judged by the reference library of Standard Webhooks."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from integration_gateway import WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"a secret of 24 bytes long").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret of 24 long").decode()
BODY = '{"type":"connection.created","data":{"connection_id":"ü"}}'
NOW = 1_800_000_000


def headers(secret: str = SECRET, body: str = BODY, at: int = NOW) -> dict[str, str]:
    """As the reference library signs them."""
    moment = datetime.fromtimestamp(at, tz=timezone.utc)
    signature = Webhook(secret).sign("msg_1", moment, body)
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signature}


def test_a_genuine_webhook_is_read() -> None:
    event = {"type": "connection.created", "data": {"connection_id": "ü"}}
    assert verify_webhook(BODY.encode(), headers(), SECRET, now_sec=NOW) == event
    assert verify_webhook(BODY, headers(), SECRET.removeprefix("whsec_"), now_sec=NOW + 300) == event


def test_the_reference_library_signs_as_the_gateway_does() -> None:
    """WH-10: a message that the gateway signed with two secrets; a test of the gateway keeps the file up to date."""
    signed = json.loads((Path(__file__).parent / "signed-message.json").read_text("utf-8"))
    given = signed["headers"]
    moment = datetime.fromtimestamp(int(given["webhook-timestamp"]), tz=timezone.utc)
    expected = [Webhook(secret).sign(given["webhook-id"], moment, signed["body"]) for secret in signed["secrets"]]
    assert given["webhook-signature"].split(" ") == expected
    for secret in signed["secrets"]:
        event = verify_webhook(signed["body"], given, secret, now_sec=int(given["webhook-timestamp"]))
        assert event["type"] == "ConnectionCreated"
        assert event["data"]["connection_id"] == "ü"


def test_two_secrets_and_several_signatures_allow_a_rotation() -> None:
    both = headers()
    both["Webhook-Signature"] = f"v2,abc {headers(OTHER)['Webhook-Signature']} {both['Webhook-Signature']}"
    assert verify_webhook(BODY, both, SECRET, now_sec=NOW)
    assert verify_webhook(BODY, headers(OTHER), [SECRET, OTHER], now_sec=NOW)


@pytest.mark.parametrize(
    ("body", "given", "now", "why"),
    [
        (BODY + " ", headers(), NOW, "No signature"),
        (BODY, headers(OTHER), NOW, "No signature"),
        (BODY, {**headers(), "Webhook-Id": "msg_2"}, NOW, "No signature"),
        (BODY, {**headers(), "Webhook-Timestamp": str(NOW + 1)}, NOW, "No signature"),
        (
            BODY,
            {**headers(), "Webhook-Signature": headers()["Webhook-Signature"].replace("v1,", "v2,")},
            NOW,
            "No signature",
        ),
        (BODY, {**headers(), "Webhook-Signature": "v1,"}, NOW, "No signature"),
        (BODY, headers(), NOW + 301, "300 s"),
        (BODY, headers(), NOW - 301, "300 s"),
        (BODY, {**headers(), "Webhook-Timestamp": "soon"}, NOW, "number of seconds"),
        (BODY, {}, NOW, "no header webhook-id"),
    ],
)
def test_every_other_webhook_is_refused(body: str, given: dict[str, str], now: int, why: str) -> None:
    with pytest.raises(WebhookVerificationError, match=why):
        verify_webhook(body, given, SECRET, now_sec=now)


MALFORMED: list[Any] = ["", "\ud800", "ü", b"v1,x", ["a", "b"], None, 7, "v1,\ud800", "v1,\uff11"]


@pytest.mark.parametrize("name", ["Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"])
@pytest.mark.parametrize("value", MALFORMED)
def test_a_malformed_header_is_a_webhook_that_is_refused(name: str, value: Any) -> None:
    """WH-18: whatever a framework hands on for what a sender wrote."""
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, {**headers(), name: value}, SECRET, now_sec=NOW)
    with pytest.raises(WebhookVerificationError):
        verify_webhook(BODY, {**headers(), name.lower(): value}, SECRET, now_sec=NOW)


def test_names_that_are_none_and_halves_of_characters_are_refused_or_ignored() -> None:
    """WH-18: other headers next to the three, and a body that cannot be encoded."""
    unusual: Any = {b"x": "1", None: "2", **headers()}
    assert verify_webhook(BODY, unusual, SECRET, now_sec=NOW)
    with pytest.raises(WebhookVerificationError, match="Unicode"):
        verify_webhook("\ud800", headers(), SECRET, now_sec=NOW)


SHORT = "whsec_" + base64.b64encode(b"fifteen bytes!!").decode()


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_not base64!", [], SHORT, [SECRET, SHORT], "whsec_\ud800"])
def test_a_secret_that_is_none_is_an_error_of_the_caller(secret: str | list[str]) -> None:
    with pytest.raises(ValueError, match="secret") as caught:
        verify_webhook(BODY, headers(), secret, now_sec=NOW)
    assert not isinstance(caught.value, WebhookVerificationError)
