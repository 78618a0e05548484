"""The open texts, an analysis of each ruleset that they belong to, and scenario runs in a process of their
own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from threading import Thread
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname

from croupier import source as yaml_tree
from croupier.diagnostics import Diagnostic, Label, RulesetError, Source
from croupier.lsp.symbols import RulesetIndex, build_index
from croupier.pipeline import set_up_problems, with_switches
from croupier.play.interrupt import WorkerContext
from croupier.resolve import open_ruleset
from croupier.resolve.attribution import UNUSED_CODES
from croupier.resolve.resolved import ResolvedRuleset
from croupier.resources import MAIN_FILE, SUFFIXES, VARIANTS, files_in
from croupier.scenarios import check_scenarios, run_scenarios
from croupier.scenarios.document import FOLDER, open_file
from croupier.semantics.canonical import declared
from croupier.semantics.context import FileReader
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.program import Program
from croupier.semantics.symbol_index import SymbolIndex, check_with_index
from croupier.source import YamlNode, read, read_file
from croupier.source.files import buffers


# ---------------------------------------------------------------- analysis
# The stages of `pipeline.check`, in the same order, with unsaved texts and a checker that notes the symbols
# of names.
def real_path(name: str | Path) -> str:
    """The real absolute path of a file, which identifies it."""
    return os.path.abspath(name)


@dataclass
class RulesetAnalysis:
    """The analysis of a ruleset or a file of scenarios.  `texts` are those that were analysed, by path."""

    path: str
    diagnostics: tuple[Diagnostic, ...]
    doc: ResolvedRuleset | None = None
    program: Program | None = None
    notes: SymbolIndex = field(default_factory=SymbolIndex)
    index: RulesetIndex = field(default_factory=RulesetIndex)
    sources: dict[str, Source] = field(default_factory=dict)

    def by_file(self) -> dict[str, list[Diagnostic]]:
        """The diagnostics by file; those without a place belong to the file itself."""
        found: dict[str, list[Diagnostic]] = {name: [] for name in (self.path, *self.sources)}
        for d in self.diagnostics:
            found.setdefault(real_path(d.span.source.name) if d.span is not None else self.path, []).append(d)
        return found

    def is_file(self, name: str, path: str) -> bool:
        """Tell whether a source of this name is the file at a path."""
        source = self.sources.get(path)
        return source is not None and source.name == name

    def source(self, path: str) -> Source | None:
        """The text of a file as it was analysed."""
        return self.sources.get(path)


@dataclass
class AnalysisCache:
    """Results for former texts of a ruleset that make the next analysis faster and change nothing else."""

    flow: AnalysisMemory = field(default_factory=AnalysisMemory)
    reader: FileReader = field(default_factory=FileReader)
    set_up: object = None  # the shape of the last declarations with which every game can be set up


def analyse(
    path: str, texts: Mapping[str, str], *, set_up: bool = True, cache: AnalysisCache | None = None
) -> RulesetAnalysis:
    """Analyse the ruleset or variant at a path; `texts` are used instead of unsaved files.

    `set_up`: also check whether a game can be set up, as `croupier check` does.
    """
    cache = AnalysisCache() if cache is None else cache
    with buffers({Path(name): text for name, text in texts.items()}):
        doc, found = open_ruleset(Path(path))
        if doc is None:
            return RulesetAnalysis(path, tuple(found))
        program, more, notes = check_with_index(doc, cache.flow, cache.reader)
        diagnostics = [*found, *more]
        # variants, which are not analysed here, may use what these rules do not
        if any(p.switches for p in program.params.values()):
            diagnostics = [d for d in diagnostics if d.code not in UNUSED_CODES]
        if set_up and not any(d.is_error for d in diagnostics):
            diagnostics += _set_up_problems(program, doc, cache)
    sources = {real_path(source.name): source for source in doc.sources}
    return RulesetAnalysis(
        path, tuple(diagnostics), doc, program, notes, build_index(doc, program, notes), sources
    )


def _set_up_problems(program: Program, doc: ResolvedRuleset, cache: AnalysisCache) -> Sequence[Diagnostic]:
    """Return the reasons why games cannot be set up.

    It depends on declarations only, so it is cached by the shape of declarations with which all games can.
    """
    form = declared(program)
    if form == cache.set_up:
        return ()
    ruleset, problems = with_switches(program, doc)
    if not any(d.is_error for d in problems):
        try:
            problems += set_up_problems(ruleset)
        except RulesetError as error:  # a default switches a variant on, and that is wrong
            problems += error.diagnostics
    if not problems:
        cache.set_up = form
    return problems


def analyse_scenarios(path: str, texts: Mapping[str, str]) -> RulesetAnalysis:
    """The analysis of a file of scenarios, without their results."""
    with buffers({Path(name): text for name, text in texts.items()}):
        try:
            return RulesetAnalysis(path, tuple(check_scenarios(Path(path))))
        except RulesetError as error:
            return RulesetAnalysis(path, error.diagnostics)


# ---------------------------------------------------------------- workspace
# The open texts, the rulesets that they belong to, and their analyses, cached until a text changes.
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


# ---------------------------------------------------------------- scenario runs
# The scenarios that fail, as diagnostics: run in a process of their own when a file is saved, so that the
# editor never waits for them.
#
# A run is ended when a later one starts, and when it takes longer than `MAX_SECONDS`.
MAX_SECONDS = 120.0  # seconds
Findings = Mapping[str, tuple[Diagnostic, ...]]
"""By file; files without failures are included."""


def failures(path: str, texts: Mapping[str, str]) -> dict[str, tuple[Diagnostic, ...]]:
    """Run the scenarios of a ruleset, or of one scenario file, and give what fails, by file; `texts` are used
    instead of unsaved files.
    """
    found: dict[str, tuple[Diagnostic, ...]] = {}
    with buffers({Path(name): text for name, text in texts.items()}):
        try:
            results = run_scenarios(path)
        except RulesetError:
            return {}  # the ruleset's own diagnostics say what is wrong
    for result in results:
        file = real_path(result.file)
        found[file] = (*found.get(file, ()), *result.diagnostics)
    return found


def _work(path: str, texts: Mapping[str, str], answer: Connection) -> None:
    answer.send(failures(path, texts))


class ScenarioRuns:
    """At most one run at a time."""

    def __init__(self) -> None:
        self._process: SpawnProcess | None = None

    def start(self, path: str, texts: Mapping[str, str], done: Callable[[Findings], object]) -> None:
        """Run the scenarios of a ruleset or file; `done` gets what fails, in another thread.

        An earlier run is ended without a result.
        """
        self.stop()
        context = WorkerContext()
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(path, dict(texts), theirs), daemon=True)
        self._process = process
        process.start()
        theirs.close()
        Thread(target=self._wait, args=(process, ours, done), daemon=True).start()

    def stop(self) -> None:
        """End the run that goes on, if there is one."""
        if self._process is not None and self._process.is_alive():
            self._process.terminate()
        self._process = None

    def _wait(self, process: SpawnProcess, ours: Connection, done: Callable[[Findings], object]) -> None:
        try:
            found = ours.recv() if ours.poll(MAX_SECONDS) else None
        except (EOFError, OSError):
            found = None  # it was ended
        process.terminate()
        process.join()
        ours.close()
        if found is not None and self._process is process:
            done(found)
