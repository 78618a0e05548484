"""The list of equivalent mutants beside a ruleset: `mutants.csv`, with the columns `id,operator,clause,reason`.

A mutant is equivalent if no game can tell it from the ruleset. Each is listed with the reason why."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from croupier.authoring.mutate.mutants import Mutant
from croupier.authoring.mutate.report import Mutation, Verdict
from croupier.authoring.mutate.trial import Bench, Subject
from croupier.diagnostics import RulesetError, diagnose
from croupier.play.interrupt import WorkerContext, held_back
from croupier.play.match import never
from croupier.source import read_csv, read_file

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
FEW = 40  # mutants that are tried here rather than in processes of their own
CHUNK = 8


@dataclass(frozen=True)
class Plan:
    """`sample` mutants drawn with `seed` (none: all); `jobs` processes (none: as many as there are cores)."""

    sample: int | None = None
    seed: int = 0
    jobs: int | None = None


def mutate(name: str | Path, plan: Plan, should_stop: Callable[[], bool] = never, progress: Callable[[int, int], None] | None = None) -> Mutation:
    """Try the mutants of a ruleset against its scenarios. `progress` is told how many of how many were tried.

    Stops between two mutants if told to; what was not tried is left out. Raises `RulesetError` if the ruleset does not check, if a scenario fails
    as it is, or if the list of equivalents is no table.
    """
    begun = time.perf_counter()
    bench = Bench(Subject(name))
    chosen = list(range(len(bench.mutants)))
    if plan.sample is not None and plan.sample < len(chosen):
        chosen = sorted(random.Random(plan.seed).sample(chosen, plan.sample))
    jobs = min(plan.jobs or os.cpu_count() or 1, max(1, len(chosen) // FEW)) if plan.jobs is None else plan.jobs
    verdicts: list[Verdict] = []
    for verdict in _here(bench, chosen, should_stop) if jobs == 1 else _shared(bench, name, chosen, jobs, should_stop):
        verdicts.append(verdict)
        if progress is not None:
            progress(len(verdicts), len(chosen))
    verdicts.sort(key=lambda v: v.index)
    ruleset = bench.subject.base
    reasons = read_equivalents(bench.subject.docs[bench.subject.main].root)
    known = {m.id for m in bench.mutants}
    return Mutation(
        ruleset=ruleset.name,
        title=ruleset.title,
        ruleset_hash=ruleset.ruleset_hash,
        scenarios=len(bench.known),
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
        error.add_note(f"with the mutant {mutant.id} of {mutant.span.source.name}:{mutant.span.line}: {mutant.change}")
        raise


# ---------------------------------------------------------------- several processes
class _Worker:
    """The one of each process."""

    name: str = ""
    ruleset_hash: str = ""
    bench: Bench | None = None


def _start(name: str, ruleset_hash: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.name, _Worker.ruleset_hash = name, ruleset_hash


def _batch(chosen: list[int]) -> list[Verdict] | None:
    """The verdicts on some mutants; nothing if the ruleset was changed meanwhile."""
    if _Worker.bench is None:
        _Worker.bench = Bench(Subject(_Worker.name))
    if _Worker.bench.subject.base.ruleset_hash != _Worker.ruleset_hash:
        return None
    return [_judge(_Worker.bench, index) for index in chosen]


def _shared(bench: Bench, name: str | Path, chosen: list[int], jobs: int, should_stop: Callable[[], bool]) -> Iterator[Verdict]:
    ruleset = bench.subject.base
    batches = [chosen[i : i + CHUNK] for i in range(0, len(chosen), CHUNK)]
    context = WorkerContext()
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(str(name), ruleset.ruleset_hash)) as pool:
        with held_back():
            running = [pool.submit(_batch, batch) for batch in batches]
        try:
            for future in running:
                if should_stop():
                    return
                found = future.result()
                if found is None:
                    raise RulesetError([diagnose("X541", None, name=ruleset.name)])
                yield from found
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
