"""The open texts, the rulesets that they belong to, and their analyses, cached until a text changes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname

from croupier import source as yaml_tree
from croupier.diagnostics import Diagnostic, Label, Source
from croupier.lsp.analysis import AnalysisCache, RulesetAnalysis, analyse, analyse_scenarios, real_path
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS, files_in
from croupier.scenarios.files import FOLDER, open_file
from croupier.source import YamlNode, read, read_file
from croupier.source.files import buffers

MAX_VARIANTS = 50  # of a ruleset that are looked through for uses of a name


def path_of(uri: str) -> str:
    """The path of a document.  One that is not saved anywhere gets a path in the working folder."""
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return real_path(url2pathname(f"//{parts.netloc}{parts.path}" if parts.netloc else parts.path))
    name = unquote(parts.path).replace("/", "_") or "untitled"
    return real_path(name if name.endswith(SUFFIXES) else f"{name}.yaml")


def uri_of(path: str) -> str:
    """The address of a file."""
    return "file://" + quote(Path(path).as_posix() if os.name != "nt" else "/" + Path(path).as_posix())


def as_shown_in(path: str, d: Diagnostic) -> Diagnostic:
    """A diagnostic as the file at a path shows it: one in another file, such as the ruleset under test, is
    shown at the file's beginning.
    """
    if d.span is None or real_path(d.span.source.name) == path:
        return d
    place = f"in {d.span.source.name}, line {d.span.line}"
    return replace(d, span=None, labels=(Label(d.span, place), *d.labels), notes=(place, *d.notes), fix=None)


class Superseded(Exception):
    """Nobody waits for the diagnostics any more."""


@dataclass
class Workspace:
    """`texts` are the open documents by path; `uris` are their addresses as the editor writes them."""

    texts: dict[str, str] = field(default_factory=dict)
    uris: dict[str, str] = field(default_factory=dict)
    known: dict[str, RulesetAnalysis] = field(default_factory=dict)
    caches: dict[str, AnalysisCache] = field(default_factory=dict)  # of each ruleset
    # the last analysis of each ruleset that had a program
    with_program: dict[str, RulesetAnalysis] = field(default_factory=dict)

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
        """A document is closed: from now on its file is read."""
        path = path_of(uri)
        self.texts.pop(path, None)
        self.uris.pop(path, None)
        self.forget(path)
        return path

    def forget(self, path: str) -> None:
        """A file has changed: discard the analyses that used it."""
        self.known = {
            name: a
            for name, a in self.known.items()
            if name != path and path not in a.sources and os.path.dirname(path) != os.path.dirname(name)
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
        """Tell whether a file holds scenarios: by its keys, or else by its folder."""
        if not path.endswith(SUFFIXES):
            return False
        root = self._root(path)
        if isinstance(root, yaml_tree.YamlMapping):
            keys = {key.text for key, _ in root.entries}
            if keys & {"scenarios", "phases", "extends"}:
                return "scenarios" in keys
        return Path(path).parent.name == FOLDER

    def is_table(self, path: str) -> bool:
        """Tell whether a file holds the rows of a table and not a ruleset: a list."""
        return path.endswith(SUFFIXES) and isinstance(self._root(path), yaml_tree.YamlSequence)

    def _root(self, path: str) -> YamlNode | None:
        """The tree of a file, under the name that a ruleset has in messages, so that it is read once."""
        source = self.source(path)
        if source is None:
            return None
        shown = (
            Path(path).relative_to(os.getcwd()).as_posix() if Path(path).is_relative_to(os.getcwd()) else path
        )
        return read(Source(shown, source.text))[0]

    def main_of(self, path: str) -> str | None:
        """The ruleset to analyse for a file: itself, or for a table or scenarios the ruleset in a folder
        above.
        """
        if path.endswith(SUFFIXES) and not self.is_scenarios(path) and not self.is_table(path):
            return path
        for folder in list(Path(path).parents)[:4]:
            main = real_path(folder / MAIN_FILE)
            if main in self.texts or os.path.isfile(main):
                return main
        return next((a.path for a in self.known.values() if path in a.sources), None)

    def analysis(self, path: str) -> RulesetAnalysis | None:
        """The analysis of the ruleset that a file belongs to."""
        main = self.main_of(path)
        if main is None:
            return None
        if main not in self.known:
            self.known[main] = analyse(main, self.texts, cache=self._cache(main))
            if self.known[main].program is not None:
                self.with_program[main] = self.known[main]
        return self.known[main]

    def _cache(self, main: str) -> AnalysisCache:
        return self.caches.setdefault(main, AnalysisCache())

    def cache_of_texts(self, main: str) -> AnalysisCache:
        """Return a cache for the analysis of a text that nobody has written, such as one with a hole: what
        its files were read as.
        """
        return AnalysisCache(reader=self._cache(main).reader)

    def last_good(self, path: str) -> RulesetAnalysis | None:
        """The last analysis of a file's ruleset that had a program; the current one if there was none."""
        analysis = self.analysis(path)
        return (
            analysis
            if analysis is None or analysis.program is not None
            else self.with_program.get(analysis.path)
        )

    def related_rulesets(self, path: str) -> list[RulesetAnalysis]:
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

    def variants(self, analysis: RulesetAnalysis) -> list[str]:
        """The variants beside a ruleset, and open documents that may be some."""
        roots = {os.path.dirname(name) for name in analysis.sources if name.endswith(SUFFIXES)} | {
            os.path.dirname(analysis.path)
        }
        folders = {
            folder if os.path.basename(folder) == VARIANTS else os.path.join(folder, VARIANTS)
            for folder in roots
        }
        files = [real_path(p) for folder in sorted(folders) for p in files_in(Path(folder))[0][:MAX_VARIANTS]]
        opened = [path for path in self.texts if path.endswith(SUFFIXES) and not self.is_scenarios(path)]
        return list(dict.fromkeys([*files, *opened]))

    # ------------------------------------------------------------ diagnostics
    def diagnose(
        self, path: str, *, thorough: bool, is_over: Callable[[], bool] = lambda: False
    ) -> dict[str, list[Diagnostic]]:
        """The diagnostics of every file that a change of this one affects.

        `thorough`: scenarios are run as far as needed to find mistakes in them; else only their shape is
        checked.  `is_over` is asked after each analysis whether nobody waits for the diagnostics any more.
        Raises `Superseded` then; what has been analysed is kept.
        """
        found: dict[str, dict[Diagnostic, None]] = {path: {}}
        if self.is_scenarios(path):
            found[path].update(dict.fromkeys(self._scenarios(path, thorough)))
            return {name: list(some) for name, some in found.items()}
        touched = []
        for name in self._touched(path):
            analysis = self.analysis(name)
            if is_over():
                raise Superseded
            if analysis is not None:
                touched.append(analysis)
        for analysis in touched:
            for name, some in analysis.by_file().items():
                found.setdefault(name, {}).update(dict.fromkeys(some))
        shown = set(self.texts) | {path} | {a.path for a in touched}
        return {name: list(some) for name, some in found.items() if some or name in shown}

    def _touched(self, path: str) -> Iterable[str]:
        """The file's own ruleset, and the open rulesets that read it."""
        yield path
        for name in list(self.texts):
            if (
                name != path
                and name.endswith(SUFFIXES)
                and not self.is_scenarios(name)
                and self._reads(name, path)
            ):
                yield name

    def _reads(self, name: str, path: str) -> bool:
        analysis = self.analysis(name)
        return analysis is not None and path in analysis.sources

    def _scenarios(self, path: str, thorough: bool) -> tuple[Diagnostic, ...]:
        if thorough:
            return tuple(as_shown_in(path, d) for d in analyse_scenarios(path, self.texts).diagnostics)
        with buffers({Path(name): text for name, text in self.texts.items()}):
            return open_file(Path(path)).found
