"""Tables of small programs and the core that they become: `tests/unit/lowering/MODULE.txt` for each module of
`lowering/`, or several `MODULE.THEME.txt`.

    state: ...                      sections of a ruleset that all cases of the table share

    # A sum without bounds stays within the limits of the language.
    play: |
      n = n + 1
    =>
    function p1() 0 waits
      ...

A case begins with its rule in words, has sections that take the place of those above, and behind `=>` what
becomes of it. `tools/record-tables` writes that part. `play` is the body of the only phase. More lines say
what is written down:

    shows: f                        these instead of `play`: a definition by its name, a function of the core,
                                    an array of the state, `memory` (all of them), `zones`, `functions`
                                    (their names), `frames` (frame maps), `waits` (where they stand),
                                    `texts`, `grades` (words of ends), `probes` (what is watched)
    pay: shown                      the steps that are paid stand there as well
    told: heard                     what is told is folded into a number for whoever listens
    measure: n                      the game is watched: a number of each position, read by `measure0`
    group: n                        the same: what games are grouped by, read by `group`
    from: set t, none               only what stands from the first line on that begins like this, but for
                                    the numbers of its locals
    until: wait                     only what stands before the next line that begins like this

Tables that a function reads stand above it, numbered in the order in which they are named. Variables of the
state, definitions and phases are called by their names, where the core says `v0` and `p0`; locals are not.
`none` is the word for none.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import croupier
from croupier.core import text
from croupier.core.operations import NONE
from croupier.core.types import CoreProgram, Function
from croupier.core.walk import arrays
from croupier.diagnostics import RulesetError
from croupier.lowering.shapes import NotLowered
from croupier.ruleset import Ruleset
from croupier.runtime.engine import Engine
from croupier.runtime.game import Game

if TYPE_CHECKING:
    from croupier.lowering.positions import FrameMap, Where

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "unit" / "lowering"
BASE = {
    "croupier": "croupier: 1\n",
    "ruleset": "ruleset: small\n",
    "title": "title: Small\n",
    "players": "players: 2\n",
}
ARROW = "=>"
MORE = ("shows", "pay", "told", "measure", "group", "from", "until")  # what is no section of a ruleset
NAMED = ("main", "def", "phase", "window", "hook")  # procedures that have a name of their own
MOST_SHOWN = 120  # words of the line of a table
HIDDEN = ("where", "result")  # arrays that every program has


@dataclass
class TableCase:
    """A row of a table: the rule that it shows, a program, what is written down of its core."""

    rule: str
    sections: dict[str, str]
    after: str
    shows: list[str] = field(default_factory=lambda: ["play"])
    pays: bool = False
    is_heard: bool = False
    measure: str = ""  # what is watched besides
    group: str = ""
    begin: str = ""  # how the first line begins that is written down; "": all are
    end: str = ""  # how the line begins that follows the last one

    @property
    def ruleset(self) -> str:
        """The whole ruleset."""
        return "".join((BASE | self.sections).values())


def table_names(module: str = "") -> list[str]:
    """The names of the tables, or of those of one module."""
    names = sorted(path.stem for path in FOLDER.glob("*.txt"))
    return [name for name in names if not module or module_of(name) == module]


def module_of(name: str) -> str:
    """The module that a table is for."""
    return name.partition(".")[0]


def sections(body: str) -> dict[str, str]:
    """The sections of a part of a ruleset, by their names; `play` is the body of a phase."""
    found: dict[str, str] = {}
    for part in re.split(r"(?m)^(?=\w+:)", body):
        name, _, rest = part.partition(":")
        if not rest:
            continue
        if name == "play":
            inside = re.sub(r"(?m)^(?=.)", "  ", rest.removeprefix(" |\n"))
            name, part = "phases", f"phases:\n  play: |\n{inside}"
        found[name] = part.rstrip() + "\n"
    return found


def table(name: str) -> list[TableCase]:
    """The cases of a table. Raises ValueError for a case without a program or an arrow."""
    shared, *parts = re.split(r"(?m)^# ", (FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    ground = sections(shared)
    return [_case(part, ground) for part in parts]


def _case(part: str, ground: dict[str, str]) -> TableCase:
    rule, _, rest = part.partition("\n")
    before, arrow, after = f"{rest}\n".partition(f"\n{ARROW}\n")
    own = sections(before)
    if not arrow or not own:
        raise ValueError(f"`{rule}` has no program, or no `{ARROW}` behind it")
    found = TableCase(rule, ground | own, after.strip("\n"))
    said = {word: found.sections.pop(word, "").partition(":")[2].strip() for word in MORE}
    if said["shows"]:
        found.shows = said["shows"].split()
    found.pays = said["pay"] == "shown"
    found.is_heard = said["told"] == "heard"
    found.measure, found.group = said["measure"], said["group"]
    found.begin, found.end = said["from"], said["until"]
    return found


@cache
def ruleset(text_: str) -> Ruleset:
    """A ruleset from its text. Raises `RulesetError`."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.yaml"
        path.write_text(text_, encoding="utf-8")
        return croupier.load(path)


@cache
def engine(text_: str) -> Engine:
    """What plays a ruleset with its least number of players. Raises `RulesetError`."""
    return ruleset(text_).engine(None, None)


def game(text_: str) -> Game:
    """The game of a ruleset with its least number of players. Raises `RulesetError`."""
    return engine(text_).game


def made(case: TableCase) -> str:
    """What becomes of the program of a case."""
    from croupier.lowering import lower  # anew in each call: it may be one with a planted mistake

    of = game(case.ruleset)
    probing = None
    if case.measure or case.group:
        from croupier.play.watching import probing_of

        probing = probing_of(engine(case.ruleset), (case.measure,) if case.measure else (), by=case.group)
    lowered = lower(of, invariants="invariants" in case.shows, probing=probing, telling=case.is_heard)
    program = lowered.program
    out: list[str] = []
    for name in case.shows:
        match name:
            case "memory":
                out += [line for line in _lines(program) if _is_state(line)]
            case "zones":
                out += [line for line in _lines(program) if line.startswith("zone ")]
            case "frames":
                out += [_frame(of, frame) for frame in lowered.maps]
            case "texts":
                out += [f"text {i} {found}" for i, found in enumerate(lowered.texts.words)]
            case "grades":
                out += [f"grade {i} {found.parts}" for i, found in enumerate(lowered.grades)]
            case "functions":
                out.append(f"functions {' '.join(sorted(program.functions))}")
            case "waits":
                out += [line for line in _lines(program) if line.split()[0] in ("wait", "enter")]
            case "probes":
                out.append(str(program.probes))
            case _ if name in program.memories:
                out += [line for line in _lines(program) if line.startswith(f"state {name}[")]
            case _:
                out += _function(program, _function_called(of, program, name), case.pays)
    part = "\n".join(_part(_by_name(of, out), case.begin, case.end)).replace(str(NONE), "none")
    tables = {name: f"T{i}" for i, name in enumerate(dict.fromkeys(re.findall(r"\bT\d+\b", part)))}
    return re.sub(r"\bT\d+\b", lambda found: tables[found[0]], part)


def _lines(program: CoreProgram) -> list[str]:
    """A program as text, each line without what stands before it."""
    return [line.strip() for line in text.write(program).splitlines()]


def _part(lines: list[str], begin: str, end: str) -> list[str]:
    """The lines from one on that begins in a way, until one that does; `...` stands for those left out, but
    tables that are read stay.

    Raises ValueError if none begins so.
    """
    first = _line(lines, begin, 0) if begin else 0
    last = _line(lines, end, first + 1) if end else len(lines)
    part = lines[first:last]
    if first:
        read = {name for line in part for name in re.findall(r"\bT\d+\b", line)}
        tables = [line for line in lines[:first] if line.startswith(tuple(f"table {name}[" for name in read))]
        part = [*tables, "  ...", *part]
    return part + (["  ..."] if last < len(lines) else [])


def _line(lines: list[str], begin: str, first: int) -> int:
    for i in range(first, len(lines)):
        if re.sub(r"_\d+", "", lines[i]).strip().startswith(begin):
            return i
    raise ValueError(f"no line begins with `{begin}`")


def _by_name(of: Game, lines: list[str]) -> list[str]:
    """Lines of the core with the names of variables, definitions and phases."""
    names = {f"v{v.index}": v.name for v in of.program.vars.values()}
    names |= {f"p{proc.index}": proc.name for proc in of.program.procs if proc.kind in NAMED}
    return [re.sub(r"\b[vp]\d+\b", lambda found: names.get(found[0], found[0]), line) for line in lines]


def _frame(of: Game, frame: FrameMap) -> str:
    """A frame map: the procedure, the point, and where each of its locals lies."""
    from croupier.lowering.hooks import DISPATCH

    name = "hooks" if frame.proc == DISPATCH else f"p{frame.proc}"
    places = [f"{slot} {_place(where)}" for slot, where in frame.slots]
    audience = [] if frame.event_audience is None else [f"seen by {frame.event_audience}"]
    return f"frame {name} at {frame.point}: {', '.join([*places, *audience]) or 'nothing'}"


def _place(where: Where) -> str:
    from croupier.lowering import positions

    match where:
        case positions.Stored(name):
            return f"in {name}" if where.is_word else f"in {name}[]"
        case positions.Rotation(first, skip):
            return f"from {first} on, but the first {skip}"
        case positions.Made(name):
            return f"by seat in {name}[]"
        case positions.KnownValue(value):
            return f"always {value}"
        case positions.Several(parts):
            return f"({', '.join(map(_place, parts))})"
        case positions.Tail(name, _, at):
            return f"in {name}[] from {at} on"
    raise AssertionError(where)


def _is_state(line: str) -> bool:
    return line.startswith("state ") and line.split()[1].partition("[")[0] not in HIDDEN


def _function_called(of: Game, program: CoreProgram, name: str) -> Function:
    """The function of a definition or of a phase, or the one that has this name in the core."""
    for proc in of.program.procs:
        if proc.name == name and f"p{proc.index}" in program.functions:
            return program.functions[f"p{proc.index}"]
    if name not in program.functions:
        raise ValueError(f"there is no function `{name}` in {sorted(program.functions)}")
    return program.functions[name]


def _function(program: CoreProgram, f: Function, pays: bool) -> Iterator[str]:
    """A function as text, under the tables that it reads."""
    read = [m for m in arrays(f.body) if m in program.memories and program.memories[m].constant]
    alone = CoreProgram("", 0, {m: program.memories[m] for m in sorted(set(read))}, {f.name: f})
    for line in text.write(alone).splitlines()[1:]:
        words = line.split()
        if words[0] == "table" and len(words) > MOST_SHOWN:
            yield f"{' '.join(words[:MOST_SHOWN])} ..."
        elif pays or words[0] != "pay":
            yield line


def recorded(name: str) -> str:
    """The text of a table, with what becomes of its programs today.

    Raises ValueError where a program is refused, with the rule that it should show.
    """
    cases = iter(table(name))
    out: list[str] = []
    for part in re.split(r"(?m)^(?=# )", (FOLDER / f"{name}.txt").read_text(encoding="utf-8")):
        if not part.startswith("# "):
            out.append(part)
            continue
        before, _, _ = part.partition(f"\n{ARROW}\n")
        case = next(cases)
        try:
            out.append(f"{before}\n{ARROW}\n{made(case)}\n\n")
        except (RulesetError, NotLowered, ValueError) as refused:
            raise ValueError(f"{name}: {case.rule}\n{refused}") from None
    return "".join(out).rstrip() + "\n"


def differing(names: Sequence[str]) -> list[str]:
    """The rules of these tables whose programs become something else, or nothing at all."""
    found: list[str] = []
    for name in names:
        for case in table(name):
            try:
                is_same = made(case) == case.after
            except Exception:  # noqa: BLE001 - a program that cannot be lowered is noticed as well
                is_same = False
            if not is_same:
                found.append(case.rule)
    return found
