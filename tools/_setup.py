"""The shared set-up of `tools/*`: a virtual environment in `.venv`, built once and reused while
`pyproject.toml` stays the same.

It has three stages: what running needs, what the quick tests need besides, and what all tests and tools need.
A later one extends an earlier one.

Only the standard library is used, so that any Python from 3.11 on can run it. What the machine lacks is said
in words, with the command that installs it; the exit code is then 2.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP = VENV / "croupier-set-up"
MINIMUM = (3, 11)
RUN, TESTS, ALL = STAGES = ("run", "tests", "all")
# Groups of `pyproject.toml`, and what is missing without them.
OPTIONAL = {
    "native": "no native code",
    "peers": "nothing is held against OpenSpiel",
    "browser": "no walks through a browser",
    "logs": "the answers of the page on logs are not tried",
}


_NAME = re.compile(r"[\w.-]+")  # of a package, before its version


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


def command() -> str:
    """Return the command `croupier` of the environment, from the folder of the checkout."""
    return str(environment_python().with_name("croupier").relative_to(ROOT))


def set_up(stage: str = ALL) -> Path:
    """Make the environment ready for a stage and return its interpreter; a ready one is reused at once, one
    of an earlier stage is extended.

    Leaves with exit code 2, and in words, if it cannot be made.
    """
    if sys.version_info < MINIMUM:
        give_up(
            f"croupier needs Python {MINIMUM[0]}.{MINIMUM[1]} or newer; this is {sys.version.split()[0]} "
            f"({sys.executable})"
        )
    python = environment_python()
    wanted = _fingerprint()
    if _ready(stage, wanted):
        return python
    with _alone():
        if not _ready(stage, wanted):  # another command may have made it meanwhile
            _make(python, stage, wanted)
    return python


def _ready(stage: str, wanted: str) -> bool:
    return environment_python().exists() and _stamp() in [
        f"{wanted} {later}" for later in STAGES[STAGES.index(stage) :]
    ]


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """One set-up at a time: two commands that are started together on a new checkout would remove each
    other's files.
    """
    try:
        import fcntl
    except ImportError:  # Windows: no such lock
        yield
        return
    with (ROOT / "pyproject.toml").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another command that makes {VENV}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make(python: Path, stage: str, wanted: str) -> None:
    _require("venv")
    _require("ensurepip")
    if not python.exists() or not _ready(RUN, wanted):
        say(f"making {VENV} (once)")
        if VENV.exists():
            shutil.rmtree(VENV)
        _create()
    _install(python, stage)
    STAMP.write_text(f"{wanted} {stage}", encoding="utf-8")


def with_group(group: str, module: str) -> Path:
    """The interpreter of the environment, with an optional group of `pyproject.toml` that has this module.

    Leaves with exit code 2 likewise.
    """
    python = set_up(RUN)
    if (
        subprocess.run([str(python), "-c", f"import {module}"], capture_output=True, check=False).returncode
        != 0
    ):
        say(f"installing the optional group `{group}` of pyproject.toml")
        installed = _pip(python, f".[{group}]")
        if installed.returncode != 0:
            give_up(
                f"the group `{group}` could not be installed; is the package index within "
                f"reach?\n{installed.stdout}{installed.stderr}"
            )
    return python


def run(arguments: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> int:
    """Run a command in the checkout with its output passed through, perhaps in another environment; return
    its exit code.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    finished = subprocess.run(
        [str(a) for a in arguments], cwd=ROOT, stdin=subprocess.DEVNULL, check=False, env=environment
    )
    return finished.returncode


def with_bytecode() -> dict[str, str]:
    """The environment of a command that starts many processes: compiled modules are kept in `.venv`, where
    the sources are to have none, too.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**environment, "PYTHONPYCACHEPREFIX": str(VENV / "bytecode")}


def _fingerprint() -> str:
    """Return a hash of what the environment is built from: the project file, this interpreter and the place
    of the checkout.
    """
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
            f"this Python ({sys.executable}) has no `{module}` module, so no virtual environment can be "
            f"made\n"
            f"  Debian, Ubuntu: sudo apt install python{version}-venv\n"
            f"  Fedora, RHEL:   sudo dnf install python3 python3-pip\n"
            f"  macOS, Windows: install Python {version} from https://www.python.org/downloads/\n"
            "then run this command again"
        )


def _has_pip() -> bool:
    """Tell whether the pip of this very Python can install into another environment, which then needs none of
    its own.
    """
    try:
        major, minor = importlib.metadata.version("pip").split(".")[:2]
        return (int(major), int(minor)) >= (22, 3)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return False


def _create() -> None:
    command = [sys.executable, "-m", "venv", *(["--without-pip"] if _has_pip() else []), str(VENV)]
    made = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        give_up(f"the virtual environment could not be made:\n{made.stdout}{made.stderr}")


def _install(python: Path, stage: str) -> None:
    """Install what a stage needs; of what is optional, a group that cannot be installed here is named, with
    what it takes away.
    """
    import tomllib  # which older versions of Python lack: they have been told by now

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = ", ".join(name[0] for name in map(_NAME.match, project["dependencies"]) if name is not None)
    if stage == RUN:
        say(f"installing what running needs: {needed} (some 20 MB, a few seconds)")
        _pip_or_give_up(python, ".")
        return
    if stage == TESTS:
        say(
            f"installing {needed} and what the quick tests need: `test` of pyproject.toml (some 100 MB, half "
            f"a minute)"
        )
        _pip_or_give_up(python, ".[test]")
        return
    say(
        f"installing {needed} and what all tests need: {', '.join(('dev', *OPTIONAL))} of pyproject.toml "
        f"(some 800 MB, a minute or two)"
    )
    if _pip(python, f".[{','.join(('dev', *OPTIONAL))}]").returncode == 0:
        return
    _pip_or_give_up(python, ".[dev]")
    for group, loss in OPTIONAL.items():
        if _pip(python, f".[{group}]").returncode != 0:
            say(f"the optional group `{group}` could not be installed here: {loss}")


def _pip_or_give_up(python: Path, what: str) -> None:
    installed = _pip(python, what)
    if installed.returncode != 0:
        give_up(
            f"the dependencies could not be installed; is the package index within "
            f"reach?\n{installed.stdout}{installed.stderr}"
        )


def _pip(python: Path, what: str) -> subprocess.CompletedProcess[str]:
    pip = [sys.executable, "-m", "pip", "--python", str(python)] if _has_pip() else [str(python), "-m", "pip"]
    command = [
        *pip,
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-input",
        "--no-compile",
        "--editable",
        what,
    ]
    return subprocess.run(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
