"""Paths that a ruleset names: relative, downward or at least inside the ruleset's folder, and the same on every system.

The text is judged before anything touches the disk; links are judged by `read_file`, which compares real places.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePosixPath

from croupier.diagnostics import Diagnostic, diagnose
from croupier.limits import MAX_NAMED_PATH
from croupier.schema import Text

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|(data|file|ftp|git|https?|javascript|mailto|ssh):", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?\Z", re.IGNORECASE)


def check_path(named: Text, folder: Path, root: Path) -> tuple[Path | None, Diagnostic | None]:
    """The path that a file in `folder` names, confined to `root`, or what is wrong with its text."""
    text = named.text.strip()
    if len(text) > MAX_NAMED_PATH:
        return None, diagnose("X010", named.span, limit=MAX_NAMED_PATH)
    if text.startswith("/") or text.startswith("\\\\") or _DRIVE.match(text) and not _ADDRESS.match(text):
        return None, diagnose("X008", named.span, name=text)
    reason = _reason(text)
    if reason is not None:
        return None, diagnose("X009", named.span, name=text, reason=reason)
    path = Path(os.path.normpath(os.path.join(os.path.abspath(folder), *PurePosixPath(text).parts)))
    if not path.is_relative_to(os.path.abspath(root)):
        return None, diagnose("X007", named.span, name=text)
    return folder / text if path.is_relative_to(os.path.abspath(folder)) else path, None


def shown(path: Path) -> Path:
    """The path as people like to read it: from the working folder if it lies in it."""
    if not path.is_absolute():
        return path
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):
        return path


def _reason(text: str) -> str | None:
    if _ADDRESS.match(text):
        return "it is an address, and nothing is fetched from a network"
    if "\\" in text:
        return "folders are separated by `/`"
    if text.startswith("~"):
        return "`~` does not stand for a folder here"
    for part in text.split("/"):
        forbidden = _FORBIDDEN.search(part)
        if forbidden:
            return "it holds a sign that cannot stand in the name of a file"
        if not part:
            return "the name of a folder is empty"
        if DEVICE.match(part):
            return f"`{part}` is a device on some systems"
        if part not in (".", "..") and part.endswith((".", " ")):
            return f"`{part}` ends with a dot or a space"
    return None
