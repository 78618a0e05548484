"""Random decisions and chance."""

from __future__ import annotations

from dataclasses import replace

from generated.rules import Lines, Rules, Where, indented
from generated.values import Name, Values

ALIKE = {"card": ("colour", "n", "face", "n, colour"), "die": ("pips",), "token": ("weight",)}


class Decisions(Rules):
    """Statements at which the game waits."""

    def asking(
        self, v: Values, names: list[Name], where: Where, depth: int
    ) -> tuple[Lines, list[Name], bool]:
        self.used.add("waits")
        who = (where.alone or v.value("player", 1)) + self.leaks
        kind, source = self.grammar.sources[self.pick(len(self.grammar.sources))]
        source = source or v.value("cards", 1)
        x = v.new()
        own = self.values([*names, Name(x, kind)])
        test = f" where {own.value('bool')}" if self.chance(60 if where.alone else 10) else ""
        alike = f" merging {self.one(*ALIKE[kind])}" if kind in ALIKE and self.chance(25) else ""
        inside = replace(where, loop=False)
        if self.chance(7):
            return self.unseen(v, names, inside, depth, who, x)
        match self.pick(11 if not where.alone else 6):
            case 0:
                head = f"choose {x} from {source}{alike} by {who}{test}{self.label(x)}"
                if where.gives:
                    return [head, "else:", "    level += 1"], [], False
                return [head, "else:", "    return"], [Name(x, kind)], False
            case 1:
                also = (
                    [f'    only if{self.one("", " possible")} "it is good": {own.value("bool", 1)}']
                    if self.chance(30)
                    else []
                )
                head = f"choose {x} from {source} by {who}{self.label(x)}"
                return (
                    [head, f'    only if "it fits": {own.value("bool")}', *also, "else:", "    total = 2"],
                    [],
                    False,
                )
            case 2:
                words = self.one("", f' as "take {{{x}}}"', ' as "take" or "leave it"')
                conditions = (
                    [f'    only if{self.one("", " possible")} "it may be": {own.value("bool")}']
                    if self.chance(30)
                    else []
                )
                lines = [f"may choose {x} from {source}{alike} by {who}{test}{words}:", *conditions]
                lines += indented(self.block([*names, Name(x, kind)], inside, depth))
                return (
                    [*lines, "else:", *indented(self.block(names, inside, depth, 1))]
                    if self.chance(50)
                    else lines,
                    [],
                    False,
                )
            case 3:
                return self.several(v, names, inside, depth, who, x, kind, source, alike), [], False
            case 4:
                return self.menu(v, names, inside, depth, who), [], False
            case 5:
                return (
                    [f"choose {x} from {source}{alike} by {who}", "else:", f"    finish {self.ending(v)}"],
                    [Name(x, kind)],
                    False,
                )
            case 6:
                made = (
                    self.steps_at_once
                    if self.chance(35)
                    else self.several_of_all
                    if self.chance(25)
                    else self.together
                )
                return made(v, names, x, kind, source), [], False
            case 7:
                weighing = f" weighing abs({own.value('int', 1)})" if self.chance(40) else ""
                return (
                    [f"choose {x} from {source}{alike} by chance{weighing}{test}", "else:", "    level = 5"],
                    [],
                    False,
                )
            case 8:
                many = self.one("1", "2", "1..2", f"(max(1, {v.value('int', 1)}))")
                return (
                    [
                        f"choose {many} {x} from {source}{alike} by chance",
                        "else:",
                        "    level = 6",
                        f"total += {x}.size",
                    ],
                    [],
                    False,
                )
            case 9 if self.windows:
                self.used.add("window")
                w = self.windows[self.pick(len(self.windows))]
                return (
                    [
                        f"open {v.call(w, 1)} to "
                        f"{self.one(v.value('players', 1), v.value('player', 1), '[leader, leader]')}"
                    ],
                    [],
                    False,
                )
        return [f"choose {x} from {source} by {who}{test}", "else:", "    flag = true"], [], False

    def unseen(
        self, v: Values, names: list[Name], where: Where, depth: int, who: str, x: str
    ) -> tuple[Lines, list[Name], bool]:
        """One of the places of a pile or sequence."""
        zone = self.one("deck", "row", "pile", "discard", f"grid[{v.value('cell', 1)}]")
        words = self.one("", ' as "turn over"')
        head, known = f"choose {x} from {zone} by {who} unseen{words}", [*names, Name(x, "card")]
        if self.chance(40):
            return [f"may {head}:", *indented(self.block(known, where, depth, 1))], [], False
        if self.chance(40):
            return [head, "else:", f"    finish {self.ending(v)}"], [Name(x, "card")], False
        return (
            [
                head,
                "else:",
                "    flag = true",
                f"if {x} is not none:",
                *indented(self.block(known, where, depth, 1)),
            ],
            [],
            False,
        )

    def label(self, x: str) -> str:
        return self.one("", "", ' as "take"', f' as "take {{{x}}} of {{total}}"')

    def several(
        self,
        v: Values,
        names: list[Name],
        where: Where,
        depth: int,
        who: str,
        x: str,
        kind: str,
        source: str,
        alike: str,
    ) -> Lines:
        n = v.value("int", 1)
        many = self.one("2", "any", "some", "1..2", f"(max(1, {n}))", f"(min(1, abs({n})))..(3)")
        such = ""
        if self.chance(50):
            of = self.values(
                [*names, Name(x, "list" if kind == "card" else "ints" if kind == "int" else "several")]
            )
            such = (
                of.value("bool")
                if kind in ("card", "int")
                else f"{x}.size != {1 + self.pick(2)} or {of.value('bool', 1)}"
            )
            such = f" such that {such}"
        words = self.one("", "", f' as "take {{{x}}}"', ' as "exchange"')
        if self.chance(25):
            lines = [
                f"may choose {many} {x} from {source}{alike} by {who}{such}{words}:",
                f"    level += {x}.size",
            ]
            return [
                *lines,
                *indented(self.block(names, where, depth, 1)),
                *self.one("", "else:;    total = 3").split(";"),
            ]
        rest = ["else:", "    total = 1"] if many != "any" else []
        return [f"choose {many} {x} from {source}{alike} by {who}{such}{words}", *rest, f"total += {x}.size"]

    def together(self, v: Values, names: list[Name], x: str, kind: str, source: str) -> Lines:
        """Everybody at once, or some players."""
        own = self.values([*names, Name(x, kind), Name(x + "p", "player")])
        if self.chance(30):
            those = self.one("others(leader)", "clockwise(leader)", v.value("players", 1))
            lines = [f"choose {x} from {source} by every {x}p in {those}{self.leaks}"]
            return (
                [*lines, f"total += count({x}[p] is not none for p in players) mod 3"]
                if self.chance(30)
                else [*lines, f'announce "{{{x}}}"']
            )
        test = f" where {x}p == leader or {own.value('bool', 1)}" if self.chance(30) else ""
        words = (
            [f'    only if{self.one("", " possible")} "it fits": {own.value("bool", 1)}']
            if self.chance(25)
            else []
        )
        said = self.one("", "", f' as "{{{x}p}} says {{{x}}}"')
        alike = f"score[leader] += count({x}[p] == {x}[leader] for p in players)"
        return [f"choose {x} from {source} by every {x}p in players{self.leaks}{test}{said}", *words, alike]

    def several_of_all(self, v: Values, names: list[Name], x: str, kind: str, source: str) -> Lines:
        """Several things by everybody at once."""
        many, said = self.one("any", "0..2", "(0)..(min(2, abs(total)))"), self.one("", ' as "take"')
        alike = f" merging {self.one(*ALIKE[kind])}" if kind in ALIKE and self.chance(25) else ""
        head, tail = f"choose {many} {x} from {source}{alike} by every {x}p in", f"{self.leaks}{said}"
        if self.chance(30):
            return [
                f"{head} others(leader){tail}",
                f"total += count({x}[{x}p] is not none for {x}p in players)",
            ]
        return [f"{head} players{tail}", f"total += sum({x}[{x}p].size for {x}p in players) mod 5"]

    def steps_at_once(self, v: Values, names: list[Name], x: str, kind: str, source: str) -> Lines:
        """Steps that several players go through at once: what is decided stands before what is done, but for
        what stands in its branches.
        """
        p = x + "p"
        own = self.values([*names, Name(p, "player"), Name(x, kind)])
        test = f" if {self.values([*names, Name(p, 'player')]).value('bool', 1)}" if self.chance(30) else ""
        lines, counts = [f"for {p} in {v.value('players', 1)} at once{test}:"], self.chance(40)
        if counts:
            lines += [f"    var {x}n = {v.value('int', 1)}", f"    for {x}i in 1..2:"]
            lines += [
                f"        choose {x}m from 0..3 by {p}{self.leaks} where {x}m != {x}n",
                "        else: break",
                f"        {x}n = {x}m",
            ]
        then = self.one(
            f"score[{p}] += 1",
            f"total += {p}.seat",
            "level += 1",
            "flag = not flag",
            f"score[{p}] += abs({own.value('int', 1)}) mod 4",
        )
        match self.pick(3):
            case 0:
                lines += [
                    f"    may choose {x} from {source} by {p}{self.leaks}:",
                    f"        {then}",
                    "    else:",
                    "        level += 1",
                ]
            case 1:
                lines += [
                    f"    choose {x} from {source} by {p}{self.leaks}",
                    "    else:",
                    "        level += 1",
                ]
            case _:
                lines += [
                    f"    choose by {p}{self.leaks}:",
                    f'        option "one {{{x}}}" for {x} in {source}: {then}',
                ]
                lines.append('        option "two": pass')
        return [*lines, f"    score[{p}] += abs({x}n) mod 3"] if counts else lines

    def group(self, v: Values, names: list[Name], where: Where, depth: int) -> Lines:
        """Two options that share what they walk, a name and conditions."""
        x, y = v.new(), v.new()
        own = [*names, Name(x, "int")]
        shared = [*own, Name(y, "int")]
        test = f" if {v.value('bool', 1)}"
        lines = [
            f"    group for {x} in 1..2{self.one('', test)}:",
            f"        let {y} = {self.values(own).value('int', 1)}",
        ]
        if self.chance(40):
            lines.append(
                f'        only if{self.one("", " possible")} "the group may": '
                f"{self.values(shared).value('bool', 1)}"
            )
        if self.chance(20):
            lines.append('        only this if possible "the group goes first"')
        for word in ("low", "high"):
            walked = self.one("", f" for {x}{word} in 1..2", f" if {self.values(shared).value('bool', 1)}")
            words = f"{word} {{{x}}} {{{y}}}" + (f" {{{x}{word}}}" if " for " in walked else "")
            lines += [
                f'        option "{words}"{walked}:',
                *indented(indented(indented(self.block(shared, where, depth, 1)))),
            ]
        return lines

    def menu(self, v: Values, names: list[Name], where: Where, depth: int, who: str) -> Lines:
        window, who = "", who.removesuffix(self.leaks)
        if self.windows and not where.alone and self.chance(30):
            window = f" with {v.call(self.windows[self.pick(len(self.windows))], 1)}"
            self.used.add("window")
        lines, x = [f"choose by {who}{window}{self.leaks}:"], v.new()
        own = [*names, Name(x, "int")]
        second, loops = "", f"for {x} in 1..3"
        if self.chance(30):
            kind, source = self.grammar.sources[self.pick(len(self.grammar.sources))]
            source = source or "row"
            own.append(Name(x + "k", kind))
            second, loops = f", {{{x}k}}", f"{loops}{self.one('', f' if {x} > 1')} for {x}k in {source}"
        test = f" if {self.values(own).value('bool')}" if self.chance(70) else ""
        only = (
            [f'        only if{self.one("", " possible")} "it is so": {self.values(own).value("bool", 1)}']
            if self.chance(25)
            else []
        )
        if self.chance(15):
            only.append('        only this if possible "it goes first"')
        lines += [
            f'    option "first {{{x}}}{second}" {loops}{test}:',
            *only,
            *indented(indented(self.block(own, where, depth, 2))),
        ]
        if self.chance(25):
            lines += self.group(v, names, where, depth)
        if self.chance(60):
            lines += [
                f'    option "second" if {v.value("bool")}:',
                *indented(indented(self.block(names, where, depth, 2))),
            ]
        if self.chance(70):
            return [*lines, '    option "third":', *indented(indented(self.block(names, where, depth, 1)))]
        return [*lines, "else:", *indented(self.block(names, where, depth, 1))]
