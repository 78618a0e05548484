"""The face of the package: names are found on first use, and `croupier.load` is the function."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import croupier


def python(code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True).stdout.strip()


def test_every_public_name_is_there() -> None:
    assert [name for name in croupier.__all__ if getattr(croupier, name, None) is None] == []
    assert dir(croupier) == sorted(croupier.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute `lod`"):
        croupier.lod  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import croupier; print(croupier.load.__class__.__name__)",
        "import croupier.pipeline; print(croupier.load.__class__.__name__)",
        "from croupier import load; import croupier.pipeline; print(load.__class__.__name__)",
    ],
)
def test_load_is_the_function_however_it_is_imported(code: str) -> None:
    assert python(code) == "function"


def test_importing_the_package_imports_nothing_else() -> None:
    assert python("import sys, croupier; print([name for name in sys.modules if name.startswith('croupier.')])") == "[]"
