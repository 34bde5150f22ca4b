"""Signature Version 4 for a gateway whose callers are IAM roles. IAM User Guide, "Create a signed AWS API request"."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Protocol, runtime_checkable
from urllib.parse import quote, unquote_to_bytes

import httpx

from ._secret import SecretText

_ALGORITHM = "AWS4-HMAC-SHA256"
# Headers that say what is asked for. Others may be added or changed on the way.
_SIGNED = frozenset(
    {"host", "content-type", "provider-config-key", "connection-id", "idempotency-key", "x-http-method-override"}
)
_REGION = re.compile(r"[^.]+\.execute-api\.([a-z0-9-]+)\.amazonaws\.com(?:\.cn)?")


class AwsCredentials(Protocol):
    """AWS credentials of one moment, in the words of botocore: its ReadOnlyCredentials are such."""

    @property
    def access_key(self) -> str:
        """Id of the access key."""

    @property
    def secret_key(self) -> str:
        """Secret of the access key."""

    @property
    def token(self) -> str | None:
        """Token of a role's session; only users have none."""


@runtime_checkable
class BotocoreCredentials(Protocol):
    """What `boto3.Session().get_credentials()` returns: it renews what it gives."""

    def get_frozen_credentials(self) -> AwsCredentials:
        """The credentials of this moment."""


AwsCredentialsSource = BotocoreCredentials | Callable[[], AwsCredentials]
"""Where the credentials of each request come from: botocore's, or a function that returns them."""


@dataclass(frozen=True)
class Frozen:
    """Credentials of one request, whose secrets do not show themselves."""

    access_key: str
    secret_key: SecretText
    token: SecretText | None


@dataclass(frozen=True)
class Signer:
    """Who signs, and for which region."""

    source: AwsCredentialsSource
    region: str

    def credentials(self) -> Frozen:
        """Those of this moment; may ask AWS. Raises what the source raises, and ValueError for what is none."""
        source = self.source
        given = source.get_frozen_credentials() if isinstance(source, BotocoreCredentials) else source()
        access_key = getattr(given, "access_key", None)
        secret = SecretText(getattr(given, "secret_key", None) or "")
        token = None if not getattr(given, "token", None) else SecretText(given.token or "")
        # A traceback with local variables shows it.
        del given
        texts = [SecretText(access_key or ""), secret, *([] if token is None else [token])]
        if not all(isinstance(one.reveal(), str) and re.fullmatch(r"[\x21-\x7e]+", one.reveal()) for one in texts):
            raise ValueError(
                "aws_credentials gave no credentials: an object with access_key, secret_key and, for a role, token."
            )
        return Frozen(str(access_key), secret, token)

    def sign(self, request: httpx.Request, credentials: Frozen) -> None:
        """Adds the signature to a request whose body is bytes."""
        target = request.extensions.get("target", request.url.raw_path)
        path, mark, query = bytes(target).partition(b"?")
        # Signers disagree on what a raw plus is. To the gateway it is a space.
        query = query.replace(b"+", b"%20")
        if path + mark + query != target:
            request.extensions["target"] = path + mark + query
        date = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        request.headers["x-amz-date"] = date
        if credentials.token is not None:
            request.headers["x-amz-security-token"] = credentials.token.reveal()
        names = sorted({name.lower() for name in request.headers if _is_signed(name.lower())})
        canonical = "\n".join(
            [
                request.method,
                _canonical_path(path),
                _canonical_query(query),
                *(f"{name}:{re.sub(' +', ' ', request.headers[name].strip())}" for name in names),
                "",
                ";".join(names),
                hashlib.sha256(request.content).hexdigest(),
            ]
        )
        scope = [date[:8], self.region, "execute-api", "aws4_request"]
        text = "\n".join([_ALGORITHM, date, "/".join(scope), hashlib.sha256(canonical.encode()).hexdigest()])
        request.headers["authorization"] = (
            f"{_ALGORITHM} Credential={credentials.access_key}/{'/'.join(scope)}, SignedHeaders={';'.join(names)}, "
            f"Signature={_signature(credentials.secret_key, scope, text)}"
        )


def read_signer(source: AwsCredentialsSource, region: str | None, base_url: str) -> Signer:
    """Checks how a client signs. Raises ValueError that says what to write instead."""
    if not isinstance(source, BotocoreCredentials) and not callable(source):
        raise ValueError(
            "aws_credentials must be what boto3.Session().get_credentials() returns, or a function that returns an "
            "object with access_key, secret_key and token."
        )
    found = _REGION.fullmatch(httpx.URL(base_url).host)
    if region is None and found is None:
        raise ValueError(
            "aws_region is required, because base_url does not name it: the region of the gateway, such as "
            "eu-central-1."
        )
    return Signer(source, region or (found.group(1) if found is not None else ""))


def _is_signed(name: str) -> bool:
    return name in _SIGNED or name.startswith("x-amz-")


def _canonical_path(path: bytes) -> str:
    """Without empty segments, and encoded once more than it is sent."""
    segments = [part for part in path.decode("ascii").split("/") if part != ""]
    end = "/" if segments and path.endswith(b"/") else ""
    return "/" + "/".join(quote(part, safe="-._~") for part in segments) + end


def _canonical_query(query: bytes) -> str:
    pairs = []
    for pair in query.decode("ascii").split("&"):
        if pair != "":
            name, _, value = pair.partition("=")
            pairs.append((_encoded(name), _encoded(value)))
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))


def _encoded(text: str) -> str:
    return quote(unquote_to_bytes(text), safe="-._~")


def _signature(secret_key: SecretText, scope: list[str], text: str) -> str:
    key = hmac.digest(b"AWS4" + secret_key.reveal().encode("ascii"), scope[0].encode("ascii"), "sha256")
    for part in scope[1:]:
        key = hmac.digest(key, part.encode("ascii"), "sha256")
    return hmac.digest(key, text.encode("ascii"), "sha256").hex()
