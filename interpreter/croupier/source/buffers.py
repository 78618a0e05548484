"""Texts that stand for files: what an editor shows and has not saved, what a tool is about to write.

While `buffers({path: text})` is entered, `read_file` gives these texts instead of what is on the disk.  The rules for paths stay.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_TEXTS: ContextVar[Mapping[str, str] | None] = ContextVar("buffers", default=None)


@contextmanager
def buffers(texts: Mapping[Path, str]) -> Iterator[None]:
    """Let texts stand for files, in this thread, until the context ends.  Paths are made absolute; links are not followed."""
    token = _TEXTS.set({os.path.abspath(path): text for path, text in texts.items()})
    try:
        yield
    finally:
        _TEXTS.reset(token)


def buffered(path: Path) -> str | None:
    """The text that stands for a file, if there is one."""
    texts = _TEXTS.get()
    return texts.get(os.path.abspath(path)) if texts else None
