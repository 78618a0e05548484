"""Random statements, definitions, hooks, windows, watchers and look-aheads."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from generated.values import Function, Name, Pick, Values

Lines = list[str]
KINDS = ("int", "bool", "colour", "player", "card")
TYPES = {"int": "int", "bool": "bool", "colour": "Colour", "player": "Player", "card": "Card"}
SOURCES = (("int", "0..4"), ("int", "1..3"), ("colour", "Colour"), ("card", ""), ("card", "row"), ("player", "players"))


def indented(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


@dataclass(frozen=True)
class Where:
    """What may stand in a block: does its definition wait, is it in a loop, what must it return, who alone may choose (in a look-ahead)?"""

    waits: bool = False
    loop: bool = False
    gives: str = ""
    alone: str = ""
    mild: bool = False  # nothing but assignments: for watchers


@dataclass
class Rules:
    """Makes up rules. `used` are the features that came up."""

    pick: Pick
    functions: list[Function] = field(default_factory=list)
    windows: list[str] = field(default_factory=list)
    made: list[int] = field(default_factory=lambda: [0])
    used: set[str] = field(default_factory=set)

    def chance(self, percent: int) -> bool:
        return self.pick(100) < percent

    def values(self, names: list[Name]) -> Values:
        return Values(self.pick, names, self.functions, self.made)

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
            kind = KINDS[self.pick(len(KINDS))]
            x = v.new()
            if at < 6:
                return [f"let {x} = {v.value(kind)}"], [Name(x, kind)], False
            return [f"var {x}: {TYPES[kind]} = {v.value(kind)}"], [Name(x, kind, True)], False
        settable = [n for n in names if n.settable]
        if at < 30 and settable:
            n = settable[self.pick(len(settable))]
            return [f"{n.text} = {v.value(n.kind)}"], [], False
        calls = [f for f in self.functions if f.colour == "acts" or (f.colour == "waits" and where.waits and not where.alone)]
        if at < 45 and calls and not where.mild:
            f = calls[self.pick(len(calls))]
            if f.gives:
                x = v.new()
                return [f"let {x} = {v.call(f, 1)}"], [Name(x, f.gives)], False
            return [v.call(f, 1)], [], False
        if at < 50 and where.loop:
            return [("break", "continue")[self.pick(2)]], [], True
        if at < 53 and where.gives and not where.mild:
            return [f"return {v.value(where.gives)}"], [], True
        if at < 51 and where.alone and not where.mild:
            return [f"finish win {v.value('player')}"], [], True
        if at < 70 and where.waits and not where.alone:
            self.used.add("waits")
            return [v.value("waits")], [], False
        return [v.value("acts")], [], False

    # ------------------------------------------------------------ control
    def branching(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        at = self.pick(4)
        if at == 0:
            return [f"match {v.value('colour', 1)}:", "    case red:", *indented(indented(self.block(names, where, depth, 2))),
                    "    else:", *indented(indented(self.block(names, where, depth, 2)))]  # fmt: skip
        if at == 1:
            return self.loop(v, names, where, depth)
        if at == 2:
            return self.ahead(v, names, where, depth)
        lines = [f"if {v.value('bool')}:", *indented(self.block(names, where, depth, 2))]
        if self.chance(30):
            lines += [f"elif {v.value('bool')}:", *indented(self.block(names, where, depth, 1))]
        if self.chance(50):
            lines += ["else:", *indented(self.block(names, where, depth, 2))]
        return lines

    def loop(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        inner, x = replace(where, loop=True), v.new()
        match self.pick(4):
            case 0:
                body = self.block([*names, Name(x, "player")], inner, depth)
                return [f"for {x} in {v.value('players')}:", *indented(body)]
            case 1:
                test = f" if {v.value('bool')}" if self.chance(40) else ""
                body = self.block([*names, Name(x, "card")], inner, depth)
                return [f"for {x} in {v.value('cards')}{test}:", *indented(body)]
            case 2:
                body = self.block([*names, Name(x, "int")], inner, depth)
                return [f"for {x} in {v.value('ints')}:", *indented(body)]
        body = self.block([*names, Name(x, "int")], inner, depth)
        return [f"var {x} = 0", f"repeat until {x} >= {1 + self.pick(3)} or {v.value('bool', 1)}:", f"    {x} += 1", *indented(body)]

    def ahead(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        """A look-ahead, in which one player decides."""
        self.used.add("so that")
        who = where.alone or ("leader" if self.chance(50) else "players.last")
        test, within = v.value("bool"), " within 2" if self.chance(20) else ""
        body = self.block(names, replace(where, alone=who, loop=False), depth)
        lines = [f"so that {test}{within}:", *indented(body)]
        return [*lines, "else:", *indented(self.block(names, where, depth, 1))] if self.chance(70) else lines

    # ------------------------------------------------------------ decisions
    def asking(self, v: Values, names: list[Name], where: Where, depth: int) -> tuple[Lines, list[Name], bool]:
        self.used.add("waits")
        who = where.alone or v.value("player", 1)
        kind, source = SOURCES[self.pick(len(SOURCES))]
        source = source or v.value("cards", 1)
        x = v.new()
        own = self.values([*names, Name(x, kind)])
        test = f" where {own.value('bool')}" if self.chance(60 if where.alone else 10) else ""
        inside = replace(where, loop=False)
        match self.pick(9 if not where.alone else 5):
            case 0:
                return [f"choose {x} from {source} by {who}{test}"], [Name(x, kind)], False
            case 1:
                return [f"choose {x} from {source} by {who}", f'    only if "it fits": {own.value("bool")}', "else:", "    total = 2"], [], False
            case 2:
                lines = [f"may choose {x} from {source} by {who}{test}:", *indented(self.block([*names, Name(x, kind)], inside, depth))]
                return [*lines, "else:", *indented(self.block(names, inside, depth, 1))] if self.chance(50) else lines, [], False
            case 3:
                many = ("2", "any", "some", "1..2", f"(max(1, {v.value('int', 1)}))")[self.pick(5)]
                such = f" such that {self.values([*names, Name(x, 'list')]).value('bool')}" if kind == "card" and self.chance(50) else ""
                rest = ["else:", "    total = 1"] if many not in ("any",) else []
                return [f"choose {many} {x} from {source} by {who}{such}", *rest, f"total += {x}.size"], [], False
            case 4:
                return self.menu(v, names, inside, depth, who), [], False
            case 5:
                alike = f"score[leader] += count({x}[p] == {x}[leader] for p in players)"
                return [f"choose {x} from {source} by every {x}p in players", alike], [], False
            case 6:
                weighing = f" weighing abs({own.value('int', 1)})" if self.chance(40) else ""
                return [f"choose {x} from {source} by chance{weighing}{test}", "else:", "    level = 5"], [], False
            case 7 if self.windows:
                self.used.add("window")
                return [f"open {self.windows[self.pick(len(self.windows))]}({v.value('int', 1)}) to {v.value('players', 1)}"], [], False
        return [f"choose {x} from {source} by {who}{test}", "else:", "    flag = true"], [], False

    def menu(self, v: Values, names: list[Name], where: Where, depth: int, who: str) -> Lines:
        window = ""
        if self.windows and not where.alone and self.chance(30):
            window = f" with {self.windows[self.pick(len(self.windows))]}({v.value('int', 1)})"
            self.used.add("window")
        lines, x = [f"choose by {who}{window}:"], v.new()
        own = [*names, Name(x, "int")]
        test = self.values(own).value("bool")
        lines += [f'    option "first {{{x}}}" for {x} in 1..3 if {test}:', *indented(indented(self.block(own, where, depth, 2)))]
        if self.chance(60):
            lines += [f'    option "second" if {v.value("bool")}:', *indented(indented(self.block(names, where, depth, 2)))]
        lines += ['    option "third":', *indented(indented(self.block(names, where, depth, 1)))]
        return lines

    # ------------------------------------------------------------ definitions
    def definition(self) -> Lines:
        """A definition, which those after it may call."""
        name, colour = f"f{len(self.functions)}", ("pure", "acts", "waits")[self.pick(3)]
        takes = tuple(KINDS[self.pick(len(KINDS))] for _ in range(self.pick(3)))
        gives = KINDS[self.pick(len(KINDS))] if colour == "pure" or self.chance(50) else ""
        names = [Name(f"a{i}", kind) for i, kind in enumerate(takes)]
        head = f"def {name}({', '.join(f'{n.text}: {TYPES[n.kind]}' for n in names)}){f' -> {TYPES[gives]}' if gives else ''}:"
        v = self.values(names)
        if colour == "pure":
            x = v.new()
            body = [f"if {v.value('bool')}:", f"    return {v.value(gives)}", f"let {x} = {v.value('int')}"]
            test = self.values([*names, Name(x + "c", "card"), Name(x, "int")]).value("bool")
            body += [f"for {x}c in {v.value('cards')}:", f"    if {test}:", f"        return {v.value(gives)}"]
        else:
            body = [f"total = {v.value('int', 1)} mod 50"] if colour == "acts" else [f"choose {v.new()} from 1..3 by {v.value('player', 1)}"]
            body += self.block(names, Where(waits=colour == "waits", gives=gives), 2)
        if gives and not (body and body[-1].startswith(("return", "finish"))):
            body.append(f"return {v.value(gives)}")
        self.functions.append(Function(name, takes, gives, colour))
        return [head, *indented(body)]

    def hook(self) -> Lines:
        """Something around a definition, whose colour it keeps."""
        targets = [f for f in self.functions if f.takes]
        if not targets:
            return []
        f = targets[self.pick(len(targets))]
        self.used.add("hook")
        known, self.functions = self.functions, self.functions[: self.functions.index(f)]
        lines = self.around(f)
        self.functions = known
        return lines

    def around(self, f: Function) -> Lines:
        names = [Name(f"b{i}", kind) for i, kind in enumerate(f.takes)]
        v, where = self.values(names), Where(waits=f.colour == "waits", mild=f.colour == "acts")
        guard = f" if {v.value('bool')}"
        pattern = f"{f.name}({', '.join(n.text for n in names)})"
        same = " and ".join(f"{n.text} == {n.text}" for n in names)  # a name that is bound must be used
        at = self.pick(4)
        if at == 0 and f.gives:
            return [f"adjust {pattern} as n{guard} and {same}:", f"    return {self.values([*names, Name('n', f.gives)]).value(f.gives)}"]
        if f.colour == "pure" or at == 1:
            call = f"original({', '.join(v.value(k, 1) for k in f.takes)})"
            return [f"instead of {pattern}{guard} and {same}:", f"    return {call}" if f.gives else f"    {call}"]
        return [f"{('before', 'after')[at % 2]} {pattern}{guard} and {same}:", *indented(self.block(names, where, 1, 2))]

    def window(self) -> Lines:
        """A window with a reaction or two."""
        name = f"w{len(self.windows)}"
        names = [Name("k", "int"), Name("owner", "player")]
        lines = [f"window {name}(k: int)"]
        for i in range(1 + self.pick(2)):
            body = self.block(names, Where(waits=self.chance(40)), 1, 2)
            lines += [f'in {name}(k) if k == k and {self.values(names).value("bool")} as "react {i}":', *indented(body)]
        self.windows.append(name)
        return lines

    def watcher(self) -> Lines:
        self.used.add("watcher")
        v = self.values([])
        if self.chance(30):
            return [f"end when total > {20 + self.pick(60)} and {v.value('bool', 1)}:", f"    finish win {v.value('player', 1)}"]
        kind = ("int", "bool", "player", "colour")[self.pick(4)]
        names = [Name("now", kind)]
        test = self.values(names).value("bool", 1)
        return [f"watch {v.value(kind)} as now:", f"    if now == now and {test}:", *indented(indented(self.block(names, Where(mild=True), 0, 1)))]
