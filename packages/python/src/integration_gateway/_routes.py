"""One call of a route of the gateway's own, as the generated methods describe it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from ._requests import Outgoing, SecretText, Settings, own_route, query_text, segment


class NotGiven:
    """Stands for an argument that was left out, where None means null."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven()


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
        return own_route(settings, self.method, path, query_text(pairs), body, bearer)

    def _is_said(self, name: str, value: Any) -> bool:
        return not isinstance(value, NotGiven) and (value is not None or name in self.nullable)


class Send(Protocol):
    """Sends a call and returns its answer."""

    def __call__(self, call: RouteCall, /) -> Any: ...


class AsyncSend(Protocol):
    """Sends a call and returns its answer."""

    async def __call__(self, call: RouteCall, /) -> Any: ...
