"""The changes of a feed as they come: the same steps for each kind of client, which does what a step says."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ._routes import RouteCall
from ._uploads import PauseStep
from .errors import GatewayError, GatewayTimeoutError, IntegrationGatewayError, NetworkError, UnexpectedAnswerError

if TYPE_CHECKING:
    from . import wire

DEFAULT_INTERVAL_SEC = 1.0
"""Between two looks for more: half of it is what a change waits on average."""
_LONGEST_PAUSE_SEC = 60.0


@dataclass(frozen=True)
class CallStep:
    """Make a call; its answer, or what it fails with, comes back."""

    call: RouteCall


@dataclass(frozen=True)
class BatchStep:
    """Hand a batch to the caller, and continue when the next one is requested."""

    batch: wire.FeedBatch


ChangeStep = CallStep | PauseStep | BatchStep
_Calls = Generator[ChangeStep, Any, Any]


class ChangesPlan:
    """A loop over a feed's batches: its start, its next step and its position."""

    def __init__(
        self,
        feed_id: str,
        after: int | None,
        cursor: str | None,
        follow: bool,
        interval_sec: float,
        on_outage: Callable[[Exception], object] | None,
        on_state: Callable[[wire.FeedStanding], object] | None = None,
    ) -> None:
        if after is not None and after < 0:
            raise ValueError("after must be the number of a batch, or 0.")
        if interval_sec <= 0:
            raise ValueError("interval_sec must be more than 0.")
        self._feed_id = feed_id
        self._after = after
        self._cursor = cursor
        self._follow = follow
        self._interval_sec = interval_sec
        self._on_outage = on_outage
        self._on_state = on_state
        self._standing: tuple[str, str | None] | None = None
        self._was_reached = False
        self._done = 0
        self._noted = 0

    def steps(self) -> Generator[ChangeStep, Any, None]:
        """Every step; a batch counts as done when the step after it is asked for."""
        self._done = self._noted = yield from self._persist(self._place)
        while True:
            page = yield from self._persist(self._page)
            self._report(page.get("feed"))
            for batch in page["data"]:
                yield BatchStep(batch)
                self._done = batch["sequence"]
            note = self.note()
            if note is not None:
                yield from self._persist(partial(self._call, note))
                self._noted = self._done
            if page["has_more"]:
                continue
            if not self._follow:
                return
            yield PauseStep(self._interval_sec)

    def _report(self, feed: wire.FeedStanding | None) -> None:
        standing = None if feed is None else (feed["state"], feed["reason"])
        if standing != self._standing:
            self._standing = standing
            if feed is not None and self._on_state is not None:
                self._on_state(feed)

    def note(self) -> RouteCall | None:
        """The call that keeps the place of the batches that are done; None where there is nothing to keep."""
        if self._cursor is None or self._done == self._noted:
            return None
        ids = {"feedId": self._feed_id, "name": self._cursor}
        return RouteCall(
            "PUT", "/feeds/{feedId}/cursors/{name}", ids=ids, body={"sequence": self._done}, is_wrapped=True
        )

    def _persist(self, ask: Callable[[], _Calls]) -> _Calls:
        attempt = 0
        while True:
            try:
                answer = yield from ask()
            except IntegrationGatewayError as error:
                # An address that nothing has answered at is a wrong one if its name or its certificate says so.
                may_pass = self._follow and _is_passing(error) and (self._was_reached or not _is_wrong_address(error))
                if not may_pass:
                    raise
                if attempt == 0 and self._on_outage is not None:
                    self._on_outage(error)
                asked_sec = (error.retry_after_sec or 0) if isinstance(error, GatewayError) else 0
                pause_sec = max(self._interval_sec * 2 ** min(attempt, 16), asked_sec)
                yield PauseStep(min(pause_sec, _LONGEST_PAUSE_SEC))
                attempt += 1
            else:
                return answer

    def _call(self, call: RouteCall) -> _Calls:
        answer = yield CallStep(call)
        self._was_reached = True
        return answer

    def _feed(self) -> _Calls:
        return self._call(RouteCall("GET", "/feeds/{feedId}", ids={"feedId": self._feed_id}, is_wrapped=True))

    def _place(self) -> _Calls:
        if self._after is not None or self._cursor is None:
            return self._after or 0
        feed: wire.Feed = yield from self._feed()
        return next((one["sequence"] for one in feed["cursors"] if one["name"] == self._cursor), 0)

    def _page(self) -> _Calls:
        ids = {"feedId": self._feed_id}
        try:
            page = yield from self._call(
                RouteCall("GET", "/feeds/{feedId}/changes", ids=ids, query={"after": self._done})
            )
        except GatewayError as error:
            if error.code != "cursor_too_old":
                raise
            feed: wire.Feed = yield from self._feed()
            gap: wire.FeedBatch = {
                "sequence": feed["last_sequence"],
                "kind": "gap",
                "reason": error.code,
                "stored_at": feed["last_change_at"] or feed["created_at"],
                "changes": [],
            }
            return {"data": [gap], "has_more": False, "feed": feed}
        else:
            return page


def _is_passing(error: IntegrationGatewayError) -> bool:
    """Whether the same request may succeed later: no answer, too many requests, or a failure on the gateway's side."""
    if isinstance(error, NetworkError | GatewayTimeoutError):
        return True
    status = error.status if isinstance(error, GatewayError | UnexpectedAnswerError) else None
    return status is not None and (status == 429 or status >= 500)


def _is_wrong_address(error: BaseException) -> bool:
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, ssl.SSLCertVerificationError):
            return True
        if isinstance(seen, socket.gaierror) and seen.errno == socket.EAI_NONAME:
            return True
        seen = seen.__cause__ or seen.__context__
    return False
