"""The block numbers in a terminator: listing them, replacing them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from croupier.ir.suspensions import Suspend
from croupier.ir.terminators import Branch, Foresee, Jump, Query, Settle, Terminator, Walk


def targets(end: Terminator) -> Iterator[int]:
    """Every block that a terminator names: where control may go, and where its queries begin."""
    for edge in end.edges():
        yield edge.target
    for query in end.queries():
        yield query.entry


def renumbered(end: Terminator, numbers: Mapping[int, int]) -> Terminator:
    """The same terminator with other numbers for its blocks."""

    def asked(q: Query) -> Query:
        return replace(q, entry=numbers[q.entry])

    match end:
        case Jump():
            return replace(end, target=numbers[end.target])
        case Branch():
            return replace(end, then=numbers[end.then], other=numbers[end.other])
        case Walk():
            return replace(end, body=numbers[end.body], done=None if end.done is None else numbers[end.done])
        case Foresee():
            return replace(end, body=numbers[end.body], other=numbers[end.other])
        case Settle():
            return replace(end, target=numbers[end.target], condition=asked(end.condition))
        case Suspend():
            resumes = tuple(replace(r, target=numbers[r.target]) for r in end.resumes)
            blocked = None if end.blocked is None else numbers[end.blocked]
            return replace(end, resumes=resumes, blocked=blocked, asks=tuple(map(asked, end.asks)))
    return end
