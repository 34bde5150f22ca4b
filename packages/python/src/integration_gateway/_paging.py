"""Lists of Google's, page after page."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote

from ._requests import QueryParams, query_text
from .errors import UnexpectedAnswerError

_ITEM_KEYS = (
    "files",
    "items",
    "changes",
    "drives",
    "permissions",
    "revisions",
    "comments",
    "replies",
    "labels",
    "apps",
)


@dataclass(frozen=True)
class Page:
    """One page of a list."""

    items: Sequence[Any]
    data: Mapping[str, Any]
    """The whole answer."""
    next_page_token: str | None
    """Token of the next page; None on the last one."""
    next_sync_token: str | None
    """Where the next synchronization starts: Calendar's `nextSyncToken`, on the last page only."""
    new_start_page_token: str | None
    """The same of Drive's changes: `newStartPageToken`."""


class Tokens:
    """Tokens of the last page that was read."""

    next_page_token: str | None = None
    """None before the first page and after the last one."""
    next_sync_token: str | None = None
    """Calendar's token for the next synchronization; known once the last page was read."""
    new_start_page_token: str | None = None
    """Drive's token for the next look at changes; known once the last page was read."""

    def keep(self, page: Page) -> None:
        """Takes over the tokens of a page."""
        self.next_page_token = page.next_page_token
        self.next_sync_token = page.next_sync_token
        self.new_start_page_token = page.new_start_page_token


@dataclass(frozen=True)
class ListPlan:
    """What a list asks for, and where it ends."""

    endpoint: str
    params: QueryParams | None
    items_key: str | None
    max_pages: int | None
    max_items: int | None

    def check(self) -> None:
        """Raises ValueError for limits that are no whole numbers, and for `fields` that would hide the next page."""
        for name, limit in (("max_pages", self.max_pages), ("max_items", self.max_items)):
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
                raise ValueError(f"{name} must be a whole number of at least 1.")
        if re.search(r"[?&]pageToken=", self.endpoint):
            raise ValueError("Give pageToken in params, not in the endpoint.")
        of_params = parse_qs(query_text(self.params)).get("fields")
        of_endpoint = parse_qs(self.endpoint.partition("?")[2]).get("fields")
        fields = (of_params or of_endpoint or ["*"])[0]
        if fields != "*" and re.search(r"\bnextPageToken\b", fields) is None:
            raise ValueError("fields must name nextPageToken: without it the list would end after its first page.")


class ListState:
    """How far one reading of a list is."""

    def __init__(self, plan: ListPlan) -> None:
        self._plan = plan
        self._token: str | None = None
        self._pages = 0
        self._items = 0
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """Whether no page is to be asked for any more."""
        plan = self._plan
        enough_pages = plan.max_pages is not None and self._pages >= plan.max_pages
        return self._is_over or enough_pages or (plan.max_items is not None and self._items >= plan.max_items)

    @property
    def params(self) -> QueryParams | None:
        """Query of the next page."""
        if self._token is None:
            return self._plan.params
        # The caller's own token says where to start; a second token would be ambiguous.
        own = query_text(self._plan.params).split("&")
        kept = [pair for pair in own if pair != "" and not pair.startswith("pageToken=")]
        return "&".join([*kept, f"pageToken={quote(self._token, safe='')}"])

    def take(self, data: Any) -> Page:
        """Reads the answer to the next page. Raises UnexpectedAnswerError."""
        if not isinstance(data, dict):
            raise UnexpectedAnswerError("The list answered without JSON.")
        keys = _ITEM_KEYS if self._plan.items_key is None else (self._plan.items_key,)
        items: list[Any] = next((data[key] for key in keys if isinstance(data.get(key), list)), [])
        if self._plan.max_items is not None:
            items = items[: self._plan.max_items - self._items]
        page = Page(
            items=items,
            data=data,
            next_page_token=_token(data, "nextPageToken"),
            next_sync_token=_token(data, "nextSyncToken"),
            new_start_page_token=_token(data, "newStartPageToken"),
        )
        if page.next_page_token is not None and page.next_page_token == self._token:
            raise UnexpectedAnswerError("Google sent the same page token twice; the list would never end.")
        self._pages += 1
        self._items += len(items)
        self._token = page.next_page_token
        self._is_over = self._token is None
        return page


def _token(data: Mapping[str, Any], name: str) -> str | None:
    value = data.get(name)
    return value if isinstance(value, str) and value != "" else None
