"""Nothing doubles with a level: each construct of the grammar, within itself many times, costs every command
next to nothing.

`nested.yaml` names the constructs. Many of them stand in one ruleset, and each command is held to the limits
with that: a construct that doubles something would go beyond them by far. Compiling is held to a count: twice
as deep is about twice the work.
"""

from __future__ import annotations

import contextlib
import io
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
from croupier.cli import main
from croupier.execution.python_program import PythonProgram
from croupier.lowering import NotLowered, lower
from croupier.lsp.completion import complete
from croupier.lsp.hover import hover
from croupier.lsp.outline import outline
from croupier.lsp.workspace import Workspace
from croupier.passes.native import prepare_native_steps
from croupier.printers.llvm import PlayoutOptions, llvm_source

DATA = YAML(typ="safe", pure=True).load((Path(__file__).parent / "nested.yaml").read_text(encoding="utf-8"))
DEPTHS: dict[str, int] = DATA["depths"]  # of what is read and evaluated, and of what is compiled
SECONDS = 2.0  # of the processor's time, for each command
MEGABYTES = 300  # for all commands together
LONGEST = 12_000  # characters of rule text in one ruleset
# depths whose work is compared; calls are inlined up to a depth
DEEPER = {"expression": (10, 20), "statement": (10, 20), "calls": (24, 48)}
MOST_GROWTH = 3.0
HELPERS = (
    "def f(k: int) -> int: return k",
    "def g(k: int, j: int) -> int: return k",
    "def h(k: int, j: int = 1) -> int: return k",
)

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="nothing there ends a test that goes on for ever"
)


def expression(name: str, case: dict[str, Any], depth: int) -> list[str]:
    """A definition that works a nested expression out."""
    text = str(case["inner"])
    for level in range(depth // case.get("levels", 1)):
        text = case["text"].replace("NAME", str(level)).replace("X", text)
    return [f"def {name}():", f" let a = {text}", ' announce "{a}"']


def statement(name: str, text: str, depth: int) -> list[str]:
    """A definition with statements in each other."""
    lines = ["m = n"]
    for level in range(depth, 0, -1):
        around: list[str] = []
        for line in text.replace("NAME", str(level)).splitlines():
            indent = " " * ((len(line) - len(line.lstrip())) // 4)
            around += [indent + inner for inner in lines] if line.strip() == "X" else [indent + line.lstrip()]
        lines = around
    return [f"def {name}():", *(f" {line}" for line in lines)]


def written_type(name: str, case: dict[str, Any], depth: int) -> list[str]:
    """A definition that is given something of a nested type, and one that can be called."""
    text = str(case["inner"])
    for _ in range(depth // case.get("levels", 1)):
        text = case["text"].replace("X", text)
    given = [f"def {name}_given(a: {text}):", " choose k from 1..2 by players.first", ' announce "{k} {a}"']
    return [*given, f"def {name}():", " n = 1"]


def calls(name: str, text: str, depth: int) -> list[str]:
    """Definitions of which each calls the next one, and one that would call the first: that would end with
    the last of 2 to the power of `depth`.
    """
    lines = [f"def {name}():", " if n > 9:", f"  n = {name}_0(n) mod 3"]
    for level in range(depth):
        lines += [
            f"def {name}_{level}(k: int) -> int:",
            *(f" {line}" for line in text.replace("NEXT", f"{name}_{level + 1}").rstrip().splitlines()),
        ]
    return [*lines, f"def {name}_{depth}(k: int) -> int:", " return k + n"]


def definitions(depth: int) -> Iterator[tuple[str, list[str]]]:
    """Every construct, as a definition that can be called."""
    for name, case in DATA["expressions"].items():
        yield f"expression_{name}", expression(f"expression_{name}", case, depth)
    for name, case in DATA["types"].items():
        yield f"type_{name}", written_type(f"type_{name}", case, depth)
    for section, levels in (("statements", 1), ("statements_of_two_levels", 2)):
        for name, text in DATA[section].items():
            yield f"statement_{name}", statement(f"statement_{name}", text, depth // levels)
    for name, text in DATA["calls"].items():
        yield f"calls_{name}", calls(f"calls_{name}", text, depth)


def rulesets(depth: int) -> Iterator[tuple[str, str]]:
    """Rulesets with some constructs each, and what they are called."""
    names: list[str] = []
    lines = list(HELPERS)
    for name, more in (*definitions(depth), ("", [" " * LONGEST])):
        if sum(map(len, lines + more)) > LONGEST and names:
            rules = "".join(f"  {line}\n" for line in lines)
            play = "".join(f"    {called}()\n" for called in names)
            yield (
                names[0],
                f"{DATA['head']}definitions: |\n{rules}phases:\n  play: |\n{play}    finish draw\n",
            )
            names, lines = [], list(HELPERS)
        names, lines = [*names, name], lines + more


CASES = {(how, first): text for how, depth in DEPTHS.items() for first, text in rulesets(depth)}


class Slow(BaseException):
    """The time is up."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Ends with `Slow` what takes longer than it may."""

    def stop(signum: int, frame: FrameType | None) -> None:
        raise Slow

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS * 2)  # the machine may be busy
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def edit(path: Path) -> None:
    """What an editor asks of the language server."""
    text = path.read_text(encoding="utf-8")
    workspace = Workspace()
    name = workspace.put(path.as_uri(), text)
    assert not [
        d
        for found in workspace.diagnose(name, thorough=True).values()
        for d in found
        if d.severity == "error"
    ]
    source, at = workspace.source(name), text.index("return k") + len("return ")
    assert source is not None and outline(source)
    analysis = workspace.analysis(name)
    assert analysis is not None and hover(analysis, name, at) and complete(workspace, name, at)


def command(*arguments: object) -> Callable[[Path], None]:
    """A command of the command line that must neither refuse the file nor fail."""

    def run(path: Path) -> None:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main([str(path if a is ... else a) for a in arguments])
        refused = "X601" in err.getvalue()  # what a back end does not compile it refuses at once
        assert code in ((0, 1) if "fmt" in arguments else (0,)) or refused, (
            out.getvalue()[-600:] + err.getvalue()[-600:]
        )

    return run


COMMANDS = {
    "read": {
        "check": command("check", ...),
        "editor": edit,
        "rulebook": command("rulebook", ...),
        "fmt": command("fmt", "--check", ...),
        "diff": command("diff", ..., ...),
        "dump": command("dump", ..., "--stage", "typed"),
        "coverage": command("coverage", ..., "--games", 1, "--seed", 1),
        "run": command("run", ..., "--seed", 1),
    },
    "compiled": {back: command("run", ..., "--seed", 1, "--backend", back) for back in ("python", "native")},
}


def peak() -> int:
    """The most memory that this process had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (
        1024 * 1024 if sys.platform == "darwin" else 1024
    )


@pytest.mark.parametrize(("how", "first"), CASES)
def test_every_command_is_quick(how: str, first: str, tmp_path: Path) -> None:
    path = tmp_path / "nested.yaml"
    path.write_text(CASES[how, first], encoding="utf-8")
    before, slow = peak(), []
    for name, run in COMMANDS[how].items():
        started = time.process_time()
        try:
            with limited():
                run(path)
        except Slow:
            slow.append(f"{name}: more than {time.process_time() - started:.1f} s")
    assert not slow
    assert peak() - before < MEGABYTES


def work_of_compiling(name: str, lines: list[str], folder: Path) -> int:
    """How many functions of croupier are called while a definition is compiled to Python and to the assembly
    of native code; 0 if it is refused.
    """
    path = folder / "nested.yaml"
    rules = "".join(f"  {line}\n" for line in [*HELPERS, *lines])
    path.write_text(
        f"{DATA['head']}definitions: |\n{rules}phases:\n  play: |\n    {name}()\n    finish draw\n",
        encoding="utf-8",
    )
    game = croupier.load(path).game(2, None)
    limits = game.program.limits
    called = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal called
        called += event == "call"

    sys.setprofile(count)
    try:
        lowered = lower(game).program
        PythonProgram(lowered, limits["fuel"])
        llvm_source(prepare_native_steps(lowered, game), limits["fuel"], PlayoutOptions(limits, frozenset()))
    except NotLowered:
        return 0
    finally:
        sys.setprofile(None)
    return called


@pytest.mark.parametrize("kind", ["expression", "statement", "calls"])
def test_compiling_what_is_twice_as_deep_is_about_twice_the_work(kind: str, tmp_path: Path) -> None:
    shallow, deep = [
        {name: lines for name, lines in definitions(depth) if name.startswith(kind)} for depth in DEEPER[kind]
    ]
    much = []
    for name, lines in shallow.items():
        before, after = (
            work_of_compiling(name, lines, tmp_path),
            work_of_compiling(name, deep[name], tmp_path),
        )
        if after > MOST_GROWTH * before:
            much.append(f"{name}: {before} calls of functions become {after}")
    assert not much
