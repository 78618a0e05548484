"""The common parts of the scripts in `tools/`: their arguments, the environment they run in, how they end.

A script reads its arguments first, so that `--help` and a slip need nothing, then calls `enter`: any Python
from 3.11 on may start it. Exit codes: 2 for what cannot be done as asked, 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import _setup

ROOT = _setup.ROOT
NEEDED = ("lark", "pydantic", "rich", "ruamel.yaml", "typer")
BACKENDS = ("auto", "reference", "python", "native")


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Arguments of a script, whose `--help` shows what stands at its head, examples included."""
    return argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )


def at_least(least: int) -> Callable[[str], int]:
    """A whole number of an argument. What it gives raises `argparse.ArgumentTypeError` for anything else."""

    def number(text: str) -> int:
        if text.strip().isdecimal() and int(text) >= least:
            return int(text)
        raise argparse.ArgumentTypeError(f"`{text}` is not a whole number from {least} on")

    return number


def seconds(text: str) -> float:
    """A time, in seconds, more than none. Raises `argparse.ArgumentTypeError`."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 3600:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds")
    return value


def setting(text: str) -> tuple[str, str]:
    """`NAME=VALUE`. Raises `argparse.ArgumentTypeError`."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"`{text}` is not NAME=VALUE")
    return name, value


def lacking() -> list[str]:
    """Packages that this interpreter does not have and every script needs."""
    missing: list[str] = []
    for name in NEEDED:
        try:
            found = importlib.util.find_spec(name)
        except ModuleNotFoundError:
            found = None
        if found is None:
            missing.append(name)
    return missing


def enter(*folders: str) -> None:
    """Go on where the dependencies are: in this interpreter if it has them, otherwise in that of `.venv`,
    which then runs the script again.

    Afterwards the package and what lies in `folders` of the checkout can be imported.
    """
    missing = lacking()
    if missing:
        if Path(sys.prefix).resolve() == _setup.VENV.resolve():
            _setup.give_up(
                f"{_setup.VENV} lacks {', '.join(missing)}: delete that folder and run this command again"
            )
        again([str(_setup.set_up()), *sys.argv])
    sys.path[:0] = [str(ROOT / folder) for folder in ("interpreter", *folders)]
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, (str(ROOT / "interpreter"), os.environ.get("PYTHONPATH")))
    )


def again(command: list[str]) -> NoReturn:
    """Become another command; where a process cannot, wait for it."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name == "nt":
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


@contextmanager
def worded() -> Iterator[None]:
    """Show why a ruleset or a set-up of it is refused, and end the script.

    To be used after `enter`.
    """
    from croupier.diagnostics import RulesetError
    from croupier.diagnostics.render import render_human

    try:
        yield
    except RulesetError as refused:
        _setup.give_up(render_human(refused.diagnostics).rstrip())


def start(main: Callable[[], int]) -> NoReturn:
    """Run a script."""
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
