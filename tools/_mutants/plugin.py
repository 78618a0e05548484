"""The pytest plugin: which tests reach a site, and which mutants a test notices.

`CROUPIER_MUTANTS` names a folder. It holds `sample.json`, the sites. Without `CROUPIER_MUTANTS_JUDGE`, the
tests that are not recorded yet run once, and `reach-*.jsonl` gets a line for each: how long it took and which
sites it reached. With it (`k/n`, the part of the sample that this process judges), the tests are collected,
and each mutant runs in a fork with tests that reach it, until one fails: `judged-k.jsonl`, a line a mutant.
Mutants come in a random order, so that what was judged before an interruption is a fair sample, too.
"""

from __future__ import annotations

import builtins
import importlib
import io
import json
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from _mutants import live, operators

MARK = "_mutants_reached_"
Entry = dict[str, Any]


def load_all(root: Path, sample: list[Entry]) -> None:
    """Import the modules of the sample, so that their functions are there to be changed."""
    for path in sorted({site["path"] for site in sample}):
        importlib.import_module(
            Path(path)
            .relative_to("interpreter")
            .with_suffix("")
            .as_posix()
            .replace("/", ".")
            .removesuffix(".__init__")
        )


def recorded(folder: Path) -> dict[str, tuple[float, list[int]]]:
    """For each test that was recorded, its seconds and the sites that it reached."""
    lines = (
        line
        for path in sorted(folder.glob("reach-*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    return {name: (seconds, hits) for name, seconds, hits in map(json.loads, lines)}


class Reach:
    """Records the sites that each test reaches."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root = folder, root
        self.sample: list[Entry] = json.loads((folder / "sample.json").read_text(encoding="utf-8"))
        self.hits: set[int] = set()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        done = recorded(self.folder)
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in done])
        items[:] = [item for item in items if item.nodeid not in done]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        setattr(builtins, MARK, self.hits.add)
        load_all(self.root, self.sample)
        functions = live.functions_by_file()
        by_path: dict[str, dict[int, int]] = {}
        for k, site in enumerate(self.sample):
            by_path.setdefault(site["path"], {})[site["number"]] = k
        for name, numbers in by_path.items():
            path = self.root / name
            live.install(path, operators.with_marks(path, numbers, MARK), functions.get(str(path), []))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, None, None]:
        self.hits.clear()
        started = time.perf_counter()
        yield
        line = json.dumps((item.nodeid, round(time.perf_counter() - started, 3), sorted(self.hits)))
        with (self.folder / f"reach-{os.getpid()}.jsonl").open("a", encoding="utf-8") as lines:
            print(line, file=lines)


class Judge:
    """Runs mutants instead of tests."""

    def __init__(self, folder: Path, root: Path, part: str, budget: float) -> None:
        self.folder, self.root, self.part, self.budget = folder, root, part, budget
        self.sample: list[Entry] = json.loads((folder / "sample.json").read_text(encoding="utf-8"))
        self.tests: list[list[tuple[float, str]]] = [[] for _ in self.sample]
        self.reached: dict[str, Counter[str]] = {}  # how many sites of each file a test reaches
        # the tests that noticed something: whether they pass where nothing is changed
        self.passes: dict[str, bool] = {}
        for name, (seconds, hits) in recorded(folder).items():
            self.reached[name] = Counter(self.sample[k]["path"] for k in hits)
            for k in hits:
                self.tests[k].append((seconds, name))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        load_all(self.root, self.sample)
        functions = live.functions_by_file()
        k, n = map(int, self.part.split("/"))
        out = self.folder / f"judged-{k}.jsonl"
        done = {
            json.loads(line)["k"]
            for path in self.folder.glob("judged-*.jsonl")
            for line in path.read_text(encoding="utf-8").splitlines()
        }
        with out.open("a", encoding="utf-8") as lines:
            for i in random.Random(0).sample(range(len(self.sample)), len(self.sample))[k - 1 :: n]:
                if i in done:
                    continue
                chosen, total = self.choose(i, items)
                started = time.monotonic()
                verdict, by = (
                    self.judge(i, chosen, functions, 20 + 10 * total) if chosen else ("not reached", "")
                )
                line = {
                    "k": i,
                    "verdict": verdict,
                    "tests": len(chosen),
                    "of": len(self.tests[i]),
                    "seconds": round(time.monotonic() - started, 2),
                }
                print(json.dumps({**line, "by": by}), file=lines, flush=True)
        return True

    def choose(self, index: int, items: dict[str, pytest.Item]) -> tuple[list[pytest.Item], float]:
        """Tests that reach a site, and their seconds: in at most half of the time those that reach most sites
        of its file, else the quickest.

        They come file by file, so that what the tests of a file share is made once.
        """
        found = [(seconds, name) for seconds, name in sorted(self.tests[index]) if name in items]
        chosen, total = dict[str, float](), 0.0
        richest = sorted(found, key=lambda test: (-self.reached[test[1]][self.sample[index]["path"]], test))
        for some, most in ((richest, self.budget / 2), (found, self.budget)):
            for seconds, name in some:
                if name not in chosen and total + seconds <= most:
                    chosen[name] = seconds
                    total += seconds
        files = {
            name.split("::")[0]: None
            for seconds, name in sorted((seconds, name) for name, seconds in chosen.items())
        }
        order = {name: at for at, name in enumerate(files)}
        return [
            items[name]
            for name in sorted(chosen, key=lambda name: (order[name.split("::")[0]], chosen[name]))
        ], total

    def judge(
        self, index: int, chosen: list[pytest.Item], functions: dict[str, list[Any]], limit: float
    ) -> tuple[str, str]:
        """`noticed`, `survived`, or `the same code`, and the test that noticed it; what takes ten times as
        long as the tests do has been noticed.

        A test that fails where nothing is changed, too, notices nothing.
        """
        site = self.sample[index]
        while True:
            code, by = in_a_fork(
                partial(self.run, self.root / site["path"], site["number"], chosen, functions), int(limit)
            )
            if code != 1 or self.is_sound(by, chosen):
                return {0: "survived", 4: "the same code"}.get(code, "noticed"), by
            chosen = [item for item in chosen if item.nodeid != by]

    def is_sound(self, name: str, items: list[pytest.Item]) -> bool:
        """Tell whether a test passes without a mistake."""
        if name and name not in self.passes:
            item = next(item for item in items if item.nodeid == name)
            self.passes[name] = in_a_fork(partial(self.first_failure, [item]), 600)[0] == 0
        return not name or self.passes[name]

    def run(
        self, path: Path, number: int, chosen: list[pytest.Item], functions: dict[str, list[Any]]
    ) -> tuple[int, str]:
        """4 where nothing changes, else what `first_failure` gives."""
        try:
            changed = live.install(path, operators.mutated(path, number), functions.get(str(path), []))
        except (ValueError, SyntaxError):
            return 4, ""
        return self.first_failure(chosen) if changed else (4, "")

    def first_failure(self, items: list[pytest.Item]) -> tuple[int, str]:
        """1 and the first test that fails, or 0."""
        for item, after in zip(items, [*items[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
                return 1, item.nodeid
        return 0, ""


def in_a_fork(work: Callable[[], tuple[int, str]], limit: int) -> tuple[int, str]:
    """Run `work` in a process of its own and return its result: a code and a word.

    1 without a word if it raises, a negative code after `limit` seconds of the processor, or ten times as
    many.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code, word = 1, ""
        try:
            signal.setitimer(signal.ITIMER_PROF, limit)
            signal.alarm(10 * limit)
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code, word = work()
        except BaseException:  # noqa: BLE001  a mutant may raise anything at all
            pass
        finally:
            os.write(writing, word.encode()[:4000])
            os._exit(code)
    os.close(writing)
    _, status = os.waitpid(child, 0)
    os.set_blocking(reading, False)  # a process that the child has left behind may hold the other end
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        return os.waitstatus_to_exitcode(status), (pipe.read(4000) or b"").decode(errors="replace")


def pytest_configure(config: pytest.Config) -> None:
    folder = os.environ.get("CROUPIER_MUTANTS")
    if not folder:
        return
    part = os.environ.get("CROUPIER_MUTANTS_JUDGE")
    if part:
        config.pluginmanager.register(
            Judge(
                Path(folder), config.rootpath, part, float(os.environ.get("CROUPIER_MUTANTS_SECONDS", "60"))
            )
        )
    elif hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Reach(Path(folder), config.rootpath))
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 3000))
