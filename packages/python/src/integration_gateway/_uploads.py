"""Files in chunks, through Google's resumable protocol (Google Drive API: "Perform a resumable upload").

The protocol is written once, as steps that each kind of client takes: what a step yields is what it wants done.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Literal, TypeGuard

from ._answers import Answer
from ._requests import QueryParams, query_text
from .errors import (
    GatewayError,
    GatewayTimeoutError,
    IntegrationGatewayError,
    NetworkError,
    ProviderError,
    UploadError,
)

CHUNK_UNIT_BYTES = 256 * 1024
"""Google takes chunks in multiples of this, the last one excepted."""
DEFAULT_CHUNK_BYTES = 4 * 1024 * 1024
MAX_CHUNK_BYTES = 4_500_000
"""What one request through the gateway may carry."""

UploadSource = bytes | bytearray | memoryview | str | os.PathLike[str] | IO[bytes] | Iterable[bytes]
"""What an upload reads from: bytes, the path of a file, a file opened for reading bytes, or pieces of bytes."""
AsyncUploadSource = UploadSource | AsyncIterable[bytes]

_BACK_OFF_BASE_SEC = 0.5
_BACK_OFF_CEILING_SEC = 32.0
_RATE_LIMITS = {"rateLimitExceeded", "userRateLimitExceeded", "sharingRateLimitExceeded"}


@dataclass(frozen=True)
class UploadProgress:
    """How far an upload is."""

    uploaded_bytes: int
    """Bytes that Google has stored."""
    total_bytes: int | None
    """None while the size is not known."""


@dataclass(frozen=True)
class SendStep:
    """Make a call; its answer, or what it fails with, comes back."""

    method: str
    endpoint: str
    params: QueryParams | None
    headers: Sequence[tuple[str, str]]
    json: Any = None
    data: bytes | None = None


@dataclass(frozen=True)
class PauseStep:
    """Wait."""

    seconds: float


@dataclass(frozen=True)
class ReadStep:
    """Read bytes of the source: at most so many, at least one, none at its end."""

    max_bytes: int


Step = SendStep | PauseStep | ReadStep
Steps = Generator[Step, Any, Answer]


@dataclass(frozen=True)
class UploadPlan:
    """A file to upload, checked."""

    endpoint: str
    content_type: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    method: Literal["POST", "PATCH"] = "POST"
    params: QueryParams | None = None
    headers: Sequence[tuple[str, str]] = ()
    size: int | None = None
    chunk_bytes: int = DEFAULT_CHUNK_BYTES
    max_attempts: int = 5
    on_progress: Callable[[UploadProgress], object] | None = None

    def check(self) -> None:
        """Raises ValueError naming what is wrong."""
        chunk = self.chunk_bytes
        if not isinstance(chunk, int) or chunk <= 0 or chunk % CHUNK_UNIT_BYTES != 0 or chunk > MAX_CHUNK_BYTES:
            raise ValueError(f"chunk_bytes must be a multiple of {CHUNK_UNIT_BYTES}, at most {DEFAULT_CHUNK_BYTES}.")
        if not isinstance(self.max_attempts, int) or self.max_attempts < 1:
            raise ValueError("max_attempts must be a whole number of at least 1.")
        if self.size is not None and (not isinstance(self.size, int) or self.size < 0):
            raise ValueError("size must be a number of bytes.")
        if self.method not in ("POST", "PATCH"):
            raise ValueError("method must be POST, which makes a file, or PATCH, which replaces the bytes of one.")


def upload_steps(plan: UploadPlan) -> Steps:
    """The whole of an upload; returns the answer to the last chunk, the file's resource."""
    start = yield from _persist(lambda _is_first: _start(plan), plan.max_attempts)
    session = _session_endpoint(start.headers.get("location"))
    offset, ahead = 0, b""
    while True:
        # One byte more than a chunk: only then it is known not to be the last.
        while len(ahead) <= plan.chunk_bytes:
            piece = yield ReadStep(plan.chunk_bytes + 1 - len(ahead))
            if piece == b"":
                break
            ahead += piece
        chunk, ahead = ahead[: plan.chunk_bytes], ahead[plan.chunk_bytes :]
        end, is_last = offset + len(chunk), ahead == b""
        _check_end(end, is_last, plan.size)
        total = end if is_last else plan.size
        answer = yield from _send_chunk(plan, session, chunk, offset, total, is_last)
        if plan.on_progress is not None:
            plan.on_progress(UploadProgress(uploaded_bytes=end, total_bytes=total))
        if answer is not None:
            return answer
        offset = end


def _start(plan: UploadPlan) -> SendStep:
    query = query_text(plan.params)
    size = [] if plan.size is None else [("x-upload-content-length", str(plan.size))]
    return SendStep(
        method=plan.method,
        endpoint=plan.endpoint,
        params=f"uploadType=resumable{'&' if query else ''}{query}",
        headers=[*plan.headers, ("x-upload-content-type", plan.content_type), *size],
        json=dict(plan.metadata),
    )


def _send_chunk(
    plan: UploadPlan, session: str, chunk: bytes, offset: int, total: int | None, is_last: bool
) -> Generator[Step, Any, Answer | None]:
    """Sends one chunk until Google has all of it; returns the final answer, or None when more is to come."""
    sent = idle = 0
    while True:
        answer = yield from _put_or_ask(plan, session, chunk[sent:], offset + sent, total)
        if answer.status != 308:
            if is_last:
                return answer
            raise UploadError("Google finished the file before its end.")
        stored = _stored_bytes(answer) - offset
        if not sent <= stored <= len(chunk):
            raise UploadError(f"Google has {stored + offset} bytes, which does not fit what was sent. Upload again.")
        if stored == len(chunk) and not is_last:
            return None
        idle = 0 if stored > sent else idle + 1
        if idle >= plan.max_attempts:
            raise UploadError(f"Google stored nothing in {plan.max_attempts} tries.")
        if idle > 0:
            yield PauseStep(back_off_sec(idle - 1, None))
        sent = stored


def _put_or_ask(
    plan: UploadPlan, session: str, rest: bytes, offset: int, total: int | None
) -> Generator[Step, Any, Answer]:
    """Sends bytes; after a failure that passes, asks what arrived instead of sending them again."""
    whole = "*" if total is None else str(total)

    def step(is_first: bool) -> SendStep:
        data, content_range = rest, f"bytes {offset}-{offset + len(rest) - 1}/{whole}"
        if not is_first or (rest == b"" and offset > 0):
            data, content_range = b"", f"bytes */{whole}"
        headers = [("content-type", plan.content_type)]
        # No range can name zero bytes; an empty file is sent whole.
        if data != b"" or not is_first or offset > 0:
            headers.append(("content-range", content_range))
        return SendStep(method="PUT", endpoint=session, params=None, headers=headers, data=data)

    try:
        return (yield from _persist(step, plan.max_attempts))
    except ProviderError as error:
        if error.status in (404, 410):
            raise UploadError("The upload session is gone. Upload the file again.") from error
        raise


def _persist(step: Callable[[bool], SendStep], attempts: int) -> Generator[Step, Any, Answer]:
    for attempt in range(attempts):
        try:
            answer: Answer = yield step(attempt == 0)
            return answer
        except IntegrationGatewayError as error:
            if attempt + 1 >= attempts or not _is_passing(error):
                raise
            retry_after_sec = getattr(error, "retry_after_sec", None)
        yield PauseStep(back_off_sec(attempt, retry_after_sec))
    raise AssertionError("unreachable: the last attempt returns or raises")


def _is_passing(error: IntegrationGatewayError) -> bool:
    """Whether the same bytes may get through later."""
    if isinstance(error, NetworkError | GatewayTimeoutError):
        return True
    if isinstance(error, GatewayError):
        return error.status == 429 or error.status >= 500
    if not isinstance(error, ProviderError):
        return False
    if error.status == 403:
        return error.reason in _RATE_LIMITS
    return error.status in (408, 429) or error.status >= 500


def back_off_sec(repeat: int, retry_after_sec: int | None) -> float:
    """Seconds before the n-th repeat (from 0): what the answer asks for, else exponential with jitter, at most 32."""
    if retry_after_sec is not None:
        return min(float(retry_after_sec), _BACK_OFF_CEILING_SEC)
    return min(_BACK_OFF_BASE_SEC * 2.0**repeat, _BACK_OFF_CEILING_SEC) * (0.5 + random.random() / 2)


def _session_endpoint(location: str | None) -> str:
    # Only the path counts: chunks go to the gateway the client was made for, and the secret key to no other host.
    found = None if location is None else re.fullmatch(r"https?://[^/?#]+(?:/[^?#]*?)?/proxy(/.*)", location)
    if found is not None:
        return found.group(1)
    raise UploadError(
        "The answer names no address for the bytes: is endpoint an upload path such as /upload/drive/v3/files?"
        if location is None
        else "The answer names an address outside the gateway; nothing is sent there."
    )


def _stored_bytes(answer: Answer) -> int:
    value = answer.headers.get("range")
    if value is None:
        return 0
    found = re.fullmatch(r"bytes=0-(\d{1,15})", value.strip())
    if found is None:
        raise UploadError(f"Google's Range header cannot be read: {value}")
    return int(found.group(1)) + 1


def _check_end(end: int, is_last: bool, size: int | None) -> None:
    if size is None or (end == size if is_last else end < size):
        return
    raise UploadError(f"The body has {'' if is_last else 'more than '}{end} bytes, size says {size}.")


class SourceReader:
    """Reads a source that is not asynchronous."""

    def __init__(self, source: UploadSource, given_size: int | None) -> None:
        self._file: IO[bytes] | None = None
        self._owns_file = False
        self._pieces: Iterator[bytes] | None = None
        self._rest: bytes | memoryview = b""
        known: int | None = None
        if isinstance(source, bytes | bytearray | memoryview):
            self._rest = memoryview(source).cast("B")
            known = len(self._rest)
        elif isinstance(source, str | os.PathLike):
            self._file, self._owns_file = open(source, "rb"), True  # noqa: SIM115
            known = _bytes_left(self._file)
        elif _is_file(source):
            self._file = source
            known = _bytes_left(source)
        else:
            self._pieces = iter(source)
        try:
            self.size = _agreed_size(given_size, known)
        except ValueError:
            self.close()
            raise

    def read(self, max_bytes: int) -> bytes:
        """The next bytes, none at the end. Raises TypeError for pieces that are not bytes."""
        if self._file is not None:
            return bytes_only(self._file.read(max_bytes))
        while len(self._rest) == 0 and self._pieces is not None:
            piece = next(self._pieces, None)
            if piece is None:
                self._pieces = None
            else:
                self._rest = memoryview(bytes_only(piece))
        taken, self._rest = bytes(self._rest[:max_bytes]), self._rest[max_bytes:]
        return taken

    def close(self) -> None:
        """Closes a file that was opened here."""
        if self._owns_file and self._file is not None:
            self._file.close()


def _is_file(source: IO[bytes] | Iterable[bytes]) -> TypeGuard[IO[bytes]]:
    # Files are iterable too, line by line.
    return hasattr(source, "read")


def _agreed_size(given: int | None, known: int | None) -> int | None:
    if given is not None and known is not None and given != known:
        raise ValueError(f"size says {given} bytes, the body has {known}.")
    return known if given is None else given


def _bytes_left(file: IO[bytes]) -> int | None:
    try:
        position = file.tell()
        end = file.seek(0, os.SEEK_END)
        file.seek(position)
    except (OSError, AttributeError):
        return None
    return end - position


def bytes_only(piece: Any) -> bytes:
    """A piece of a source. Raises TypeError for what is not bytes."""
    if isinstance(piece, bytes):
        return piece
    if isinstance(piece, bytearray | memoryview):
        return bytes(piece)
    raise TypeError("An upload reads bytes: open the file with 'rb', and yield bytes.")


class AsyncSourceReader:
    """Reads a source; files are read off the event loop."""

    def __init__(self, source: AsyncUploadSource, given_size: int | None) -> None:
        self._plain: SourceReader | None = None
        self._pieces: AsyncIterator[bytes] | None = None
        self._rest = memoryview(b"")
        if isinstance(source, AsyncIterable):
            self._pieces = source.__aiter__()
            self.size = given_size
        else:
            self._plain = SourceReader(source, given_size)
            self.size = self._plain.size

    async def read(self, max_bytes: int) -> bytes:
        """The next bytes, none at the end. Raises TypeError for pieces that are not bytes."""
        if self._plain is not None:
            return await asyncio.to_thread(self._plain.read, max_bytes)
        while len(self._rest) == 0 and self._pieces is not None:
            try:
                self._rest = memoryview(bytes_only(await self._pieces.__anext__()))
            except StopAsyncIteration:
                self._pieces = None
        taken, self._rest = bytes(self._rest[:max_bytes]), self._rest[max_bytes:]
        return taken

    def close(self) -> None:
        """Closes a file that was opened here."""
        if self._plain is not None:
            self._plain.close()
