"""Try the mutants of a ruleset against its scenarios, here or in several processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from croupier.authoring.mutation.bench import Bench, FirstRun, Progress, untold
from croupier.authoring.mutation.equivalents import read_equivalents
from croupier.authoring.mutation.mutants import Mutant
from croupier.authoring.mutation.report import Mutation, Verdict
from croupier.authoring.mutation.subject import Subject
from croupier.diagnostics import RulesetError, diagnose
from croupier.play.interrupt import WorkerContext, interrupts_blocked, leave_interrupts_to_parent
from croupier.play.match import never

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
