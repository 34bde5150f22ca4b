"""One call of a route of the gateway's own, as the generated methods describe it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import random
from typing import Any, Protocol
from uuid import uuid4

from ._requests import Outgoing, Settings, own_route, query_text, segment
from ._secret import SecretText
from .errors import GatewayError, IntegrationGatewayError, NetworkError, UnexpectedAnswerError


class NotGiven:
    """Stands for an argument that was left out, where None means null."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()

_REPEATS = 2
_LONGEST_PAUSE_SEC = 5.0
"""A gateway that asks for more is the caller's to wait for."""


@dataclass(frozen=True)
class RouteCall:
    """A call of a route; arguments that are None or NOT_GIVEN as the route's methods have them."""

    method: str
    path: str
    """With names in braces for what `ids` holds."""
    ids: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    session_token: str | None = field(default=None, repr=False)
    """Sent instead of the secret key."""
    nullable: frozenset[str] = frozenset()
    """Members of the body in which None says null."""
    is_once: bool = False
    """Whether it makes something, so that it carries a key under which the gateway does so once."""
    idempotency_key: str | None = None
    """That key; a new one where none is given."""
    is_wrapped: bool = False
    """Whether the answer is the content of its member `data`."""

    def outgoing(self, settings: Settings) -> Outgoing:
        """The request. Raises ValueError for ids that no path can hold."""
        path = re.sub(r"\{(\w+)\}", lambda found: segment(self.ids[found.group(1)]), self.path)
        pairs: list[tuple[str, Any]] = []
        for name, value in self.query.items():
            if isinstance(value, Mapping):
                pairs.extend((f"{name}[{key}]", one) for key, one in value.items())
            elif isinstance(value, list | tuple):
                pairs.extend((name, one) for one in value)
            elif not isinstance(value, NotGiven):
                pairs.append((name, value))
        body = None if self.body is None else {key: one for key, one in self.body.items() if self._is_said(key, one)}
        bearer = None if self.session_token is None else SecretText(self.session_token)
        key = (self.idempotency_key or str(uuid4())) if self.is_once else None
        return own_route(settings, self.method, path, query_text(pairs), body, bearer, key)

    def repeat_after(self, error: IntegrationGatewayError, repeat: int) -> float | None:
        """Seconds until the same request is sent again, under the same key; None where the caller has to know."""
        if not self.is_once or repeat >= _REPEATS or not _may_pass(error):
            return None
        asked = error.retry_after_sec if isinstance(error, GatewayError) else None
        return asked if asked is not None else 0.5 * 2.0**repeat * (0.5 + random() / 2)

    def _is_said(self, name: str, value: Any) -> bool:
        return not isinstance(value, NotGiven) and (value is not None or name in self.nullable)


def _may_pass(error: IntegrationGatewayError) -> bool:
    """Whether the answer was lost, or is not there yet."""
    if isinstance(error, NetworkError):
        return error.may_have_been_applied
    if isinstance(error, GatewayError):
        is_passing = error.code in ("request_in_progress", "service_unavailable")
        return is_passing and (error.retry_after_sec or 0) <= _LONGEST_PAUSE_SEC
    return isinstance(error, UnexpectedAnswerError) and error.status in (502, 503, 504)


class Send(Protocol):
    """Sends a call and returns its answer."""

    def __call__(self, call: RouteCall, /) -> Any: ...


class AsyncSend(Protocol):
    """Sends a call and returns its answer."""

    async def __call__(self, call: RouteCall, /) -> Any: ...
