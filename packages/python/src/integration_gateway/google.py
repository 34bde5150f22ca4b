"""Google's own client (google-api-python-client) through the gateway."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import httpx

from ._requests import DEFAULT_TIMEOUT_SEC, USER_AGENT, cookieless, has_dot_segment, read_ref, read_settings
from ._secret import SecretText
from ._uploads import CHUNK_UNIT_BYTES, DEFAULT_CHUNK_BYTES
from .errors import MAX_BODY_BYTES, GatewayTimeoutError, NetworkError

if TYPE_CHECKING:
    import httplib2

    from ._aws import AwsCredentialsSource

# The only hosts whose requests are redirected: where the clients of Drive, Calendar and Drive Activity send theirs.
_API_HOSTS = frozenset({"www.googleapis.com", "driveactivity.googleapis.com"})
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class GoogleTransport:
    """What google-api-python-client takes as `http`: it speaks to the gateway, and to nobody else."""

    def __init__(
        self,
        base_url: str,
        secret_key: SecretText | None,
        provider_config_key: str,
        connection_id: str,
        timeout: float,
        allow_http: bool = False,
        proxy_url: str | None = None,
        aws_credentials: AwsCredentialsSource | None = None,
        aws_region: str | None = None,
    ) -> None:
        settings = read_settings(base_url, secret_key, timeout, allow_http, proxy_url, aws_credentials, aws_region)
        ref = read_ref(provider_config_key, connection_id)
        self._base = httpx.URL(settings.proxy_url)
        self._identity = {
            "provider-config-key": ref.provider_config_key,
            "connection-id": ref.connection_id,
        }
        self._bearer = settings.secret_key
        self._signer = settings.signer
        self._timeout = settings.timeout
        self._http = httpx.Client(
            cookies=cookieless(), follow_redirects=False, timeout=None if settings.timeout == 0 else settings.timeout
        )
        # Google's client takes 308 out of these; none is followed, because the secret key would go along.
        self.redirect_codes: frozenset[int] = frozenset()
        self.follow_redirects = False
        self.timeout = settings.timeout

    def __repr__(self) -> str:
        # A transport whose options were refused is shown, too, by tracebacks.
        base = getattr(self, "_base", None)
        return f"GoogleTransport({None if base is None else str(base)!r})"

    def request(
        self,
        uri: str,
        method: str = "GET",
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        redirections: int = 0,
        connection_type: Any = None,
    ) -> tuple[httplib2.Response, bytes]:
        """One request, as httplib2.Http makes it. Raises ValueError for a target that is not to get the secret key."""
        url = self._target(uri)
        given = {name.lower(): value for name, value in (headers or {}).items()}
        # Google compresses only for callers whose User-Agent names gzip.
        agent = given.get("user-agent", "")
        given["user-agent"] = f"{agent} {USER_AGENT}".strip()
        found = _CONTENT_RANGE.fullmatch(given.get("content-range", ""))
        if found is not None and method == "PUT":
            return self._send_chunk(url, body, given, int(found.group(1)), int(found.group(2)) + 1, found.group(3))
        content = _read(body, MAX_BODY_BYTES + 1)
        if content is not None and len(content) > MAX_BODY_BYTES:
            return _too_large()
        return self._send(url, method, content, given)

    def close(self) -> None:
        """Closes the connections to the gateway."""
        self._http.close()

    def _target(self, uri: str) -> httpx.URL:
        # Of the address as it was given: httpx resolves plain dots itself.
        if has_dot_segment(uri):
            raise ValueError("The address contains a dot segment: nothing was sent.")
        url = httpx.URL(uri)
        stage = self._base.raw_path.rstrip(b"/")
        if url.scheme == "https" and url.host in _API_HOSTS and url.port is None:
            return self._base.copy_with(raw_path=stage + b"/proxy" + url.raw_path)
        at_gateway = (url.scheme, url.host, url.port) == (self._base.scheme, self._base.host, self._base.port)
        if at_gateway and url.raw_path.startswith(stage + b"/proxy/"):
            return url
        raise ValueError(
            f"{url.scheme}://{url.netloc.decode()} is neither one of Google's APIs that the gateway serves nor "
            "the gateway: nothing was sent."
        )

    def _send_chunk(
        self, url: httpx.URL, body: Any, headers: dict[str, str], start: int, end: int, total: str
    ) -> tuple[httplib2.Response, bytes]:
        """A chunk of a resumable upload, in pieces that fit a request: Google's client sends up to 100 MB in one."""
        pieces = _pieces(body, end - start)
        answer: tuple[httplib2.Response, bytes] | None = None
        for piece in pieces:
            headers["content-range"] = f"bytes {start}-{start + len(piece) - 1}/{total}"
            headers.pop("content-length", None)
            answer = self._send(url, "PUT", piece, headers)
            start += len(piece)
            # Anything but "all of this is stored, send more" is for Google's client to judge: it asks what arrived.
            if start < end and (answer[0].status != 308 or answer[0].get("range") != f"bytes=0-{start - 1}"):
                break
        if answer is None:
            raise ValueError("The chunk holds no bytes, although its Content-Range says so: nothing was sent.")
        return answer

    def _send(
        self, url: httpx.URL, method: str, content: bytes | None, headers: Mapping[str, str]
    ) -> tuple[httplib2.Response, bytes]:
        import httplib2

        own = {name: value for name, value in headers.items() if name != "content-length"}
        may_apply = method not in ("GET", "HEAD")
        credentials = None if self._signer is None else self._signer.credentials()
        try:
            request = self._http.build_request(method, url, content=content, headers={**own, **self._identity})
            # Not among the arguments above: a traceback with local variables shows those.
            if self._bearer is not None:
                request.headers["authorization"] = f"Bearer {self._bearer.reveal()}"
            if self._signer is not None and credentials is not None:
                self._signer.sign(request, credentials)
            response = self._http.send(request)
        except httpx.TimeoutException as error:
            message = f"The gateway said nothing for {self._timeout:g} s."
            raise GatewayTimeoutError(message, may_have_been_applied=may_apply) from error
        except httpx.TransportError as error:
            message = f"The gateway at {self._base} did not answer ({error})."
            raise NetworkError(message, may_have_been_applied=may_apply) from error
        answer = httplib2.Response(
            {
                **{name: value for name, value in response.headers.items() if name != "content-encoding"},
                "status": str(response.status_code),
            }
        )
        answer.reason = response.reason_phrase
        return answer, response.content


def google_api(
    *,
    base_url: str,
    secret_key: str | None = None,
    provider_config_key: str,
    connection_id: str,
    aws_credentials: AwsCredentialsSource | None = None,
    aws_region: str | None = None,
    timeout: float = DEFAULT_TIMEOUT_SEC,
    allow_http: bool = False,
    proxy_url: str | None = None,
) -> GoogleTransport:
    """A transport for Google's own client: `build("drive", "v3", http=google_api(...))`.

    Every request goes through the gateway, uploads and batches included; a request to any other address is refused
    before anything is sent. A service object belongs to one thread at a time, as Google says ("Thread Safety").

    Args:
        base_url: Address of the gateway, stage included.
        secret_key: Secret key of the account; or aws_credentials and aws_region, as GatewayClient takes them.
        provider_config_key: Id of the integration.
        connection_id: Id of the connection.
        timeout: Seconds that the gateway may say nothing; 0 waits without end.
        allow_http: Whether base_url may begin with http:// for a host other than this computer.
        proxy_url: Address of proxied calls, where the deployment has one of its own (stack output `ProxyUrl`).
    """
    key = None if secret_key is None else SecretText(secret_key)
    # A traceback with local variables shows arguments, too.
    del secret_key
    try:
        import httplib2  # noqa: F401
    except ImportError as error:
        raise ImportError("google_api needs Google's client: pip install google-api-python-client") from error
    return GoogleTransport(
        base_url,
        key,
        provider_config_key,
        connection_id,
        timeout,
        allow_http,
        proxy_url,
        aws_credentials,
        aws_region,
    )


def _read(body: Any, max_bytes: int) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return body
    if isinstance(body, str):
        return body.encode()
    content = body.read(max_bytes)
    return content if isinstance(content, bytes) else str(content).encode()


def _pieces(body: Any, length: int) -> Iterator[bytes]:
    """A chunk in pieces of at most 4 MiB, which is a multiple of what Google takes; the last one is what is left."""
    assert DEFAULT_CHUNK_BYTES % CHUNK_UNIT_BYTES == 0
    content = body.encode() if isinstance(body, str) else body
    left = length
    while left > 0:
        size = min(left, DEFAULT_CHUNK_BYTES)
        if isinstance(content, bytes):
            piece, content = content[:size], content[size:]
        else:
            piece = content.read(size)
        if not piece:
            return
        yield piece
        left -= len(piece)


def _too_large() -> tuple[httplib2.Response, bytes]:
    """What the gateway answers, without sending what it would refuse."""
    import httplib2

    message = (
        "A request body may have about 4.5 MB; this one has more. Nothing was sent. Upload larger files with "
        "MediaFileUpload(..., resumable=True)."
    )
    error = {"error": {"code": "request_too_large", "message": message, "errors": []}}
    headers = {"status": "413", "content-type": "application/json", "x-gateway-error": "request_too_large"}
    return httplib2.Response(headers), json.dumps(error).encode()
