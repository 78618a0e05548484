"""Requests that are not possible, with words for whoever asked."""

from __future__ import annotations

from collections.abc import Mapping


class RefusedRequest(Exception):
    """A request that is not possible.

    The text is for the person who asked, `status` that of HTTP; `details` are further values of the answer,
    for the page.
    """

    def __init__(self, text: str, status: int = 400, details: Mapping[str, object] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.details = dict(details or {})
