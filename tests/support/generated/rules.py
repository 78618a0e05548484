"""Random statements: blocks, control, look-aheads.

`deciding.py` has those that ask, `defining.py` definitions and what hangs on them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace

from generated.grammar import Grammar
from generated.values import Function, Name, Pick, Values

Lines = list[str]


def indented(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


@dataclass(frozen=True)
class Where:
    """What may stand in a block: does its definition wait, is it in a loop, what must it return, who alone
    may choose (in a look-ahead)?
    """

    waits: bool = False
    loop: bool = False
    gives: str = ""
    alone: str = ""
    mild: bool = False  # nothing but assignments: for watchers


@dataclass
class Rules(ABC):
    """Makes up rules. `used` are the features that came up."""

    pick: Pick
    grammar: Grammar
    functions: list[Function] = field(default_factory=list)
    windows: list[Function] = field(default_factory=list)
    made: list[int] = field(default_factory=lambda: [0])
    used: set[str] = field(default_factory=set)
    leaks: str = ""  # what a decision says where something is hidden

    def chance(self, percent: int) -> bool:
        return self.pick(100) < percent

    def one(self, *of: str) -> str:
        return of[self.pick(len(of))]

    def values(self, names: list[Name]) -> Values:
        return Values(self.pick, self.grammar, names, self.functions, self.made)

    # ------------------------------------------------------------ blocks
    def block(self, names: list[Name], where: Where, depth: int, most: int = 3) -> Lines:
        """Some statements; what they name is known to those after them."""
        names, out = list(names), []
        for _ in range(1 + self.pick(most)):
            lines, more, leaves = self.statement(names, where, depth)
            out += lines
            names += more
            if leaves:
                break
        return out

    def statement(self, names: list[Name], where: Where, depth: int) -> tuple[Lines, list[Name], bool]:
        """Lines, names that they introduce, and whether control surely does not go on after them."""
        v = self.values(names)
        simple = 40 if depth > 0 else 100
        at = self.pick(100)
        if at < simple or where.mild:
            return self.simple(v, names, where)
        if at < simple + 25:
            return [*self.branching(v, names, where, depth - 1)], [], False
        if where.waits:
            return self.asking(v, names, where, depth - 1)
        return self.loop(v, names, where, depth - 1), [], False

    def simple(self, v: Values, names: list[Name], where: Where) -> tuple[Lines, list[Name], bool]:
        at = self.pick(100)
        if at < 15:
            return self.naming(v, at < 6)
        settable = [n for n in names if n.settable]
        if at < 30 and settable:
            n = settable[self.pick(len(settable))]
            return [f"{n.text} = {v.value(n.kind)}"], [], False
        calls = [
            f
            for f in self.functions
            if f.colour == "acts" or (f.colour == "waits" and where.waits and not where.alone)
        ]
        if at < 45 and calls and not where.mild:
            f = calls[self.pick(len(calls))]
            if f.gives:
                x = v.new()
                return [f"let {x} = {v.call(f, 1)}"], [Name(x, f.gives)], False
            return [v.call(f, 1)], [], False
        if at < 50 and where.loop:
            return [self.one("break", "continue")], [], True
        if at < 53 and where.gives and not where.mild:
            return [f"return {v.value(where.gives)}"], [], True
        if at < 51 and where.alone and not where.mild:
            return [f"finish {self.ending(v)}"], [], True
        if at < 70 and where.waits and not where.alone:
            self.used.add("waits")
            return v.value("waits").split(";"), [], False
        return v.value("acts").split(";"), [], False

    def naming(self, v: Values, fixed: bool) -> tuple[Lines, list[Name], bool]:
        kinds = list(self.grammar.types)
        kind, x = kinds[self.pick(len(kinds))], v.new()
        if fixed:
            return (
                [f"let {x}{self.one('', f': {self.grammar.types[kind]}')} = {v.value(kind)}"],
                [Name(x, kind)],
                False,
            )
        return [f"var {x}: {self.grammar.types[kind]} = {v.value(kind)}"], [Name(x, kind, True)], False

    def ending(self, v: Values) -> str:
        """What stands behind `finish`."""
        p = v.new()
        key = self.values([Name(p, "player")]).value("int", 1)
        words = self.one("", "", f' as "with {{{v.value("int", 1)}}}"')
        return self.one(
            f"win {v.value('player')}", f"win {v.value('players', 1)}", f"win {v.value('maybe', 1)}", "lose",
            "draw",
            f"rank {{{p}: {key} for {p} in {v.value('players', 1)}}}",
            f"rank {{{p}: [score[{p}], {key}] for {p} in players}}",
            f"pay {{{p}: abs({key}) mod 90 for {p} in players}}",
        ) + words  # fmt: skip

    # ------------------------------------------------------------ control
    def branching(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        match self.pick(6):
            case 0:
                return self.matching(v, names, where, depth)
            case 1:
                return self.loop(v, names, where, depth)
            case 2:
                return self.ahead(v, names, where, depth)
            case 3 if not where.alone:
                whom = self.one(v.value("players", 1), v.value("player", 1), "[]")
                return [
                    f"secretly {whom}:",
                    *indented(self.block(names, replace(where, loop=False, gives=""), depth, 2)),
                ]
            case 4 if where.waits or where.gives or where.loop:
                return self.supposing(v, names, where, depth)
        lines = [f"if {v.value('bool')}:", *indented(self.block(names, where, depth, 2))]
        if self.chance(30):
            lines += [f"elif {v.value('bool')}:", *indented(self.block(names, where, depth, 1))]
        if self.chance(50):
            lines += ["else:", *indented(self.block(names, where, depth, 2))]
        return lines

    def matching(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        def case(head: str) -> Lines:
            return [f"    {head}:", *indented(indented(self.block(names, where, depth, 2)))]

        match self.pick(4):
            case 0:
                return ["match trump:", *case("case red, blue"), *case("case none"), *case("case green")]
            case 1:
                return [
                    f"match level + {v.value('int', 1)}:",
                    *case("case 0"),
                    *case("case 1, 2"),
                    *case("else"),
                ]
            case 2:
                return [f"match {v.value('bool', 1)}:", *case("case true"), *case("case false")]
        return [f"match {v.value('colour', 1)}:", *case("case red"), *case("else")]

    def loop(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        inner, x = replace(where, loop=True), v.new()

        def body(kind: str) -> Lines:
            return indented(self.block([*names, Name(x, kind)], inner, depth))

        match self.pick(6):
            case 0:
                return [f"for {x} in {v.value('players')}:", *body("player")]
            case 1:
                own = self.values([*names, Name(x, "card")])
                test = f" if {own.value('bool')}" if self.chance(40) else ""
                return [f"for {x} in {v.value('cards')}{test}:", *body("card")]
            case 2:
                return [f"for {x} in {v.value('ints')}:", *body("int")]
            case 3:
                whose = self.one("", v.value("player", 1), v.value("players", 1))
                count = [f"    {x}n += 1", f"    if {x}n > {1 + self.pick(4)}: break"]
                return [f"var {x}n = 0", f"for {x} in turns({whose}):", *count, *body("player")]
            case 4:
                count = [f"    {x} += 1", f"    if {x} > {1 + self.pick(3)} or {v.value('bool', 1)}: break"]
                return [f"var {x} = 0", "repeat:", *count, *body("int")]
        count = [
            f"var {x} = 0",
            f"repeat until {x} >= {1 + self.pick(3)} or {v.value('bool', 1)}:",
            f"    {x} += 1",
        ]
        return [*count, *body("int")]

    def ahead(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        """A look-ahead, in which one player decides; in a look-ahead now and then another one."""
        self.used.add("so that")
        who = where.alone if where.alone and self.chance(75) else self.one("leader", "players.last")
        test, within = v.value("bool"), " within 2" if self.chance(20) else ""
        body = self.block(names, replace(where, alone=who, loop=False), depth)
        lines = [f"so that {test}{within}{self.leaks}:", *indented(body)]
        return [*lines, "else:", *indented(self.block(names, where, depth, 1))] if self.chance(70) else lines

    def supposing(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        """A look at the position after some statements, and what is done if a value of it is so."""
        kinds = list(self.grammar.types)
        kind, x = kinds[self.pick(len(kinds))], v.new()
        body = self.block(names, Where(), depth, 2)
        lines = [
            f"let {x}: {self.grammar.types[kind]} = suppose:",
            *indented([*body, f"gives {v.value(kind)}"]),
        ]
        test = self.values([*names, Name(x, kind)]).value("bool")
        return [*lines, f"if {test}:", *indented(self.block([*names, Name(x, kind)], where, depth, 1))]

    @abstractmethod
    def asking(
        self, v: Values, names: list[Name], where: Where, depth: int
    ) -> tuple[Lines, list[Name], bool]:
        """A decision or chance. Lines, the names they introduce, and whether control does not go on."""
