"""Requests: what a call says becomes an address, headers and bytes, or is refused before anything is sent."""

from __future__ import annotations

import json as json_module
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import IO, Any, Literal, TypedDict
from urllib.parse import quote

import httpx

from ._aws import AwsCredentialsSource, Frozen, Signer, read_signer
from ._secret import SecretText
from .errors import MAX_BODY_BYTES, request_too_large

VERSION = "0.3.0"
# Google compresses only for callers whose User-Agent names gzip.
USER_AGENT = f"integration-gateway-client-python/{VERSION} (gzip)"
DEFAULT_TIMEOUT_SEC = 180.0
"""Longer than the 120 s the gateway waits for Google, so that the gateway's own answer arrives first."""

QueryValue = str | int | float | bool | date | datetime | None
"""One value of a query: None leaves the parameter out, dates become ISO 8601 and times UTC."""
QueryParams = str | Mapping[str, QueryValue | Sequence[QueryValue]] | Sequence[tuple[str, QueryValue]]
"""Query of a call: a text that is sent as written, pairs in order, or a mapping whose lists repeat their key."""
RequestData = str | bytes | bytearray | memoryview | IO[bytes]
"""Body that is sent as it is; a file is read to its end first, because the gateway needs to know its length."""


class CallOptions(TypedDict, total=False):
    """Arguments of every call to Google apart from its endpoint."""

    params: QueryParams | None
    headers: Mapping[str, str] | Sequence[tuple[str, str]] | None
    json: Any
    """Sent as JSON."""
    data: RequestData | None
    """Sent as it is; needs a `content-type` header."""
    retries: int | None
    """Repeats inside the gateway, 0 to 5; writes are repeated only where nothing was applied."""
    retry_on: Sequence[int] | None
    """Statuses that are repeated too, writes included."""
    priority: Literal["interactive", "background"] | None
    """`background` for a call that nobody waits for: it leaves Google's quotas to others, and is refused with
    `quota_reserved` where these need them."""
    timeout: float | None
    """Seconds that the gateway may say nothing; 0 waits without end."""


@dataclass(frozen=True)
class Settings:
    """Checked options of a client."""

    base_url: str
    """No trailing slash. Where calls are signed, what is signed goes below it."""
    proxy_url: str
    """Where proxied calls go; likewise."""
    open_url: str
    """Where requests with a token of their own go, which are never signed."""
    secret_key: SecretText | None
    """None where calls are signed."""
    signer: Signer | None
    timeout: float


@dataclass(frozen=True)
class ConnectionRef:
    """Which connection a call goes through."""

    provider_config_key: str
    """Id of the integration (`unique_key`)."""
    connection_id: str


@dataclass(frozen=True)
class Outgoing:
    """One request, ready to be sent."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    """Without the one that carries the secret."""
    bearer: SecretText | None
    content: bytes | None
    timeout: float
    signer: Signer | None = None
    """Signs requests instead of sending a secret."""

    @property
    def is_read(self) -> bool:
        """Whether the method changes nothing."""
        return self.method in ("GET", "HEAD")

    def credentials(self) -> Frozen | None:
        """What it is to be signed with; may ask AWS."""
        return None if self.signer is None else self.signer.credentials()

    def build(self, client: httpx.Client | httpx.AsyncClient, credentials: Frozen | None) -> httpx.Request:
        """The request as httpx sends it."""
        seconds = None if self.timeout == 0 else self.timeout
        request = client.build_request(
            self.method, self.url, headers=list(self.headers), content=self.content, timeout=seconds
        )
        # Only now: a failure in between would show its arguments.
        if self.bearer is not None:
            request.headers["authorization"] = f"Bearer {self.bearer.reveal()}"
        # httpx normalizes addresses; ids of calendars and files must arrive as they were written.
        target = self.url[self.url.index("/", self.url.index("://") + 3) :].encode("ascii")
        if request.url.raw_path != target:
            request.extensions["target"] = target
        if self.signer is not None and credentials is not None:
            self.signer.sign(request, credentials)
        return request


METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
_OWN_HEADERS = {
    "authorization": "the gateway sends the identity of the connection; the secret key is given to the client",
    "provider-config-key": "give provider_config_key instead",
    "connection-id": "give connection_id instead",
    "retries": "give retries instead",
    "retry-on": "give retry_on instead",
    "gateway-priority": "give priority instead",
}


def read_settings(
    base_url: str,
    secret_key: SecretText | None,
    timeout: float,
    allow_http: bool,
    proxy_url: str | None = None,
    aws_credentials: AwsCredentialsSource | None = None,
    aws_region: str | None = None,
) -> Settings:
    """Checks the options of a client. Raises ValueError that names the option and what to write instead."""
    open_url = read_base_url(base_url, allow_http)
    if aws_credentials is None:
        if secret_key is None:
            raise ValueError("secret_key is required, or aws_credentials of an IAM role that is registered.")
        if aws_region is not None:
            raise ValueError("aws_region goes with aws_credentials: leave it out.")
        return Settings(
            base_url=open_url,
            proxy_url=open_url if proxy_url is None else read_base_url(proxy_url, allow_http, "proxy_url"),
            open_url=open_url,
            secret_key=read_secret_key(secret_key),
            signer=None,
            timeout=read_timeout(timeout),
        )
    if secret_key is not None:
        raise ValueError("Give secret_key or aws_credentials, not both.")
    if proxy_url is not None:
        raise ValueError("proxy_url takes secret keys only: leave it out, and roles call by base_url.")
    signed_url = f"{open_url}/iam"
    return Settings(
        base_url=signed_url,
        proxy_url=signed_url,
        open_url=open_url,
        secret_key=None,
        signer=read_signer(aws_credentials, aws_region, open_url),
        timeout=read_timeout(timeout),
    )


def read_base_url(base_url: str, allow_http: bool = False, name: str = "base_url") -> str:
    """Checks an address and cuts trailing slashes."""
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError):
        url = httpx.URL()
    if url.scheme not in ("https", "http") or url.host == "":
        raise ValueError(f"{name} must be the address of the gateway, such as https://gateway.example.com/v1")
    if url.query != b"" or url.fragment != "" or url.userinfo != b"":
        raise ValueError(f"{name} must have no query, fragment, user name or password.")
    if url.scheme == "http" and not allow_http and not _is_loopback(url.host):
        raise ValueError(
            f"{name} begins with http://, so everyone on the way could read the secret key. Write https://, or "
            "allow_http=True where the network is yours alone."
        )
    return str(url).rstrip("/")


def _is_loopback(host: str) -> bool:
    """Whether a name or address is this computer itself (RFC 6761 section 6.3, RFC 5735, RFC 4291 section 2.5.3)."""
    name = host.lower().removesuffix(".")
    is_name = name == "localhost" or name.endswith(".localhost")
    return is_name or name == "::1" or re.fullmatch(r"127(\.\d{1,3}){3}", name) is not None


def read_secret_key(secret_key: SecretText, name: str = "secret_key") -> SecretText:
    """Checks that a key can stand in a header; the message does not repeat it."""
    if not isinstance(secret_key.reveal(), str) or re.fullmatch(r"[\x21-\x7e]+", secret_key.reveal()) is None:
        raise ValueError(f"{name} must be the key as it was shown: visible ASCII characters without spaces.")
    return secret_key


def read_timeout(timeout: float) -> float:
    """Checks a time limit in seconds."""
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 <= timeout < float("inf"):
        raise ValueError("timeout must be a number of seconds; 0 waits without end.")
    return float(timeout)


def read_ref(provider_config_key: str, connection_id: str) -> ConnectionRef:
    """Checks which connection is meant."""
    for name, value in (("provider_config_key", provider_config_key), ("connection_id", connection_id)):
        if not isinstance(value, str) or re.fullmatch(r"[\x20-\x7e]+", value) is None or value.strip() != value:
            raise ValueError(f"{name} is required: letters, digits and a few signs, as the gateway knows it.")
    return ConnectionRef(provider_config_key, connection_id)


def proxied_call(
    settings: Settings,
    ref: ConnectionRef,
    method: str,
    endpoint: str,
    *,
    params: QueryParams | None = None,
    headers: Mapping[str, str] | Sequence[tuple[str, str]] | None = None,
    json: Any = None,
    data: RequestData | None = None,
    retries: int | None = None,
    retry_on: Sequence[int] | None = None,
    priority: str | None = None,
    timeout: float | None = None,
) -> Outgoing:
    """A call to Google. Raises TypeError or ValueError for what cannot be sent as written."""
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}.")
    own = _caller_headers(headers)
    given_type = next((value for name, value in own if name.lower() == "content-type"), None)
    content = _body(method, json, data, given_type)
    if json is not None and given_type is None:
        own.append(("content-type", "application/json"))
    _add_agent(own)
    own.append(("provider-config-key", ref.provider_config_key))
    own.append(("connection-id", ref.connection_id))
    _add_retries(own, retries, retry_on)
    if priority is not None:
        if priority not in ("interactive", "background"):
            raise ValueError("priority must be interactive or background.")
        own.append(("gateway-priority", priority))
    return Outgoing(
        method=method,
        url=proxy_url(settings.proxy_url, endpoint, params, settings.base_url),
        headers=tuple(own),
        bearer=settings.secret_key,
        content=content,
        timeout=settings.timeout if timeout is None else read_timeout(timeout),
        signer=settings.signer,
    )


def own_route(
    settings: Settings,
    method: str,
    path: str,
    query: str,
    body: Mapping[str, Any] | None,
    bearer: SecretText | None,
    idempotency_key: str | None = None,
) -> Outgoing:
    """A request to one of the gateway's own routes; `path` is encoded."""
    headers: list[tuple[str, str]] = [("accept", "application/json")]
    if idempotency_key is not None:
        headers.append(("idempotency-key", _quoted(idempotency_key)))
    if body is not None:
        headers.append(("content-type", "application/json"))
    _add_agent(headers)
    return Outgoing(
        method=method,
        url=f"{settings.base_url if bearer is None else settings.open_url}{path}{'?' if query else ''}{query}",
        headers=tuple(headers),
        bearer=settings.secret_key if bearer is None else read_secret_key(bearer, "session_token"),
        content=None if body is None else json_bytes(body),
        timeout=settings.timeout,
        signer=settings.signer if bearer is None else None,
    )


def _quoted(key: str) -> str:
    """A key as the header has it (RFC 8941 section 3.3.3)."""
    if not isinstance(key, str) or re.fullmatch(r"[\x20-\x7e]{1,255}", key) is None:
        raise ValueError("idempotency_key must be 1 to 255 visible ASCII characters, such as a UUID.")
    escaped = re.sub(r'(["\\])', r"\\\1", key)
    return f'"{escaped}"'


def proxy_url(base_url: str, endpoint: str, params: QueryParams | None = None, other_url: str | None = None) -> str:
    """Address of a proxied call; `other_url` is the gateway's other address, below which an endpoint may lie as well.

    Percent-encoding of the endpoint is kept byte for byte, because ids of calendars and files hold encoded `#`, `@` and
    `/`; spaces and other characters that no address may hold are encoded.
    """
    if not isinstance(endpoint, str):
        raise TypeError("endpoint must be a text, the path at Google, such as /drive/v3/files.")
    base = f"{base_url}/proxy/"
    named = next((one for one in (base, f"{other_url or base_url}/proxy/") if endpoint.startswith(one)), None)
    target = endpoint.removeprefix("/") if named is None else endpoint[len(named) :]
    if target.startswith("proxy/") and named is None:
        _refuse("it begins with /proxy, which the client puts before it: leave that out")
    _check_target(target, is_whole_address=re.match(r"[a-z][a-z0-9+.-]*://", target, re.IGNORECASE) is not None)
    path, _, query = target.partition("?")
    queries = "&".join(part for part in (query, query_text(params)) if part != "")
    if re.search(r"[#\\]", queries):
        _refuse("its query holds a raw # or \\; write %23 or %5C")
    # The gateway's front door refuses a raw | there ("Amazon API Gateway important notes").
    tail = f"?{_encoded(queries).replace('|', '%7C')}" if queries else ""
    return f"{base}{_encoded(path)}{tail}"


def query_text(params: QueryParams | None) -> str:
    """The query without its `?`; empty when there is none."""
    if params is None:
        return ""
    if isinstance(params, str):
        return params.removeprefix("?")
    entries: Iterable[tuple[str, Any]] = params.items() if isinstance(params, Mapping) else params
    pairs: list[str] = []
    for key, given in entries:
        for value in given if isinstance(given, list | tuple | set | frozenset) else (given,):
            if value is not None:
                pairs.append(f"{_component(key)}={_component(_value_text(key, value))}")
    return "&".join(pairs)


def json_bytes(value: Any) -> bytes:
    """A value as JSON in UTF-8. Raises TypeError for what JSON cannot say, NaN included."""
    try:
        return json_module.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (ValueError, TypeError) as error:
        raise TypeError(f"json cannot be written as JSON: {error}") from error


def segment(value: str) -> str:
    """A variable part of a path, encoded. Raises ValueError for one that is empty or only dots."""
    # Anyone who reads an address resolves dot segments however they are written.
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError("An id is empty or only dots.")
    return quote(value, safe="")


def _caller_headers(given: Mapping[str, str] | Sequence[tuple[str, str]] | None) -> list[tuple[str, str]]:
    pairs = list(given.items()) if isinstance(given, Mapping) else list(given or ())
    for name, _ in pairs:
        instead = _OWN_HEADERS.get(name.lower())
        if instead is not None:
            raise ValueError(f"headers[{name!r}]: {instead}.")
    return pairs


def _add_agent(headers: list[tuple[str, str]]) -> None:
    names = {name.lower() for name, _ in headers}
    if "user-agent" not in names:
        headers.append(("user-agent", USER_AGENT))
    if "accept" not in names:
        headers.append(("accept", "*/*"))


def _add_retries(headers: list[tuple[str, str]], retries: int | None, retry_on: Sequence[int] | None) -> None:
    if retries is not None:
        if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= 5:
            raise ValueError("retries must be a whole number from 0 to 5.")
        headers.append(("retries", str(retries)))
    if not retry_on:
        return
    if not all(isinstance(status, int) and 100 <= status <= 599 for status in retry_on):
        raise ValueError("retry_on must be a list of HTTP statuses, such as [429, 503].")
    headers.append(("retry-on", ",".join(str(status) for status in retry_on)))


def _body(method: str, json: Any, data: RequestData | None, given_type: str | None) -> bytes | None:
    if json is None and data is None:
        return None
    if json is not None and data is not None:
        raise TypeError("Give json or data, not both.")
    if method in ("GET", "HEAD"):
        raise TypeError(f"A {method} call carries no body: use params for its query.")
    if json is not None:
        return json_bytes(json)
    content = _bytes_of(data)
    if not given_type:
        raise TypeError("Say what data holds with headers={'content-type': '...'}. To send JSON, use json.")
    return content


def _bytes_of(data: Any) -> bytes:
    if isinstance(data, str):
        return data.encode()
    if isinstance(data, bytes | bytearray | memoryview):
        return bytes(data)
    read = getattr(data, "read", None)
    if read is None:
        raise TypeError("data must be text, bytes or a file opened for reading bytes. For JSON, use json.")
    content = read(MAX_BODY_BYTES + 1)
    if not isinstance(content, bytes):
        raise TypeError("data is a file that yields text: open it with 'rb'.")
    if len(content) > MAX_BODY_BYTES:
        raise request_too_large(None)
    return content


def _check_target(target: str, *, is_whole_address: bool) -> None:
    if target == "":
        _refuse("it is empty")
    if is_whole_address:
        _refuse("it is a full address; leave out what stands before the path")
    if "#" in target:
        _refuse("it holds a raw #, where addresses end; write %23")
    if "\\" in target:
        _refuse("it holds a backslash; write %5C")
    if re.search(r"[\x00-\x1f\x7f]", target):
        _refuse("it contains control characters")
    if re.search(r"[\ud800-\udfff]", target):
        _refuse("it holds half a character (a lone surrogate)")
    if re.search(r"%(?![0-9a-fA-F]{2})", target):
        _refuse("it holds a % without two hex digits; write %25")
    if has_dot_segment(target):
        _refuse("it contains a dot segment")


def has_dot_segment(address: str) -> bool:
    """Whether the path of an address has a segment of dots, which readers resolve to another resource."""
    path = re.split(r"[?#]", address, maxsplit=1)[0]
    return any(re.fullmatch(r"(\.|%2e){1,2}", part, re.IGNORECASE) for part in path.split("/"))


def _refuse(why: str) -> None:
    raise ValueError(f"endpoint must be a path such as /drive/v3/files, but {why}.")


def _encoded(text: str) -> str:
    return re.sub(r'[^\x21-\x7e]|["<>^`{}]', lambda found: quote(found.group(), safe=""), text)


def _component(text: str) -> str:
    # Lone surrogates, which no address can hold, become the replacement character.
    return quote(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), safe="!*()~")


def _value_text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"params[{key!r}] is a time without a time zone: add one, such as timezone.utc.")
        text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str | int | float):
        return str(value)
    raise TypeError(f"params[{key!r}] must be text, a number, True, False, a date or a list of these.")


def cookieless() -> CookieJar:
    """A jar that keeps nothing: a cookie of one user's answer must not go along with another's call."""
    return CookieJar(policy=DefaultCookiePolicy(allowed_domains=[]))
