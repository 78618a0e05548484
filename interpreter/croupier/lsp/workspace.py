"""The texts that are open, the rulesets that they belong to, and what is known about each, as long as nothing has changed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname

from croupier.diagnostics import Diagnostic, Label, Source
from croupier.lsp.analysis import Analysis, Kept, analyse, analyse_scenarios, real
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS, files_in
from croupier.scenarios.files import FOLDER, open_file
from croupier.source import Mapping, Node, Sequence, read, read_file
from croupier.source.files import buffers

MOST_VARIANTS = 50  # of a ruleset that are looked through for uses of a name


def path_of(uri: str) -> str:
    """The path of a document.  One that is not saved anywhere gets a path in the working folder."""
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return real(url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path))
    name = unquote(parts.path).replace("/", "_") or "untitled"
    return real(name if name.endswith(SUFFIXES) else f"{name}.yaml")


def uri_of(path: str) -> str:
    """The address of a file."""
    return "file://" + quote(Path(path).as_posix() if os.name != "nt" else "/" + Path(path).as_posix())


def shown_in(path: str, d: Diagnostic) -> Diagnostic:
    """A finding as the file at a path shows it: one in another file, such as the ruleset that is tried, stands at its beginning."""
    if d.span is None or real(d.span.source.name) == path:
        return d
    place = f"in {d.span.source.name}, line {d.span.line}"
    return replace(d, span=None, labels=(Label(d.span, place), *d.labels), notes=(place, *d.notes), fix=None)


@dataclass
class Workspace:
    """`texts` are the open documents by path; `uris` are their addresses as the editor writes them."""

    texts: dict[str, str] = field(default_factory=dict)
    uris: dict[str, str] = field(default_factory=dict)
    known: dict[str, Analysis] = field(default_factory=dict)
    kept: dict[str, Kept] = field(default_factory=dict)  # what former texts of each ruleset tell about the next one
    good: dict[str, Analysis] = field(default_factory=dict)  # the last analysis of each ruleset that had a program

    # ------------------------------------------------------------ texts
    def put(self, uri: str, text: str) -> str:
        """Take in the text of an open document; gives its path."""
        path = path_of(uri)
        self.uris[path] = uri
        if self.texts.get(path) != text:
            self.texts[path] = text
            self.forget(path)
        return path

    def close(self, uri: str) -> str:
        """A document is closed: from now on the file counts."""
        path = path_of(uri)
        self.texts.pop(path, None)
        self.uris.pop(path, None)
        self.forget(path)
        return path

    def forget(self, path: str) -> None:
        """Something about a file has changed: what was made of it is known no more."""
        self.known = {
            name: a for name, a in self.known.items() if name != path and path not in a.sources and os.path.dirname(path) != os.path.dirname(name)
        }

    def uri(self, path: str) -> str:
        """The address of a file, as the editor knows it."""
        return self.uris.get(path) or uri_of(path)

    def source(self, path: str) -> Source | None:
        """The text of a file, saved or not."""
        if path in self.texts:
            return Source(path, self.texts[path])
        source, _ = read_file(Path(path))
        return source

    # ------------------------------------------------------------ what belongs together
    def is_scenarios(self, path: str) -> bool:
        """Whether a file holds scenarios: by its keys, or else by its folder."""
        if not path.endswith(SUFFIXES):
            return False
        root = self._root(path)
        if isinstance(root, Mapping):
            keys = {key.text for key, _ in root.entries}
            if keys & {"scenarios", "phases", "extends"}:
                return "scenarios" in keys
        return Path(path).parent.name == FOLDER

    def is_table(self, path: str) -> bool:
        """Whether a file holds the rows of a table and not a ruleset: a list."""
        return path.endswith(SUFFIXES) and isinstance(self._root(path), Sequence)

    def _root(self, path: str) -> Node | None:
        """The tree of a file, under the name that a ruleset has in messages, so that it is read once."""
        source = self.source(path)
        if source is None:
            return None
        shown = Path(path).relative_to(os.getcwd()).as_posix() if Path(path).is_relative_to(os.getcwd()) else path
        return read(Source(shown, source.text))[0]

    def main_of(self, path: str) -> str | None:
        """The ruleset to analyse for a file: itself, or for a table or scenarios the ruleset in a folder above."""
        if path.endswith(SUFFIXES) and not self.is_scenarios(path) and not self.is_table(path):
            return path
        for folder in list(Path(path).parents)[:4]:
            main = real(folder / MAIN_FILE)
            if main in self.texts or os.path.isfile(main):
                return main
        return next((a.path for a in self.known.values() if path in a.sources), None)

    def analysis(self, path: str) -> Analysis | None:
        """What is known about the ruleset that a file belongs to."""
        main = self.main_of(path)
        if main is None:
            return None
        if main not in self.known:
            self.known[main] = analyse(main, self.texts, kept=self.kept.setdefault(main, Kept()))
            if self.known[main].program is not None:
                self.good[main] = self.known[main]
        return self.known[main]

    def last_good(self, path: str) -> Analysis | None:
        """What is known about a file's ruleset; where its text cannot be read now, what was known when it could."""
        analysis = self.analysis(path)
        return analysis if analysis is None or analysis.program is not None else self.good.get(analysis.path)

    def family(self, path: str) -> list[Analysis]:
        """The ruleset that a file belongs to, what it extends, and the variants of that."""
        first = self.analysis(path)
        if first is None:
            return []
        found = {first.path: first}
        for name in [*(s for s in first.sources if s.endswith(SUFFIXES)), *self.variants(first)]:
            analysis = self.analysis(name)
            if analysis is not None and (set(analysis.sources) & set(first.sources)):
                found.setdefault(analysis.path, analysis)
        return list(found.values())

    def variants(self, analysis: Analysis) -> list[str]:
        """The variants beside a ruleset, and open documents that may be some."""
        roots = {os.path.dirname(name) for name in analysis.sources if name.endswith(SUFFIXES)} | {os.path.dirname(analysis.path)}
        folders = {folder if os.path.basename(folder) == VARIANTS else os.path.join(folder, VARIANTS) for folder in roots}
        files = [real(p) for folder in sorted(folders) for p in files_in(Path(folder))[0][:MOST_VARIANTS]]
        opened = [path for path in self.texts if path.endswith(SUFFIXES) and not self.is_scenarios(path)]
        return list(dict.fromkeys([*files, *opened]))

    # ------------------------------------------------------------ diagnostics
    def diagnose(self, path: str, *, thorough: bool) -> dict[str, list[Diagnostic]]:
        """The diagnostics of every file that a change of this one touches.

        `thorough`: scenarios are run as far as it takes to find what is wrong with them; else only their shape is looked at.
        """
        found: dict[str, dict[Diagnostic, None]] = {path: {}}
        if self.is_scenarios(path):
            found[path].update(dict.fromkeys(self._scenarios(path, thorough)))
            return {name: list(some) for name, some in found.items()}
        touched = [a for a in (self.analysis(p) for p in self._touched(path)) if a is not None]
        for analysis in touched:
            for name, some in analysis.by_file().items():
                found.setdefault(name, {}).update(dict.fromkeys(some))
        shown = set(self.texts) | {path} | {a.path for a in touched}
        return {name: list(some) for name, some in found.items() if some or name in shown}

    def _touched(self, path: str) -> Iterable[str]:
        """The file's own ruleset, and the open rulesets that read it."""
        readers = [name for name in self.texts if name.endswith(SUFFIXES) and not self.is_scenarios(name)]
        return dict.fromkeys([path, *(name for name in readers if name != path and self._reads(name, path))])

    def _reads(self, name: str, path: str) -> bool:
        analysis = self.analysis(name)
        return analysis is not None and path in analysis.sources

    def _scenarios(self, path: str, thorough: bool) -> tuple[Diagnostic, ...]:
        if thorough:
            return tuple(shown_in(path, d) for d in analyse_scenarios(path, self.texts).diagnostics)
        with buffers({Path(name): text for name, text in self.texts.items()}):
            return open_file(Path(path)).found
