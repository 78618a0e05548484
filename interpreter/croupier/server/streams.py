"""The streams of news that are open: so many in all, so many of one visitor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from croupier.server.refusals import RefusedRequest

MAX_STREAMS = 2_000
MAX_STREAMS_OF_ONE = 64  # of one visitor: a household or an office may have one address


class Streams:
    """Counts the open streams, by visitor."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()
        self._all = 0

    def __len__(self) -> int:
        return self._all

    @contextmanager
    def open(self, who: str) -> Iterator[None]:
        """A stream of a visitor. Raises `RefusedRequest` where there are too many."""
        if self._all >= MAX_STREAMS:
            raise RefusedRequest("too many pages are open", 503)
        if self._of[who] >= MAX_STREAMS_OF_ONE:
            raise RefusedRequest(
                f"from your address {MAX_STREAMS_OF_ONE} pages are open; close one of them", 429
            )
        self._of[who] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            self._of[who] -= 1
            if not self._of[who]:
                del self._of[who]
