"""Files as somebody meets them who may not read everything.

Tests often run as the superuser, who may: on Linux he can do without for a while.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

VERSION = 0x20080522  # of the structures of `capset`
OVERRIDES = 1 << 1 | 1 << 2  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH


@contextmanager
def of_anybody() -> Iterator[None]:
    """Inside, the modes of files hold for this thread, as far as the system lets it give up what stands above
    them.
    """
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    # effective, permitted, inheritable; then their higher halves
    header, words = (ctypes.c_uint32 * 2)(VERSION, 0), (ctypes.c_uint32 * 6)()
    known = libc.capget(header, words) == 0
    before = words[0]
    words[0] = before & ~OVERRIDES
    if known:
        libc.capset(header, words)
    try:
        yield
    finally:
        words[0] = before
        if known:
            libc.capset(header, words)
