"""Tables of small core programs and what a module makes of them: `tests/unit/STAGE/MODULE.txt`.

    table T0[3] 4 5 6                declarations, and functions, that all cases of the table share

    # A local that is set once to a constant is replaced by it.
    set n, 3
    store out, 0, add(n, 1)
    =>
    set n, 3
    store out, 0, 4

A case begins with its rule in words. What stands before `=>` is a core program as `core/text.py` writes it;
without a function it is the body of `main`, which then finishes. Behind `=>` stands what the module makes of
it, which `tools/record-tables` writes. `none` is the word for none. Lines such as `pass: share_recalls` say
what is made; `pass_tables` and `printer_tables` list them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from croupier.core import operations as op
from croupier.core import text
from croupier.core.types import CoreProgram, Function, Memory
from croupier.core.verify import verify

UNIT = Path(__file__).resolve().parents[1] / "unit"
ARROW = "=>"
HEAD = "program small 2 main -"
MAIN = "function main() 0 waits"
DECLARED = ("table ", "state ", "zone ", "program ")
OPTIONS = ("pass", "print", "shows", "from", "until", "measure", "group", "samples", "pace")
ENDS = (op.Finish, op.Fail, op.Return)


@dataclass(frozen=True)
class TableCase:
    """A row of a table: the rule that it shows, what it asks for, a program, and what becomes of it."""

    rule: str
    options: dict[str, str]
    shared: str  # the declarations of the table
    before: str
    after: str

    @property
    def is_bare(self) -> bool:
        """Is the program only the body of `main`?"""
        return not re.search(r"(?m)^(function|in-state) ", self.before)

    def program(self, is_verified: bool = True, head: str = MAIN) -> CoreProgram:
        """The program; `head` is that of the function whose body stands alone.

        Raises `Malformed`, unless it may be a part that is not whole.
        """
        declared: list[str] = []
        body: list[str] = []
        for line in self.before.splitlines():
            is_declared = self.is_bare and line.startswith(DECLARED)
            (declared if is_declared else body).append(line)
        if self.is_bare:
            body = [head, *(f"  {line}" for line in body)]
        program = read("\n".join([HEAD, self.shared, *declared, *body]))
        if "main" not in program.functions:
            program.functions["main"] = Function("main", (), 0, (), (op.Finish(),), waits=True)
        if self.is_bare and head == MAIN:
            main = program.functions["main"]
            if not main.body or not isinstance(main.body[-1], ENDS):
                program.functions["main"] = replace(main, body=(*main.body, op.Finish()))
        if is_verified:
            verify(program)
        return program


def read(written: str) -> CoreProgram:
    """A program from its text, in which `none` may stand in arrays."""
    lines = []
    for line in written.splitlines():
        if line.startswith(("table ", "state ")):
            line = re.sub(r"\bnone\b", str(op.NONE), line)
        lines.append(line)
    return text.read("\n".join(lines))


@dataclass(frozen=True)
class Tables:
    """The tables of a stage: a folder of `tests/unit`, and what makes the second half of a case."""

    stage: str
    made: Callable[[str, TableCase], str]  # of a module and a case

    @property
    def folder(self) -> Path:
        """Where they stand."""
        return UNIT / self.stage

    def names(self) -> list[str]:
        """The modules that have a table."""
        return sorted(path.stem for path in self.folder.glob("*.txt"))

    def cases(self, name: str) -> list[TableCase]:
        """The cases of a module. Raises ValueError for a case without an arrow."""
        shared, *parts = self._parts(name)
        return [_case(part.removeprefix("# "), shared) for part in parts]

    def recorded(self, name: str) -> str:
        """The text of a table, with what becomes of its programs today."""
        shared, *parts = self._parts(name)
        out = [shared]
        for part, case in zip(parts, self.cases(name), strict=True):
            before = part.partition(f"\n{ARROW}\n")[0]
            out.append(f"{before}\n{ARROW}\n{self.made(name, case)}\n\n")
        return "".join(out).rstrip() + "\n"

    def differing(self, name: str) -> list[str]:
        """The rules of a table whose programs become something else, or nothing at all."""
        found: list[str] = []
        for case in self.cases(name):
            try:
                is_same = self.made(name, case) == case.after
            except Exception:  # noqa: BLE001 - a program that cannot be made is noticed as well
                is_same = False
            if not is_same:
                found.append(case.rule)
        return found

    def _parts(self, name: str) -> list[str]:
        written = (self.folder / f"{name}.txt").read_text(encoding="utf-8")
        return re.split(r"(?m)^(?=# )", written)


def _case(part: str, shared: str) -> TableCase:
    rule, _, rest = part.partition("\n")
    before, arrow, after = f"{rest}\n".partition(f"\n{ARROW}\n")
    if not arrow:
        raise ValueError(f"`{rule}` has no `{ARROW}` behind its program")
    options: dict[str, str] = {}
    while found := re.match(rf"({'|'.join(OPTIONS)}): (.*)(?:\n|$)", before):
        options[found[1]] = found[2].strip()
        before = before[found.end() :]
    return TableCase(rule, options, shared, before, after.strip("\n"))


def memory_line(m: Memory, word: str) -> str:
    """An array as it is declared."""
    words = ["none" if w == op.NONE else str(w) for w in m.initial]
    return " ".join([f"{word} {m.name}[{m.size}]", *words])


def function_lines(f: Function) -> list[str]:
    """A function alone, as text."""
    return text.write(CoreProgram("", 0, functions={f.name: f})).splitlines()[1:]


def difference(case: TableCase, before: CoreProgram, after: CoreProgram) -> str:
    """What is new or other in a program: arrays, functions and states; `unchanged` if nothing is.

    The body of `main` alone is written as the case writes it.
    """
    out: list[str] = []
    for m in after.memories.values():
        if before.memories.get(m.name) != m:
            out.append(memory_line(m, "table" if m.constant else "state"))
    out += [f"without {name}" for name in before.functions if name not in after.functions]
    for f in after.functions.values():
        if before.functions.get(f.name) == f or after.states and f.waits:
            continue
        if case.is_bare and f.name == "main":
            out += _bare(f)
        else:
            out += function_lines(f)
    out += [f"without state {number}" for number in before.states if number not in after.states]
    for state in after.states.values():
        if before.states.get(state.number) != state:
            entry = " entry" if after.entries.get(state.function) == state.number else ""
            out += [f"in-state {state.number} {state.function}{entry}", *text.lines(state.body, 1)]
    return "\n".join(out) or "unchanged"


def _bare(f: Function) -> list[str]:
    body = f.body[:-1] if f.body and isinstance(f.body[-1], op.Finish) else f.body
    return [*(memory_line(m, "array") for m in f.memories), *text.lines(body, 0)] or ["nothing"]
