"""The face of the package: names are found on first use, and `croupier.load` is the function."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

import croupier

ROOT = Path(__file__).resolve().parents[2]


def python(code: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    ).stdout.strip()


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


def test_importing_the_package_imports_nothing_but_where_methods_find_higher_functions() -> None:
    assert (
        python("import sys, croupier; print([name for name in sys.modules if name.startswith('croupier.')])")
        == "['croupier.higher']"
    )


def test_one_version() -> None:
    """It stands in the package alone; what repeats it agrees."""
    changes = (ROOT / "grammar" / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\d+\.\d+\.\d+)", changes, re.MULTILINE)
    editor = json.loads((ROOT / "tools" / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    assert newest is not None and newest[1] == editor["version"] == croupier.__version__
    assert not re.search(r"^version *=", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)


def test_a_release_is_tried_before_it_is_published() -> None:
    """The workflow builds once, with the same command that anybody may call, plays what was built on three
    systems, and only then publishes.
    """
    release = YAML(typ="safe", pure=True).load(
        (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    )
    build, plays, publish = (release["jobs"][name] for name in ("build", "plays", "publish"))
    assert "python tools/package" in [step.get("run") for step in build["steps"]]
    assert plays["needs"] == "build" and publish["needs"] == "plays"
    assert {system.split("-")[0] for system in plays["strategy"]["matrix"]["os"]} == {
        "ubuntu",
        "macos",
        "windows",
    }
    assert "python tools/package --played dist" in [step.get("run") for step in plays["steps"]]
    assert publish["permissions"] == {"id-token": "write"}
