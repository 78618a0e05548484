"""A terminal session as a picture: a slip in the README's ruleset, what `check` says, the mended one, a
simulation.
"""

from __future__ import annotations

import html
import io
import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

FILE = "last_match.yaml"
WRONG, RIGHT = "n <= lft", "n <= left"
COMMANDS = (("check", FILE), ("simulate", FILE, "--games", "10000", "--seed", "1"))
WIDTH = 84
TITLE = "croupier"
DURATION = re.compile(r"^.*\d games a second.*\n", re.MULTILINE)
CELL = 12.2  # of the picture, how wide a sign is
LINE = re.compile(r'<text class="[^"]*" x="([\d.]+)" y="([\d.]+)"[^>]*>(.*?)</text>')


def ruleset(root: Path) -> str:
    """The first ruleset of README.md.

    Raises ValueError if there is none, or not the line that the slip is put in.
    """
    found = re.search(
        r"^```yaml ruleset\n(.*?)^```",
        (root / "README.md").read_text(encoding="utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    if found is None or found.group(1).count(RIGHT) != 1:
        raise ValueError(f"README.md has no ruleset with `{RIGHT}`")
    return found.group(1)


def session(root: Path, folder: Path) -> str:
    """Return the text of the terminal, with its colours as escape sequences; the files lie in `folder`.

    Raises ValueError likewise.
    """
    right = ruleset(root)
    shown = []
    for text, commands in ((right.replace(RIGHT, WRONG), COMMANDS[:1]), (right, COMMANDS)):
        (folder / FILE).write_text(text, encoding="utf-8")
        shown += [
            f"\x1b[1;32m$\x1b[0m \x1b[1mcroupier {' '.join(command)}\x1b[0m\n{printed(command, folder)}"
            for command in commands
        ]
    return "\n".join(shown)


def printed(command: tuple[str, ...], folder: Path) -> str:
    """Return the output of a command on both streams, as a terminal would show it, but for the line that says
    how long it took.
    """
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "PYTHONIOENCODING": "utf-8"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "croupier", *command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    return DURATION.sub("", done.stdout)


def draw(shown: str) -> str:
    """The picture, as SVG."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text.from_ansi(shown))
    return console.export_svg(title=TITLE, unique_id="session")


def words(picture: str) -> list[str]:
    """The lines of a picture from top to bottom, without their colours: what two pictures are compared by."""
    lines: dict[float, str] = {}
    for height, left, text in sorted(
        (float(height), float(left), text) for left, height, text in LINE.findall(picture)
    ):
        lines[height] = lines.get(height, "").ljust(round(left / CELL)) + html.unescape(text).replace(
            "\xa0", " "
        )
    return list(lines.values())
