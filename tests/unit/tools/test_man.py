"""The man page is fresh, has every command and option, reads without a warning, and comes with the wheel."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from croupier.cli.app import COMMANDS, command

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def man(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import _man

    yield _man
    sys.modules.pop("_man", None)


def test_it_is_fresh(man: ModuleType) -> None:
    assert (ROOT / man.FILE).read_text(encoding="utf-8") == man.page(), "run tools/language"


@pytest.mark.parametrize("name", COMMANDS)
def test_it_has_every_option(name: str, man: ModuleType) -> None:
    _, _, after = man.page().partition(f'.SS "croupier {man.text(name)}')
    own = after.partition("\n.SS ")[0]
    for parameter in command(name).params:
        for option in parameter.opts:
            if option.startswith("--") and option != "--help":
                assert man.text(option) in own, option


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("a `--b`", "a \\-\\-b"),
        (".dot", "\\&.dot"),
        ('say "x" \\ y', "say \\(dqx\\(dq \\e y"),
        ("0 % – 1 %", "0 % \\[u2013] 1 %"),
    ],
)
def test_signs_of_the_formatter_stand_for_themselves(words: str, written: str, man: ModuleType) -> None:
    assert man.text(words) == written


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff reads man pages")
def test_it_reads_without_a_warning(man: ModuleType) -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", str(ROOT / man.FILE)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_it_comes_with_the_wheel(man: ModuleType) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"] == {
        man.FILE.as_posix(): "share/man/man1/croupier.1"
    }
