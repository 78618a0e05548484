"""The streams of news that are open: so many in all, of one visitor, and of the network around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from croupier.server.addresses import surroundings
from croupier.server.refusals import RefusedRequest

MAX_STREAMS = 2_000
MAX_STREAMS_OF_ONE = 64  # of one visitor: a household or an office may have one address
MAX_STREAMS_AROUND = 400  # of all visitors of one network, `addresses.surroundings`


class Streams:
    """Counts the open streams, by visitor and by the network around."""

    def __init__(self) -> None:
        self._of: Counter[str] = Counter()
        self._around: Counter[str] = Counter()
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
        around = surroundings(who)
        if self._around[around] >= MAX_STREAMS_AROUND:
            raise RefusedRequest(f"from {around} too many pages are open; close one of them", 429)
        self._of[who] += 1
        self._around[around] += 1
        self._all += 1
        try:
            yield
        finally:
            self._all -= 1
            for counted, place in ((self._of, who), (self._around, around)):
                counted[place] -= 1
                if not counted[place]:
                    del counted[place]
