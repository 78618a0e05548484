"""Try the mutants of a ruleset against its scenarios, here or in several processes."""

from __future__ import annotations

import gc
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.authoring.mutation.bench import Bench, FirstRun, Progress, untold
from croupier.authoring.mutation.equivalents import read_equivalents
from croupier.authoring.mutation.mutants import Mutant
from croupier.authoring.mutation.report import Mutation, Verdict
from croupier.authoring.mutation.subject import Subject
from croupier.diagnostics import RulesetError, diagnose
from croupier.play.match import never
from croupier.play.processes import in_processes, is_told_to_stop, kept_in_worker

# new objects before a garbage collection in a process that tries mutants: the ruleset that is compared with
# stays
COLLECT_EVERY = 100_000
FEW = 40  # mutants that are tried here rather than in processes of their own
CHUNK = 8


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
    progress: Progress = untold,
    first_run: Progress = untold,
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
        is_random=len(verdicts) == len(chosen) < len(bench.mutants),
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


@dataclass(frozen=True)
class WorkerTask:
    """The data that a process needs to try mutants: a ruleset, which must be the one of this hash with so
    many scenarios, and how these ran.
    """

    name: str
    ruleset_hash: str
    scenarios: int
    first: FirstRun


def _prepared(task: WorkerTask) -> Bench:
    gc.set_threshold(COLLECT_EVERY, *gc.get_threshold()[1:])
    return Bench(Subject(task.name), task.first)


def _batch(task: WorkerTask, chosen: list[int]) -> list[Verdict] | None:
    """The verdicts on some mutants; nothing if the ruleset was changed meanwhile."""
    bench = kept_in_worker(_prepared, task)
    subject = bench.subject
    if subject.base.ruleset_hash != task.ruleset_hash or len(subject.tasks) != task.scenarios:
        return None
    return list(_here(bench, chosen, is_told_to_stop))


def _shared(
    bench: Bench, name: str | Path, chosen: list[int], jobs: int, should_stop: Callable[[], bool]
) -> Iterator[Verdict]:
    ruleset = bench.subject.base
    task = WorkerTask(str(name), ruleset.ruleset_hash, len(bench.subject.tasks), bench.first)
    pieces = ((task, chosen[i : i + CHUNK]) for i in range(0, len(chosen), CHUNK))
    for found in in_processes(_batch, pieces, jobs, should_stop, in_order=False):
        if found is None:
            raise RulesetError([diagnose("X541", None, name=ruleset.name)])
        yield from found
