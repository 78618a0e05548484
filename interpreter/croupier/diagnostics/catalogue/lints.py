"""Codes L: certainly useless, certainly wrong."""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

ENTRIES: tuple[Entry, ...] = (
    Entry(
        'L001',
        'never used',
        '{kind} `{name}` is never used',
        'Nothing reads it.',
        severity='warning',
        help='use it or remove it',
    ),
)
