"""Mutation of rules: change one clause at a time and see which changes no scenario notices.

Each changed ruleset (`mutants.py`) is made without writing or reading a file. The scenarios that execute the
clause are run, in several processes. A file says which mutants are known to be equivalent.
"""

from __future__ import annotations

import dataclasses
import gc
import multiprocessing
import os
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from croupier.authoring.mutants import OPERATORS, Mutant, Part, ReadTexts, SourceLocation, mutants_of
from croupier.diagnostics import Diagnostic, JsonObject, RulesetError, Span, diagnose
from croupier.pipeline import load
from croupier.play.interrupt import WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.play.match import never
from croupier.resolve import ResolvedRuleset, open_ruleset
from croupier.resolve.loader import Switches, open_switches
from croupier.ruleset import Ruleset
from croupier.scenarios.api import scenarios_of
from croupier.scenarios.context import Games
from croupier.scenarios.document import Opened, Scenario
from croupier.scenarios.running import ScenarioRunner
from croupier.semantics.canonical import canonical_form, declared
from croupier.semantics.check import Checker
from croupier.semantics.infoflow.incremental import AnalysisMemory, IncrementalAnalysis
from croupier.semantics.lints import REFUSING
from croupier.semantics.program import Program
from croupier.source import read_csv, read_file

# ---------------------------------------------------------------- report
# What mutation comes to.
MOST_EQUIVALENT = 5  # per cent of all mutants that may be listed as equivalent


@dataclass(frozen=True)
class Verdict:
    """The outcome of a mutant: `killed` by a scenario (`by`), `survived`, `refused` by check (`by`: the
    code), or `unchanged`: it means the same.

    `ran` is the number of scenarios that were run.
    """

    index: int
    outcome: str
    by: str = ""
    ran: int = 0


@dataclass(frozen=True)
class Mutation:
    """All mutants of a ruleset with their verdicts.

    `all_mutants` counts those that were not sampled, too; `reasons` are those of the listed equivalents by
    id, `stale` the ids in that list that are no mutants (any more) or lack a reason, `seconds` the wall time.
    """

    ruleset: str
    title: str
    ruleset_hash: str
    scenarios: int
    all_mutants: int
    mutants: tuple[Mutant, ...]
    verdicts: tuple[Verdict, ...]
    reasons: dict[str, str]
    stale: tuple[str, ...]
    seconds: float

    def of(self, outcome: str) -> list[tuple[Mutant, Verdict]]:
        """The mutants of one outcome; `equivalent` are the survivors that are listed."""
        pairs = zip(self.mutants, self.verdicts, strict=True)
        if outcome == "equivalent":
            return [(m, v) for m, v in pairs if v.outcome == "survived" and m.id in self.reasons]
        return [
            (m, v)
            for m, v in pairs
            if v.outcome == outcome and not (outcome == "survived" and m.id in self.reasons)
        ]

    @property
    def counts(self) -> dict[str, int]:
        return {
            outcome: len(self.of(outcome))
            for outcome in ("killed", "survived", "equivalent", "refused", "unchanged")
        }

    @property
    def all(self) -> int:
        """Mutants that count: killed, survived or listed."""
        return sum(n for outcome, n in self.counts.items() if outcome not in ("refused", "unchanged"))

    @property
    def score(self) -> float:
        """Killed of all but the listed equivalents; 1 where there is nothing to kill."""
        counts = self.counts
        rest = self.all - counts["equivalent"]
        return counts["killed"] / rest if rest else 1.0

    @property
    def sampled(self) -> bool:
        return len(self.mutants) < self.all_mutants

    @property
    def too_many_equivalents(self) -> bool:
        """Tell whether more are listed as equivalent than may be. A sample says nothing about that: those
        that are listed may happen to be in it.
        """
        return not self.sampled and 100 * self.counts["equivalent"] > MOST_EQUIVALENT * self.all

    @property
    def killed_though_listed(self) -> list[Mutant]:
        return [m for m, _ in self.of("killed") if m.id in self.reasons]

    def by_operator(self) -> dict[str, Counter[str]]:
        out: dict[str, Counter[str]] = {name: Counter() for name in OPERATORS}
        for outcome in ("killed", "survived", "equivalent", "refused", "unchanged"):
            for m, _ in self.of(outcome):
                out[m.operator][outcome] += 1
        return out

    def to_json(self) -> JsonObject:
        """The report as a JSON value, without its header; positions count from 1."""
        return {
            "scenarios": self.scenarios,
            "operators": OPERATORS,
            "mutants": self.all_mutants,
            "tried": len(self.mutants),
            "counts": self.counts,
            "score": round(self.score, 4) if self.all > self.counts["equivalent"] else None,
            "by_operator": {name: dict(counts) for name, counts in self.by_operator().items()},
            "stale": list(self.stale),
            "killed_though_listed": [m.id for m in self.killed_though_listed],
            "results": [
                {
                    **m.to_json(),
                    "outcome": v.outcome,
                    "by": v.by,
                    "scenarios_run": v.ran,
                    "equivalent": self.reasons.get(m.id),
                }
                for m, v in zip(self.mutants, self.verdicts, strict=True)
            ],
            "timing": {"seconds": round(self.seconds, 1)},
        }


# ---------------------------------------------------------------- trial
# One mutant: the changed ruleset, made without a file, and the scenarios that execute the clause.
Limits = tuple[int, int, int]  # decisions, chance events, fuel


class RefusedMutant(Exception):
    """`check` refuses the changed ruleset; the code of the first error is the text."""


@dataclass(frozen=True)
class ScenarioTask:
    """A scenario, and what its file gives it."""

    opened: Opened
    scenario: Scenario
    subject: str


class Subject:
    """The ruleset of a name, and whatever its scenarios are played with.

    Raises `RulesetError` if it does not check.
    """

    def __init__(self, name: str | Path) -> None:
        self.base = load(name)
        self.texts = ReadTexts()
        self.docs: dict[str, Part] = {}
        self.switches: dict[str, Switches] = {}
        self._flows: dict[tuple[str, ...], IncrementalAnalysis | None] = {}
        self._unchanged: dict[tuple[str, Limits | None], UnchangedRuleset] = {}
        self.main = os.path.realpath(self.base.path)
        self.open(self.main, self.base.path)
        self._refuse_leaks()
        self.tasks: list[ScenarioTask] = []
        for opened in scenarios_of(name):
            if opened.document is None or opened.ruleset is None or any(d.is_error for d in opened.found):
                raise RulesetError(opened.found)
            key = os.path.realpath(opened.ruleset.path)
            if key == self.main or self.main in self.open(key, opened.ruleset.path):
                self.tasks += [ScenarioTask(opened, s, key) for s in opened.document.scenarios]

    def open(self, key: str, path: Path) -> set[str]:
        """Read a ruleset; the files that it is made of."""
        if key not in self.docs:
            doc, found = open_ruleset(str(path))
            if doc is None:
                raise RulesetError(found)
            self.docs[key] = doc
            self.switches[key], more = open_switches(doc)
            if any(d.is_error for d in more):
                raise RulesetError(more)
        return {os.path.realpath(source.name) for source in self.docs[key].sources}

    def _refuse_leaks(self) -> None:
        """Raise `RulesetError` if a lint refuses the ruleset as it is: it would refuse every mutant, too."""
        checker = self._checker(self.docs[self.main])
        checker.run()
        checker.lint(REFUSING)
        if any(d.is_error for d in checker.found):
            raise RulesetError([d for d in checker.found if d.is_error])

    @property
    def own_sources(self) -> frozenset[str]:
        """The files whose clauses are changed: of a variant its own, of others all but those of modules,
        which have scenarios themselves.
        """
        doc = self.docs[self.main]
        of_modules = {source.name for used in doc.modules for source in used.loaded.sources}
        return (
            frozenset([doc.sources[0].name])
            if doc.variant_of is not None
            else frozenset(s.name for s in doc.sources) - of_modules
        )

    # ------------------------------------------------------------ as it is
    def unchanged(self, key: str, limits: Limits | None) -> UnchangedRuleset:
        """A ruleset without any mutant, under limits; made once."""
        if (key, limits) not in self._unchanged:
            self._unchanged[key, limits] = UnchangedRuleset(self._ruleset(key, None, limits))
        return self._unchanged[key, limits]

    def _flow(self, doc: ResolvedRuleset) -> IncrementalAnalysis | None:
        """The information flow of a document without any mutant in its texts; None if that does not check."""
        key = tuple(source.name for source in doc.sources)
        if key not in self._flows:
            checker = self._checker(doc)
            program = checker.run()
            self._flows[key] = IncrementalAnalysis(program, None) if checker.is_playable else None
        return self._flows[key]

    # ------------------------------------------------------------ with a mutant
    def changed(self, key: str, mutant: Mutant, limits: Limits | None) -> Ruleset:
        """A ruleset with a mutant in it, checked as `check` does. Raises `RefusedMutant`.

        Variants that can be switched on while nothing is changed have to fit still, and games have to be set
        up with any number of players. A set-up reads nothing but declarations: where these are as they were,
        it is not tried.
        """
        ruleset, base = self._ruleset(key, mutant, limits), self.unchanged(key, limits)
        try:
            for name in base.ruleset.switchable:
                ruleset.program_with((name,))
            if base.declared is None or declared(ruleset.program_for({})) != base.declared:
                for players in ruleset.players:
                    ruleset.set_up(players, {}, compiled=False)
        except RulesetError as error:
            raise RefusedMutant(error.diagnostics[0].code) from None
        return ruleset

    def _ruleset(self, key: str, mutant: Mutant | None, limits: Limits | None) -> Ruleset:
        """A ruleset of which only the rules are checked, not what is switched on. Raises `RefusedMutant`."""
        doc = self.docs[key]

        def check(doc: ResolvedRuleset) -> tuple[Program, list[Diagnostic]]:
            return self._check(doc, mutant, limits)

        program, found = check(doc)
        errors = [d.code for d in found if d.is_error]
        if errors:
            raise RefusedMutant(errors[0])
        return Ruleset(program, doc.path, switches=self.switches[key], check=check)

    def _check(
        self, doc: ResolvedRuleset, mutant: Mutant | None, limits: Limits | None
    ) -> tuple[Program, list[Diagnostic]]:
        """The rules of a document, with a mutant in them and under limits.

        Of the lints only those run that refuse a mutant.
        """
        is_edited = mutant is not None and mutant.text is None
        checker = self._checker(edited(doc, mutant) if mutant is not None and is_edited else doc)
        if mutant is not None and (not is_edited or any(doc is known for known in self.docs.values())):
            checker.memory = AnalysisMemory(self._flow(doc))
        self.texts.mutant = mutant
        try:
            program = checker.run()
        finally:
            self.texts.mutant = None
        if mutant is not None:
            checker.lint(REFUSING)
        if limits is not None:
            names = ("decisions", "chance", "fuel")
            program.limits |= {
                name: min(program.limits[name], limit) for name, limit in zip(names, limits, strict=True)
            }
        return program, checker.found

    def _checker(self, doc: ResolvedRuleset) -> Checker:
        checker = Checker(doc)
        checker.ctx.reader = self.texts
        return checker


class UnchangedRuleset:
    """A ruleset as it is: what mutants of it are compared with."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @cached_property
    def form(self) -> str:
        """The canonical form of the rules: a mutant of the same form is none."""
        return canonical_form(self.ruleset.program)

    @cached_property
    def declared(self) -> object:
        """The shape of all that setting up a game reads; None if no game can be set up."""
        try:
            for players in self.ruleset.players:
                self.ruleset.set_up(players, {}, compiled=False)
        except RulesetError:
            return None
        return declared(self.ruleset.program_for({}))


def edited(doc: Part, mutant: Mutant) -> Part:
    """A document without the row or the audience of a mutant."""
    if mutant.operator == "row":
        return dataclasses.replace(doc, components=tuple(_without_row(doc.components, mutant.span)))
    lost = {}
    for section in ("zones", "boards", "state"):
        lost[section] = tuple(
            (name, _without_audience(thing, mutant.span)) for name, thing in getattr(doc, section)
        )
    return dataclasses.replace(doc, **lost)


def _same(a: Span, b: Span) -> bool:
    return (a.source.name, a.start, a.end) == (b.source.name, b.start, b.end)


def _without_row(components: Part, span: Span) -> Iterator[tuple[object, Part]]:
    for name, c in components:
        rows = c.table.rows if c.table is not None else ()
        kept = tuple(row for row in rows if not _same(row.span, span))
        yield (
            name,
            c
            if len(kept) == len(rows)
            else c.model_copy(update={"table": dataclasses.replace(c.table, rows=kept)}),
        )


def _without_audience(thing: Part, span: Span) -> object:
    for key in ("seen_by", "counted_by"):
        audience = getattr(thing, key, None)
        if audience is not None and _same(audience.span, span):
            return thing.model_copy(update={key: None})
    stack = getattr(thing, "stack", None)
    if stack is not None:
        inner = _without_audience(stack, span)
        return thing if inner is stack else thing.model_copy(update={"stack": inner})
    return thing


# ---------------------------------------------------------------- trial
TIGHT: tuple[Limits | None, ...] = ((300, 300, 20_000), (2_000, 2_000, 200_000), None)
"""Limits of a game while mutants are tried, the first under which all scenarios pass; a mutant without end
stops soon.
"""


@dataclass(frozen=True)
class ScenarioTrace:
    """The clauses that a scenario, by its number among the tasks, executes in the ruleset as it is, and the
    rules that it lists.
    """

    task: int
    executed: frozenset[SourceLocation]
    cites: frozenset[str]
    alike: int = 0  # how many scenarios are played with the same set-up


Progress = Callable[[int, int], None]
"""Told how many of how many are done."""


def _untold(done: int, of: int) -> None:
    """Progress that nobody looks at."""


@dataclass(frozen=True)
class FirstRun:
    """The scenarios as they are run without any mutant: what each executes, in their order, under the
    tightest limits that let all pass.
    """

    limits: Limits | None
    traces: tuple[ScenarioTrace, ...]


class Bench:
    """Everything that trying a mutant needs.

    The scenarios are run once as they are when a mutant is first tried, unless a `first` run is given.
    """

    def __init__(self, subject: Subject, first: FirstRun | None = None, progress: Progress = _untold) -> None:
        self.subject, self._progress = subject, progress
        self.mutants = mutants_of(subject.base.program, subject.texts, subject.own_sources)
        self._given = first

    @cached_property
    def first(self) -> FirstRun:
        """The first run. Raises `RulesetError` if a scenario fails without any mutant."""
        if self._given is not None:
            return self._given
        failed: list[Diagnostic] = []
        for limits in TIGHT:
            failed = []
            known = self._first_run(failed, limits)
            if not failed:
                return FirstRun(limits, known)
        note = "mutants are tried with scenarios that pass; `croupier test` shows all that fail"
        raise RulesetError(
            [replace(d, notes=(*d.notes, note)) if i == len(failed) - 1 else d for i, d in enumerate(failed)]
        )

    def _first_run(self, failed: list[Diagnostic], limits: Limits | None) -> tuple[ScenarioTrace, ...]:
        runner = Runner(self.subject, None, limits)
        known: list[ScenarioTrace] = []
        used: list[tuple[int, ...]] = []
        for number, task in enumerate(self.subject.tasks):
            self._progress(number, len(self.subject.tasks))
            failed += runner.run(task)
            if failed and limits is not None:
                return ()  # too tight, perhaps: the next ones are to tell
            traces = runner.games[task.subject].used()
            used.append(tuple(map(id, traces)))
            spots = [spot for trace in traces for spot in trace.executed() if spot.kind != "set-up"]
            executed = frozenset((spot.span.source.name, spot.span.start) for spot in spots)
            known.append(
                ScenarioTrace(number, executed, frozenset(cite.text for cite in task.scenario.cites))
            )
        alike = Counter(used)
        return tuple(replace(k, alike=alike[traces]) for k, traces in zip(known, used, strict=True))

    def order(self, mutant: Mutant) -> list[ScenarioTrace]:
        """The scenarios to run: those that list a rule of the clause first, then those with a common set-up,
        then those that do little else.
        """
        chosen = [k for k in self.first.traces if mutant.clause is None or mutant.clause & k.executed]
        exact = (mutant.span.source.name, mutant.span.start)

        def promise(trace: ScenarioTrace) -> tuple[bool, bool, int, int]:
            cites_none = trace.cites.isdisjoint(mutant.rules)
            return cites_none, exact not in trace.executed, -trace.alike, len(trace.executed)

        return sorted(chosen, key=promise)

    def judge(self, index: int) -> Verdict:
        """Try a mutant: run scenarios until one fails."""
        mutant, in_order = self.mutants[index], self.order(self.mutants[index])
        runner = Runner(self.subject, mutant, self.first.limits)
        ran = 0
        try:
            runner.ruleset(self.subject.main)
            for known in in_order:
                ran += 1
                task = self.subject.tasks[known.task]
                if runner.run(task):
                    return Verdict(index, "killed", task.scenario.id.text, ran)
        except RefusedMutant as refused:
            return Verdict(index, "refused", str(refused), ran)
        form = canonical_form(runner.ruleset(self.subject.main).program)
        same = form == self.subject.unchanged(self.subject.main, self.first.limits).form
        return Verdict(index, "unchanged" if same else "survived", "", ran)


class Runner:
    """Runs scenarios with a mutant; each ruleset is checked and set up when it is first needed."""

    def __init__(self, subject: Subject, mutant: Mutant | None, limits: Limits | None) -> None:
        self.subject, self.mutant, self.limits = subject, mutant, limits
        self.games: dict[str, Games] = {}

    def ruleset(self, key: str) -> Ruleset:
        """Raises `RefusedMutant`."""
        if key not in self.games:
            if self.mutant is None:
                ruleset = self.subject.unchanged(key, self.limits).ruleset
            else:
                ruleset = self.subject.changed(key, self.mutant, self.limits)
            self.games[key] = Games(ruleset, traced=self.mutant is None)
        return self.games[key].ruleset

    def run(self, task: ScenarioTask) -> list[Diagnostic]:
        """Return the diagnostics of a scenario, which are none if it passes. Raises `RefusedMutant`."""
        ruleset, document = self.ruleset(task.subject), task.opened.document
        assert document is not None
        runner = ScenarioRunner(
            ruleset, self.games[task.subject], document.given, document.chance is not None
        )
        for scenario in document.scenarios:
            if scenario is task.scenario:
                break
            runner.earlier[scenario.id.text] = scenario
        try:
            return runner.run(task.scenario)
        except RecursionError:
            return [diagnose("K107", task.scenario.id.span, reason="it calls itself without end")]


# ---------------------------------------------------------------- running
# The list of equivalent mutants beside a ruleset: `mutants.csv`, with the columns
# `id,operator,clause,reason`.
#
# A mutant is equivalent if no game can tell it from the ruleset. Each is listed with the reason why.
FILE = "mutants.csv"
COLUMNS = ("id", "operator", "clause", "reason")


def read_equivalents(folder: Path) -> dict[str, str]:
    """The reasons by id; nothing without a list. Raises `RulesetError` for a file that is no table."""
    path = folder / FILE
    if not os.path.lexists(path):
        return {}
    source, found = read_file(path, folder)
    table = None
    if source is not None:
        table, found = read_csv(source)
    if table is None or found:
        raise RulesetError(found)
    names = [cell.text for cell in table.columns]
    if "id" not in names or "reason" not in names:
        place = table.columns[0].span.to(table.columns[-1].span)
        raise RulesetError([diagnose("X542", place, found=", ".join(f"`{name}`" for name in names))])
    at, why = names.index("id"), names.index("reason")
    return {row[at].text: row[why].text.strip() for row in table.rows}


# ---------------------------------------------------------------- running
# new objects before a garbage collection in a process that tries mutants: the ruleset that is compared with
# stays
COLLECT_EVERY = 100_000
FEW = 40  # mutants that are tried here rather than in processes of their own
CHUNK = 8
PATIENCE = 0.2  # seconds until a request to stop is seen


@dataclass(frozen=True)
class MutationPlan:
    """`sample` mutants drawn with `seed` (none: all; 0: only the list of equivalents is looked at), in `jobs`
    processes (none: one a core).
    """

    sample: int | None = None
    seed: int = 0
    jobs: int | None = None


def mutate(
    name: str | Path,
    plan: MutationPlan,
    should_stop: Callable[[], bool] = never,
    progress: Progress = _untold,
    first_run: Progress = _untold,
) -> Mutation:
    """Try the mutants of a ruleset against its scenarios.

    `progress` is told of mutants; before, `first_run` of the scenarios without any.

    Stops between two mutants if told to, or in the middle of one that is interrupted then; what was not tried
    is left out. Raises `RulesetError` if the ruleset does not check, if a scenario fails as it is, or if the
    list of equivalents is no table.
    """
    begun = time.perf_counter()
    bench = Bench(Subject(name), progress=first_run)
    chosen = list(range(len(bench.mutants)))
    if plan.sample is not None and plan.sample < len(chosen):
        chosen = sorted(random.Random(plan.seed).sample(chosen, plan.sample))
    jobs = (
        min(plan.jobs or os.cpu_count() or 1, max(1, len(chosen) // FEW)) if plan.jobs is None else plan.jobs
    )
    verdicts: list[Verdict] = []
    try:
        if chosen:
            _ = bench.first  # what is wrong with the scenarios is said before anything is tried
        for verdict in (
            _here(bench, chosen, should_stop)
            if jobs == 1
            else _shared(bench, name, chosen, jobs, should_stop)
        ):
            verdicts.append(verdict)
            progress(len(verdicts), len(chosen))
    except KeyboardInterrupt:  # a step that does not end
        if not should_stop():
            raise
    verdicts.sort(key=lambda v: v.index)
    ruleset = bench.subject.base
    reasons = read_equivalents(bench.subject.docs[bench.subject.main].root)
    known = {m.id for m in bench.mutants}
    return Mutation(
        ruleset=ruleset.name,
        title=ruleset.title,
        ruleset_hash=ruleset.ruleset_hash,
        scenarios=len(bench.subject.tasks),
        all_mutants=len(bench.mutants),
        mutants=tuple(bench.mutants[v.index] for v in verdicts),
        verdicts=tuple(verdicts),
        reasons={id: reason for id, reason in reasons.items() if reason},
        stale=tuple(id for id, reason in reasons.items() if id not in known or not reason),
        seconds=time.perf_counter() - begun,
    )


def _here(bench: Bench, chosen: list[int], should_stop: Callable[[], bool]) -> Iterator[Verdict]:
    for index in chosen:
        if should_stop():
            return
        yield _judge(bench, index)


def _judge(bench: Bench, index: int) -> Verdict:
    try:
        return bench.judge(index)
    except Exception as error:
        mutant: Mutant = bench.mutants[index]
        error.add_note(
            f"with the mutant {mutant.id} of {mutant.span.source.name}:{mutant.span.line}: {mutant.change}"
        )
        raise


# ---------------------------------------------------------------- several processes
@dataclass(frozen=True)
class WorkerTask:
    """The data that a process needs to try mutants: a ruleset, which must be the one of this hash with so
    many scenarios, and how these ran.
    """

    name: str
    ruleset_hash: str
    scenarios: int
    first: FirstRun


class _MutantWorker:
    """The one of each process."""

    task: WorkerTask
    bench: Bench | None = None


def _start(task: WorkerTask) -> None:
    leave_interrupts_to_parent()
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    _MutantWorker.task = task


def _batch(chosen: list[int]) -> list[Verdict] | None:
    """The verdicts on some mutants; nothing if the ruleset was changed meanwhile."""
    task = _MutantWorker.task
    if _MutantWorker.bench is None:
        _MutantWorker.bench = Bench(Subject(task.name), task.first)
    subject = _MutantWorker.bench.subject
    if subject.base.ruleset_hash != task.ruleset_hash or len(subject.tasks) != task.scenarios:
        return None
    return [_judge(_MutantWorker.bench, index) for index in chosen]


def _shared(
    bench: Bench, name: str | Path, chosen: list[int], jobs: int, should_stop: Callable[[], bool]
) -> Iterator[Verdict]:
    ruleset = bench.subject.base
    batches = [chosen[i : i + CHUNK] for i in range(0, len(chosen), CHUNK)]
    context = WorkerContext()
    task = WorkerTask(str(name), ruleset.ruleset_hash, len(bench.subject.tasks), bench.first)
    others = set(multiprocessing.active_children())
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(task,)) as pool:
        with interrupts_blocked():
            running = deque(pool.submit(_batch, batch) for batch in batches)
        try:
            while running and not should_stop():
                try:
                    found = running[0].result(PATIENCE)
                except NotYet:
                    continue
                running.popleft()
                if found is None:
                    raise RulesetError([diagnose("X541", None, name=ruleset.name)])
                yield from found
            for future in running:  # after an interruption
                if future.done():
                    yield from future.result() or ()
        except BrokenProcessPool:
            if not should_stop():
                raise
        finally:
            for process in set(multiprocessing.active_children()) - others if should_stop() else ():
                process.kill()
            pool.shutdown(wait=True, cancel_futures=True)
