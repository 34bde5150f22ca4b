"""The client for asyncio. `npm run generate` writes the one that waits, `_client.py`, from it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal

import httpx

from ._answers import (
    MAX_ERROR_BYTES,
    Answer,
    answer_error,
    check_length,
    is_success,
    own_route_answer,
    own_route_error,
    translated,
)
from ._changes import DEFAULT_INTERVAL_SEC, CallStep, ChangesPlan
from ._environment import caller_of
from ._files import whole_file
from ._management import AsyncManagement
from ._paging import ListPlan, ListState, Page, Tokens
from ._requests import (
    DEFAULT_TIMEOUT_SEC,
    CallOptions,
    ConnectionRef,
    Outgoing,
    QueryParams,
    Settings,
    cookieless,
    proxied_call,
    read_ref,
    read_settings,
)
from ._routes import RouteCall
from ._secret import SecretText
from ._uploads import (
    DEFAULT_CHUNK_BYTES,
    AsyncSourceReader,
    AsyncUploadSource,
    PauseStep,
    ReadStep,
    SendStep,
    Step,
    UploadPlan,
    UploadProgress,
    upload_steps,
)
from .errors import IntegrationGatewayError, UnexpectedAnswerError

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import wire
    from ._aws import AwsCredentialsSource


class AsyncStreamedAnswer:
    """An answer whose body is read piece by piece. One that breaks off raises NetworkError."""

    def __init__(self, request: Outgoing, response: httpx.Response) -> None:
        self._request = request
        self._response = response
        self.status = response.status_code
        self.headers = response.headers

    async def iter_bytes(self, chunk_size: int | None = None) -> AsyncIterator[bytes]:
        """The body in pieces, as they arrive or of `chunk_size` bytes."""
        with translated(self._request, answered=True):
            async for piece in self._response.aiter_bytes(chunk_size):
                yield piece
        check_length(self._request, self._response)

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.iter_bytes()

    async def read(self) -> bytes:
        """The whole body."""
        return b"".join([piece async for piece in self.iter_bytes()])


class AsyncPages(Tokens):
    """The pages of a list, asked for while they are iterated: leaving the loop asks for no more."""

    def __init__(self, plan: ListPlan, read: Callable[[QueryParams | None], Awaitable[Any]]) -> None:
        plan.check()
        self._plan = plan
        self._read = read

    async def __aiter__(self) -> AsyncIterator[Page]:
        state = ListState(self._plan)
        while not state.is_over:
            page = state.take(await self._read(state.params))
            self.keep(page)
            yield page


class AsyncItems:
    """The entries of a list, one by one; pages are asked for as they are needed."""

    def __init__(self, pages: AsyncPages) -> None:
        self.pages = pages
        """The pages, with the tokens of the last one that was read."""

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for page in self.pages:
            for item in page.items:
                yield item


class AsyncConnectionClient:
    """Calls to Google as the user of one connection.

    A call returns an Answer for 2xx, for 304, and for the 308 of an unfinished upload. It raises GatewayError,
    ProviderError, NetworkError, GatewayTimeoutError or UnexpectedAnswerError, and TypeError or ValueError for what
    cannot be sent as written. Redirects are never followed, nothing is repeated unless `retries` asks the gateway to.
    """

    def __init__(self, gateway: AsyncGatewayClient, ref: ConnectionRef) -> None:
        self._gateway = gateway
        self._ref = ref
        self.provider_config_key = ref.provider_config_key
        self.connection_id = ref.connection_id

    async def request(self, method: str, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """A call whose method is given with it."""
        gateway = self._gateway
        return await gateway._answer(proxied_call(gateway._settings, self._ref, method, endpoint, **options))

    async def get(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Reads what is at a path of Google's, such as `/drive/v3/files`; ids in it are percent-encoded."""
        return await self.request("GET", endpoint, **options)

    async def head(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Asks for the headers of an answer."""
        return await self.request("HEAD", endpoint, **options)

    async def post(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Makes something: `json` is its description."""
        return await self.request("POST", endpoint, **options)

    async def put(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Replaces something."""
        return await self.request("PUT", endpoint, **options)

    async def patch(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Changes something."""
        return await self.request("PATCH", endpoint, **options)

    async def delete(self, endpoint: str, **options: Unpack[CallOptions]) -> Answer:
        """Removes something."""
        return await self.request("DELETE", endpoint, **options)

    @asynccontextmanager
    async def stream(
        self,
        endpoint: str,
        *,
        method: str = "GET",
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[AsyncStreamedAnswer]:
        """An answer read piece by piece: `async with` it, then `async for piece in answer`."""
        gateway = self._gateway
        request = proxied_call(gateway._settings, self._ref, method, endpoint, **options)
        async with gateway._opened(request) as response:
            if not is_success(response):
                raise answer_error(request, response, await _error_content(request, response))
            yield AsyncStreamedAnswer(request, response)

    async def download(
        self,
        endpoint: str,
        to: str | os.PathLike[str] | IO[bytes],
        **options: Unpack[CallOptions],
    ) -> int:
        """Downloads a path of Google's, such as `/drive/v3/files/{id}?alt=media`, to a file; returns its bytes.

        The file appears only once all of it has arrived. Until then it has another name in the same folder.
        """
        async with self.stream(endpoint, **options) as answer:
            if not isinstance(to, str | os.PathLike):
                return await _write(answer, to)
            with whole_file(Path(to)) as file:
                return await _write(answer, file)

    def pages(
        self,
        endpoint: str,
        *,
        items_key: str | None = None,
        max_pages: int | None = None,
        max_items: int | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncPages:
        """The pages of a list, following `nextPageToken`.

        Args:
            endpoint: Path of the list, such as `/calendar/v3/calendars/primary/events`.
            items_key: Member that holds the entries; unless given, the first list among `files`, `items` and the like.
            max_pages: Stop after so many pages.
            max_items: Stop after so many entries; the last page is cut.
        """
        params = options.pop("params", None)

        async def read(query: QueryParams | None) -> Any:
            call: CallOptions = {**options, "params": query}
            answer = await self.request("GET", endpoint, **call)
            return answer.json()

        return AsyncPages(ListPlan(endpoint, params, items_key, max_pages, max_items), read)

    def items(
        self,
        endpoint: str,
        *,
        items_key: str | None = None,
        max_pages: int | None = None,
        max_items: int | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncItems:
        """The entries of a list, one by one; arguments as `pages` takes them."""
        pages = self.pages(endpoint, items_key=items_key, max_pages=max_pages, max_items=max_items, **options)
        return AsyncItems(pages)

    async def upload_file(
        self,
        endpoint: str,
        source: AsyncUploadSource,
        *,
        content_type: str,
        metadata: Mapping[str, Any] | None = None,
        method: Literal["POST", "PATCH"] = "POST",
        params: QueryParams | None = None,
        headers: Mapping[str, str] | Sequence[tuple[str, str]] | None = None,
        size: int | None = None,
        chunk_bytes: int = DEFAULT_CHUNK_BYTES,
        max_attempts: int = 5,
        on_progress: Callable[[UploadProgress], object] | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """Uploads a file of any size in chunks, and resumes after failures that pass. One chunk is in memory at a time.

        Args:
            endpoint: `/upload/drive/v3/files`, or with method PATCH `/upload/drive/v3/files/{id}`.
            source: Bytes, the path of a file, a file opened with "rb", or pieces of bytes, also asynchronous ones.
            content_type: Media type of the bytes.
            metadata: Of the file: `name`, `parents` and so on.
            method: POST makes a file, PATCH replaces the bytes of one.
            params: Further query parameters, such as `fields`.
            headers: Further headers of the first request.
            size: Bytes of the source, where it does not say so itself.
            chunk_bytes: Bytes of one request, a multiple of 256 KiB, at most 4 MiB.
            max_attempts: Tries in a row that may fail before the upload does.
            on_progress: Called after each chunk; what it raises ends the upload.
            timeout: Seconds that the gateway may say nothing.

        Raises UploadError when the session is gone or the source is not as long as `size`, else what a call raises.
        """
        reader = AsyncSourceReader(source, size)
        try:
            plan = UploadPlan(
                endpoint=endpoint,
                content_type=content_type,
                metadata=metadata or {},
                method=method,
                params=params,
                headers=list(headers.items()) if isinstance(headers, Mapping) else list(headers or ()),
                size=reader.size,
                chunk_bytes=chunk_bytes,
                max_attempts=max_attempts,
                on_progress=on_progress,
            )
            plan.check()
            return await self._take(upload_steps(plan), reader, timeout)
        finally:
            reader.close()

    async def _take(self, steps: Any, reader: AsyncSourceReader, timeout: float | None) -> Answer:
        result: Any = None
        failure: Exception | None = None
        while True:
            try:
                step: Step = steps.send(result) if failure is None else steps.throw(failure)
            except StopIteration as stop:
                answer: Answer = stop.value
                return answer
            result = failure = None
            try:
                result = await self._do(step, reader, timeout)
            except Exception as error:
                failure = error

    async def _do(self, step: Step, reader: AsyncSourceReader, timeout: float | None) -> Answer | bytes | None:
        if isinstance(step, SendStep):
            options: CallOptions = {
                "params": step.params,
                "headers": step.headers,
                "json": step.json,
                "data": step.data,
                "timeout": timeout,
            }
            return await self.request(step.method, step.endpoint, **options)
        if isinstance(step, ReadStep):
            return await reader.read(step.max_bytes)
        assert isinstance(step, PauseStep)
        await asyncio.sleep(step.seconds)
        return None


class AsyncGatewayClient(AsyncManagement):
    """Client of one gateway.

    `connection(...)` makes calls to Google; `connections`, `connect_sessions`, `integrations` and so on are the
    gateway's own routes. Use it with `async with`, or call `aclose`.

    Without options it reads `GATEWAY_BASE_URL` and `GATEWAY_SECRET_KEY`. Without that key it signs with the credentials
    of the function's role and `GATEWAY_REGION`, as in a function that `grantCall` lets call.

    Args:
        base_url: Address of the gateway, stage included, such as `https://abc.execute-api.eu-central-1.amazonaws.com/v1`.
        secret_key: Secret key of the account. It gives access to every connection, so it belongs on a server.
        aws_credentials: Instead of a secret key: credentials of an IAM role that is registered at the gateway, as
            `boto3.Session().get_credentials()` returns them, or a function that returns them for each request.
            Requests are signed and go below `/iam` of base_url.
        aws_region: Region of the gateway; needed where base_url is not an address of API Gateway's.
        timeout: Seconds that the gateway may say nothing; 0 waits without end.
        http_client: Sends the requests instead of a client of this one's own; its redirects and its `auth` are not
            used, and it stays open.
        allow_http: Whether base_url may begin with http:// for a host other than this computer.
        proxy_url: Address of proxied calls, where the deployment has one of its own (stack output `ProxyUrl`).
    """

    def __init__(
        self,
        base_url: str | None = None,
        secret_key: str | None = None,
        *,
        aws_credentials: AwsCredentialsSource | None = None,
        aws_region: str | None = None,
        timeout: float = DEFAULT_TIMEOUT_SEC,
        http_client: httpx.AsyncClient | None = None,
        allow_http: bool = False,
        proxy_url: str | None = None,
    ) -> None:
        key = None if secret_key is None else SecretText(secret_key)
        # A traceback with local variables shows arguments, too.
        del secret_key
        super().__init__(self._call_route)
        caller = caller_of(base_url, key, aws_credentials, aws_region)
        self._settings: Settings = read_settings(
            caller.base_url,
            caller.secret_key,
            timeout,
            allow_http,
            proxy_url,
            caller.aws_credentials,
            caller.aws_region,
        )
        self._owns_http = http_client is None
        self._http = http_client or httpx.AsyncClient(cookies=cookieless(), follow_redirects=False)

    def __repr__(self) -> str:
        # A client whose options were refused is shown, too, by tracebacks.
        settings: Settings | None = getattr(self, "_settings", None)
        return f"AsyncGatewayClient({None if settings is None else settings.base_url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections to the gateway."""
        if self._owns_http:
            await self._http.aclose()

    def connection(self, provider_config_key: str, connection_id: str) -> AsyncConnectionClient:
        """Calls to Google as the user of a connection; `provider_config_key` is the id of its integration."""
        return AsyncConnectionClient(self, read_ref(provider_config_key, connection_id))

    async def request(
        self,
        method: str,
        endpoint: str,
        *,
        provider_config_key: str,
        connection_id: str,
        **options: Unpack[CallOptions],
    ) -> Answer:
        """A call whose method is given with it."""
        return await self.connection(provider_config_key, connection_id).request(method, endpoint, **options)

    async def get(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Reads what is at a path of Google's, such as `/drive/v3/files`; ids in it are percent-encoded."""
        return await self.connection(provider_config_key, connection_id).request("GET", endpoint, **options)

    async def head(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Asks for the headers of an answer."""
        return await self.connection(provider_config_key, connection_id).request("HEAD", endpoint, **options)

    async def post(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Makes something: `json` is its description."""
        return await self.connection(provider_config_key, connection_id).request("POST", endpoint, **options)

    async def put(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Replaces something."""
        return await self.connection(provider_config_key, connection_id).request("PUT", endpoint, **options)

    async def patch(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Changes something."""
        return await self.connection(provider_config_key, connection_id).request("PATCH", endpoint, **options)

    async def delete(
        self, endpoint: str, *, provider_config_key: str, connection_id: str, **options: Unpack[CallOptions]
    ) -> Answer:
        """Removes something."""
        return await self.connection(provider_config_key, connection_id).request("DELETE", endpoint, **options)

    def changes(
        self,
        feed_id: str,
        *,
        after: int | None = None,
        cursor: str | None = None,
        follow: bool = True,
        interval_sec: float = DEFAULT_INTERVAL_SEC,
        on_outage: Callable[[Exception], object] | None = None,
        on_state: Callable[[wire.FeedStanding], object] | None = None,
    ) -> AsyncIterator[wire.FeedBatch]:
        """The batches of a feed in order, as they come.

        With the name of a cursor the gateway remembers the place: a batch counts as done when the next one is asked
        for, so a process that dies in the middle of one gets it again. A place whose batches have run out gives a batch
        of kind `gap`. While the loop follows, a gateway that does not answer is asked again until it does, also at the
        start; an address whose name is unknown or whose certificate is refused raises there.

        Args:
            feed_id: Id of the feed.
            after: Number of the last batch that is done; unless given, the place of `cursor`, else 0.
            cursor: Name under which the gateway keeps the place.
            follow: Whether to wait for more at the end.
            interval_sec: Seconds between two looks for more.
            on_outage: Called once for each outage that is waited out.
            on_state: Called with the first answer and whenever the feed's `state` or `reason` changes, such as to
                `paused` while its connection needs a new authorization. Gateways before 0.3.0 do not report it.
        """
        return self._changes(ChangesPlan(feed_id, after, cursor, follow, interval_sec, on_outage, on_state))

    async def _changes(self, plan: ChangesPlan) -> AsyncIterator[wire.FeedBatch]:
        steps = plan.steps()
        result: Any = None
        failure: Exception | None = None
        while True:
            try:
                step = steps.send(result) if failure is None else steps.throw(failure)
            except StopIteration:
                return
            result = failure = None
            if isinstance(step, PauseStep):
                await asyncio.sleep(step.seconds)
            elif isinstance(step, CallStep):
                try:
                    result = await self._call_route(step.call)
                except IntegrationGatewayError as error:
                    failure = error
            else:
                try:
                    yield step.batch
                except GeneratorExit:
                    # Left in the middle of a batch: those before it are done.
                    note = plan.note()
                    if note is not None:
                        await self._call_route(note)
                    raise

    @asynccontextmanager
    async def _opened(self, request: Outgoing) -> AsyncIterator[httpx.Response]:
        # Credentials may come from another service, and botocore waits for it.
        credentials = None if request.signer is None else await asyncio.to_thread(request.credentials)
        ready = request.build(self._http, credentials)
        with translated(request, answered=False):
            response = await self._http.send(ready, stream=True, auth=None, follow_redirects=False)
        try:
            yield response
        finally:
            # An answer that is left before its end may fail to close; anyone who left it has the reason.
            with suppress(httpx.HTTPError):
                await response.aclose()

    async def _answer(self, request: Outgoing) -> Answer:
        async with self._opened(request) as response:
            if not is_success(response):
                raise answer_error(request, response, await _error_content(request, response))
            return Answer(response.status_code, response.headers, await _content(request, response))

    async def _call_route(self, call: RouteCall) -> Any:
        # One request for all its repeats: they carry the same key.
        request = call.outgoing(self._settings)
        repeat = 0
        while True:
            try:
                return await self._route_answer(call, request)
            except IntegrationGatewayError as error:
                seconds = call.repeat_after(error, repeat)
                if seconds is None:
                    raise
            await asyncio.sleep(seconds)
            repeat += 1

    async def _route_answer(self, call: RouteCall, request: Outgoing) -> Any:
        async with self._opened(request) as response:
            if not response.is_success:
                raise own_route_error(request, response, await _error_content(request, response))
            answer = own_route_answer(await _content(request, response))
        if call.is_wrapped and "data" not in answer:
            raise UnexpectedAnswerError("The gateway's answer has no data.")
        return answer["data"] if call.is_wrapped else answer


async def _content(request: Outgoing, response: httpx.Response) -> bytes:
    with translated(request, answered=True):
        content = await response.aread()
    check_length(request, response)
    return content


async def _error_content(request: Outgoing, response: httpx.Response) -> bytes:
    content = b""
    with translated(request, answered=True):
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) >= MAX_ERROR_BYTES:
                break
    return content[:MAX_ERROR_BYTES]


async def _write(answer: AsyncStreamedAnswer, file: IO[bytes]) -> int:
    total = 0
    async for piece in answer:
        await asyncio.to_thread(file.write, piece)
        total += len(piece)
    return total
