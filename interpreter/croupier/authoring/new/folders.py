"""A folder written whole or not at all: beside its place first, then in a single step into it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from croupier.diagnostics import RulesetError, diagnose


def write_folder(folder: Path, files: Mapping[str, str], approve: Callable[[Path], None]) -> list[Path]:
    """Write files, path by text, into a new folder, and give their paths.

    `approve` looks at the draft before it takes its place and raises what it does not like.  Raises `RulesetError` if the name is taken
    or nothing can be written there.
    """
    if os.path.lexists(folder):
        raise RulesetError([diagnose("X530", None, name=folder, help="choose another name, or another folder with `--in`")])
    try:
        draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".croupier-", suffix=".tmp"))
    except (OSError, ValueError) as error:
        raise _cannot(folder, error) from None
    try:
        inner = draft / folder.name
        for name, text in files.items():
            path = inner / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        approve(inner)
        os.rename(inner, folder)
    except FileExistsError:
        raise RulesetError([diagnose("X530", None, name=folder, help="choose another name, or another folder with `--in`")]) from None
    except OSError as error:
        raise _cannot(folder, error) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return [folder / name for name in files]


def _cannot(folder: Path, error: OSError | ValueError) -> RulesetError:
    reason = error.strerror.lower() if isinstance(error, OSError) and error.strerror else "the name is not possible"
    return RulesetError([diagnose("X531", None, name=folder, reason=reason)])
