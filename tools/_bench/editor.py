"""The times that an editor waits: from a keystroke to the diagnostics of the text, and for names in all
files, in seconds of the processor.

Keystrokes are typed into the ruleset as it stands, at several places of each kind, and taken back.  What is
measured is what the language server does between the change and the message to the editor, without the
messages themselves.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Iterator, Sequence
from statistics import median

from _bench.tables import Table, times
from croupier.lsp.analysis import real_path
from croupier.lsp.workspace import Workspace, uri_of
from croupier.lsp.workspace_symbols import WorkspaceSymbols
from croupier.resources import shipped

PLACES = 8  # of each kind, spread over the file
STATEMENT = re.compile(r"^(?P<indent> {6,})(?:if|for|let|move|announce|return|draw) .*:?$", re.MULTILINE)
KINDS = {
    "a word of a text or title": (re.compile(r"^(?:title|.*\bdoc): *[^|>\s\"'][^\n{},]*\w", re.MULTILINE),
    "s"),
    "a letter of a comment": (re.compile(r"^.*#(?![^\n]*[\"'{}]).*\w$", re.MULTILINE), "s"),
    "a digit of a number": (re.compile(r"(?<=\.\.)\d+(?=[,} \n])"), "0"),
    "a statement, half written": (STATEMENT, "\nINDENTlet other ="),
    "a statement, unknown name": (STATEMENT, "\nINDENTother = 1"),
    "a statement that fits": (STATEMENT, "\nINDENTannounce \"other\""),
}  # fmt: skip
"""By kind: what it is typed behind, and what."""


def keystrokes(text: str, kind: str) -> Iterator[str]:
    """The text after one keystroke, at places of a kind."""
    pattern, new = KINDS[kind]
    places = [found for found in pattern.finditer(text) if not found.group().rstrip().endswith(":")]
    for found in places[:: max(1, len(places) // PLACES)][:PLACES]:
        typed = new.replace("INDENT", found["indent"]) if "INDENT" in new else new
        yield text[: found.end()] + typed + text[found.end() :]


def waits(name: str, kind: str, rounds: int) -> list[float]:
    """Seconds for each place, the least of some rounds: what else goes on at the machine makes none
    shorter.
    """
    path = real_path(shipped()[name].path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    workspace, least = Workspace(), dict[int, float]()
    for _ in range(rounds):
        for at, typed in enumerate(keystrokes(text, kind)):
            for known in (text, typed):
                spent = _diagnosed(workspace, path, known)
            least[at] = min(spent, least.get(at, spent))
    return list(least.values())


def _diagnosed(workspace: Workspace, path: str, text: str) -> float:
    gc.collect()
    gc.disable()
    started = time.process_time()
    workspace.put(uri_of(path), text)
    workspace.diagnose(path, thorough=False)
    spent = time.process_time() - started
    gc.enable()
    return spent


def typing(names: Sequence[str], rounds: int) -> Table:
    """From a keystroke to diagnostics: the median of the places, and the slowest."""
    found = {name: {kind: waits(name, kind, rounds) for kind in KINDS} for name in names}
    shown = {
        kind: [f"{times(median(w))} ({times(max(w))})" if (w := found[name][kind]) else "–" for name in names]
        for kind in KINDS
    }
    return Table(
        ("keystroke to diagnostics, processor (slowest)", *names),
        tuple((kind, *cells) for kind, cells in shown.items()),
    )


def searching(folder: str) -> Table:
    """Names in all files of a folder: the first question, and the next."""
    symbols, spent, count = WorkspaceSymbols(), [], 0
    for query in ("score", "deck"):
        started = time.process_time()
        count = max(count, sum(len(names) for names in symbols.search({}, [folder], query)))
        spent.append(time.process_time() - started)
    return Table(
        ("names in all files, processor", "first", "next"), ((f"{symbols.count} files", *map(times, spent)),)
    )
