"""Everything that is declared in the files of a workspace: open documents, and rulesets, variants and scenarios in its folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from croupier.diagnostics import Source
from croupier.lsp.analysis import real
from croupier.lsp.outline import Item, outline
from croupier.lsp.workspace import Workspace
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS
from croupier.scenarios.files import FOLDER

MOST_FILES = 500
MOST_SYMBOLS = 500
MOST_DEEP = 4  # folders inside one another that are looked through
SKIPPED = ("section", "key", "title", "hook")


def workspace_symbols(workspace: Workspace, folders: Iterable[str], query: str) -> list[tuple[Item, str]]:
    """What is declared under a name that holds the letters of the query in their order, with the name of what it stands in."""
    found: list[tuple[Item, str]] = []
    for path in dict.fromkeys([*workspace.texts, *(p for folder in folders for p in _files(folder))]):
        source = workspace.source(path) if path.endswith(SUFFIXES) else None
        if source is None:
            continue
        for item, section in _declared(_outline(source.name, source.text), ""):
            if _matches(query, item.name):
                found.append((item, section))
            if len(found) == MOST_SYMBOLS:
                return found
    return found


@lru_cache(maxsize=128)
def _outline(name: str, text: str) -> tuple[Item, ...]:
    return tuple(outline(Source(name, text)))


def _declared(items: Iterable[Item], section: str) -> Iterator[tuple[Item, str]]:
    for item in items:
        if item.kind not in SKIPPED:
            yield item, section
        yield from _declared(item.children, item.name)


def _matches(query: str, name: str) -> bool:
    letters = iter(name.casefold())
    return all(letter in letters for letter in query.casefold() if not letter.isspace())


def _files(folder: str) -> Iterator[str]:
    """The rulesets, variants and scenario files in a folder and those inside it, hidden ones left out."""
    count = 0
    top = len(Path(folder).parts)
    for here, inner, names in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith(".")) if len(Path(here).parts) - top < MOST_DEEP else []
        wanted = names if os.path.basename(here) in (VARIANTS, FOLDER) else [name for name in names if name == MAIN_FILE]
        for name in sorted(wanted):
            if name.endswith(SUFFIXES):
                yield real(os.path.join(here, name))
                count += 1
                if count == MOST_FILES:
                    return
