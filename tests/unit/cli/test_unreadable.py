"""Folders that may not be searched or listed, and folders and links that are called like files: every command
says so; see the cases.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from croupier.authoring.new import started
from croupier.cli import main
from rights import of_anybody

CASES = YAML(typ="safe").load(Path(__file__).with_name("unreadable.cases.yaml"))["cases"]
MODES = {"closed": 0o000, "listed": 0o444}
VARIANT = "croupier: 1\nextends: ../ruleset.yaml\ntitle: Another\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working folder, with a ruleset in `g`; it can be taken away afterwards."""
    files = started("g", 2, 3)
    files["scenarios/a.yaml"] = files.pop("scenarios/rounds.yaml")
    for name, text in {**files, "variants/v.yaml": VARIANT, "variants/w.yaml": VARIANT}.items():
        path = tmp_path / "g" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for path in ("g", "g/scenarios", "g/variants"):
        (tmp_path / path).chmod(0o700)


def _reads_everything(folder: Path) -> bool:
    """Whether this process may search what nobody may, as the superuser and Windows do."""
    try:
        os.stat(folder / "nothing")
    except FileNotFoundError:
        return True
    except PermissionError:
        return False
    raise AssertionError("nothing is called so")


SECRET = "croupier: 1\nruleset:   secret\ntitle: SECRET\nplayers: 2\nphases: {SECRET: SECRET SECRET}\n"


def _lead_out(folder: Path, name: str) -> None:
    """Put a link in the place of a file or folder."""
    outside, here = folder / "outside", folder / name
    outside.mkdir()
    (outside / "secret.yaml").write_text(SECRET, encoding="utf-8")
    if here.is_dir():
        shutil.rmtree(here)
        here.symlink_to(outside, target_is_directory=True)
    else:
        here.unlink(missing_ok=True)
        here.symlink_to(outside / "secret.yaml")


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(map(str, list(case.values())[:2])))
def test_it_is_said(case: dict[str, str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    how, name = next(iter(case.items()))
    if how in MODES:
        (folder / name).chmod(MODES[how])
    elif how == "folder":
        (folder / name).mkdir()
    elif sys.platform == "win32":
        pytest.skip("links need a right of their own here")
    elif how == "link":
        (folder / name).symlink_to("nowhere")
    else:
        _lead_out(folder, name)
    with of_anybody():
        if how in MODES and _reads_everything(folder / name):
            pytest.skip("this process may read everything")
        assert main(shlex.split(case["command"])) == case["code"]
    said = capsys.readouterr()
    assert case["says"] in said.out + said.err
    if how == "out":
        assert "SECRET" not in said.out + said.err
        assert (folder / "outside" / "secret.yaml").read_text(encoding="utf-8") == SECRET
