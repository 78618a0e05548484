"""What some tests need and not every machine has: a mark for each, with the reason that pytest shows where
they are skipped.
"""

from __future__ import annotations

import os
import shutil

import pytest

from croupier.execution.llvm_compiler import is_installed

compiler = pytest.mark.skipif(
    not is_installed(), reason="llvmlite is not installed: native code is an optional extra, croupier[native]"
)
BACKENDS = ["reference", "python", pytest.param("native", marks=compiler)]
"""Every back end, for tests that are run on each."""
posix = pytest.mark.skipif(
    os.name == "nt",
    reason="links, pipes, devices, signals, pseudo terminals, owners and modes are those of POSIX",
)
c_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler called `cc`")
