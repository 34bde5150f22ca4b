"""Secrets that do not show themselves."""

from __future__ import annotations


class SecretText:
    """A secret that does not show itself: not in `repr`, so in no log and no traceback with local variables (LB-1)."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return "SecretText(...)"

    def reveal(self) -> str:
        """The secret itself, for the header that carries it."""
        return self._text
