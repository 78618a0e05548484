"""The shared set-up of `tools/*`: a virtual environment in `.venv`, built once and reused while `pyproject.toml` stays the same.

Only the standard library is used, so that any Python from 3.11 on can run it. What the machine lacks is said in words, with
the command that installs it; the exit code is then 2.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "croupier-set-up"
MINIMUM = (3, 11)
OPTIONAL = {"native": "no native code", "peers": "nothing is held against OpenSpiel"}  # groups of `pyproject.toml`, and what is missing without them


def say(text: str) -> None:
    """Write one line of progress to stderr: data belongs on stdout."""
    print(text, file=sys.stderr, flush=True)


def give_up(text: str) -> NoReturn:
    """Say what is missing and leave with exit code 2."""
    say(text)
    raise SystemExit(2)


def environment_python() -> Path:
    """The interpreter of the environment: `Scripts` on Windows, `bin` elsewhere."""
    return VENV / "Scripts" / "python.exe" if os.name == "nt" else VENV / "bin" / "python"


def set_up() -> Path:
    """Make the environment ready and return its interpreter; a ready one is reused at once."""
    if sys.version_info < MINIMUM:
        give_up(f"croupier needs Python {MINIMUM[0]}.{MINIMUM[1]} or newer; this is {sys.version.split()[0]} ({sys.executable})")
    python = environment_python()
    wanted = _fingerprint()
    if python.exists() and _stamp() == wanted:
        return python
    _require("venv")
    _require("ensurepip")
    say(f"setting up {VENV} (once; it takes a minute)")
    if VENV.exists():
        shutil.rmtree(VENV)
    _create()
    _install(python)
    STAMP.write_text(wanted, encoding="utf-8")
    return python


def run(arguments: Sequence[str | Path]) -> int:
    """Run a command in the checkout with its output passed through; return its exit code."""
    sys.stdout.flush()
    sys.stderr.flush()
    finished = subprocess.run([str(a) for a in arguments], cwd=ROOT, stdin=subprocess.DEVNULL, check=False)
    return finished.returncode


def _fingerprint() -> str:
    """What the environment was built from: the project file, this interpreter and the place of the checkout."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes())
    digest.update(f"\n{sys.version}\n{sys.base_prefix}\n{ROOT}".encode())
    return digest.hexdigest()


def _stamp() -> str:
    try:
        return STAMP.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _require(module: str) -> None:
    """Refuse in words when the standard module is missing: some distributions package it apart."""
    if importlib.util.find_spec(module) is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        give_up(
            f"this Python ({sys.executable}) has no `{module}` module, so no virtual environment can be made\n"
            f"  Debian, Ubuntu: sudo apt install python{version}-venv\n"
            f"  Fedora, RHEL:   sudo dnf install python3 python3-pip\n"
            f"  macOS, Windows: install Python {version} from https://www.python.org/downloads/\n"
            "then run this command again"
        )


def _create() -> None:
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        give_up(f"the virtual environment could not be made:\n{made.stdout}{made.stderr}")


def _install(python: Path) -> None:
    """What the tests need, and what is optional: a group that cannot be installed here is named, with what it takes away."""
    if _pip(python, f".[{','.join(('dev', *OPTIONAL))}]").returncode == 0:
        return
    installed = _pip(python, ".[dev]")
    if installed.returncode != 0:
        give_up(f"the dependencies could not be installed; is the package index within reach?\n{installed.stdout}{installed.stderr}")
    for group, loss in OPTIONAL.items():
        if _pip(python, f".[{group}]").returncode != 0:
            say(f"the optional group `{group}` could not be installed here: {loss}")


def _pip(python: Path, what: str) -> subprocess.CompletedProcess[str]:
    command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--editable", what]
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
