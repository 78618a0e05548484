"""Random definitions, hooks, powers, windows and watchers."""

from __future__ import annotations

from generated.deciding import Decisions
from generated.rules import Lines, Where, indented
from generated.values import Function, Name, Values

CONSTANT = {"int": "2", "bool": "true", "colour": "red", "player": "leader", "card": "ace"}


class Definitions(Decisions):
    """What stands under `definitions`, and the powers of components."""

    def words(self, kind: str) -> str:
        return {"var": "int", "zone": "zone of Card"}.get(kind) or self.grammar.types[kind]

    def definition(self) -> Lines:
        """A definition, which those after it may call."""
        name, colour = f"f{len(self.functions)}", self.one("pure", "acts", "waits")
        kinds = list(self.grammar.types)
        takes = tuple(kinds[self.pick(len(kinds))] for _ in range(self.pick(3)))
        if self.chance(15):
            takes = (*takes, "zone")
        if colour != "pure" and self.chance(25):
            takes = (*takes, "var")
        spare = not takes and self.chance(30) or self.chance(10) and "var" not in takes
        if spare:
            takes = (*takes, "int")
        gives = kinds[self.pick(len(kinds))] if colour == "pure" or self.chance(50) else ""
        names = [
            Name(f"a{i}", "int" if kind == "var" else kind, kind == "var") for i, kind in enumerate(takes)
        ]
        params = [
            f"{'var ' if kind == 'var' else ''}{n.text}: {self.words(kind)}"
            for n, kind in zip(names, takes, strict=True)
        ]
        if spare:
            params[-1] += " = 2"
        deep = "int" in takes[:1] and not gives and self.chance(60)
        result = f" -> {self.words(gives)}" if gives else ""
        head = f"def {name}({', '.join(params)}){result}{' nested 3' if deep else ''}:"
        f = Function(name, takes, gives, colour, spare)
        body = self.body(f, names)
        if deep and not body[-1].startswith("finish"):
            again = ", ".join(["min(a0, 4) - 1", *(n.text for n in names[1:])])
            body.append(f"if a0 > 0: {name}({again})")
        self.functions.append(f)
        return [head, *indented(body)]

    def body(self, f: Function, names: list[Name]) -> Lines:
        v = self.values(names)
        if f.colour == "pure":
            x = v.new()
            body = [f"if {v.value('bool')}:", f"    return {v.value(f.gives)}", f"let {x} = {v.value('int')}"]
            test = self.values([*names, Name(x + "c", "card"), Name(x, "int")]).value("bool")
            body += [
                f"for {x}c in {v.value('cards')}:",
                f"    if {test}:",
                f"        return {v.value(f.gives)}",
            ]
        else:
            body = (
                [f"total = {v.value('int', 1)} mod 50"]
                if f.colour == "acts"
                else [f"choose {v.new()} from 1..3 by {v.value('player', 1)}"]
            )
            body += self.block(names, Where(waits=f.colour == "waits", gives=f.gives), 2)
        if f.gives and not body[-1].startswith(("return", "finish")):
            body.append(f"return {v.value(f.gives)}")
        return body

    # ------------------------------------------------------------ hooks
    def hook(self) -> Lines:
        """Something around a definition, whose colour it keeps."""
        if not self.functions:
            return []
        return self.on(self.functions[self.pick(len(self.functions))], [], "")

    def power(self) -> Lines:
        """A hook or a reaction of a component: it knows itself, its owner and where it lies, which is with
        its owner.
        """
        own = [Name("self", "token"), Name("owner", "player"), Name("here", "player")]
        if self.chance(10):
            return self.open_power(own)
        if self.windows and self.chance(40):
            self.used.add("window")
            return self.reaction(
                self.windows[self.pick(len(self.windows))], own, self.one("", ' as "use {self}"')
            )
        if not self.functions:
            return []
        return self.on(
            self.functions[self.pick(len(self.functions))],
            own,
            self.one("", " and owner == here", " and self != sun"),
        )

    def open_power(self, own: list[Name]) -> Lines:
        """What the owner of a component, or everybody, may do at each of their decisions."""
        self.used.add("window")
        who, test = self.one("owner", "whoever"), self.values(own).value("bool", 1)
        ends = f"total < {10 + self.pick(20)}" + (
            "" if who == "owner" else " and (whoever != owner or here == owner)"
        )
        known = own if who == "owner" else [*own, Name(who, "player")]
        lines = [
            f"at any time by {who} if {ends}{self.leaks}:",
            f'    option "rub {{self}}" if {test}:',
            "        total += 5",
        ]
        return [*lines, *indented(indented(self.block(known, Where(waits=self.chance(30)), 0, 1)))]

    def on(self, f: Function, own: list[Name], also: str) -> Lines:
        self.used.add("hook")
        known, self.functions = self.functions, self.functions[: self.functions.index(f)]
        lines = self.around(f, own, also)
        self.functions = known
        return lines

    def pattern(self, f: Function, free: int) -> tuple[str, list[Name], str]:
        """The pattern, the names that it binds, and a condition that uses each of them; at least the first so
        many are bound.
        """
        texts, names = [], []
        for i, kind in enumerate(f.takes):
            at = self.pick(100)
            if i < free or at < 50 or kind not in CONSTANT:
                names.append(Name(f"b{i}", "int" if kind == "var" else kind, kind == "var"))
                texts.append(f"b{i}")
            elif at < 70:
                texts.append(CONSTANT[kind])
            else:
                texts.append("_")
        if free == 0 and len(texts) > 1 and not names and texts[-1] != "_" and self.chance(50):
            texts = [f"a{len(texts) - 1} = {texts[-1]}"]
        return f"{f.name}({', '.join(texts)})", names, "".join(f" and {n.text} == {n.text}" for n in names)

    def around(self, f: Function, own: list[Name], also: str) -> Lines:
        at = self.pick(5)
        replaces = not (at == 0 and f.gives) and (f.colour == "pure" or at == 1)
        pattern, names, same = self.pattern(f, len(f.takes) if replaces else 0)
        names = [*own, *names]
        v, where = (
            self.values(names),
            Where(waits=f.colour == "waits", mild=f.colour == "acts" and self.chance(50)),
        )
        guard = f" if {v.value('bool')}{also}{same}"
        if at == 0 and f.gives:
            return [
                f"adjust {pattern} as n{guard}:",
                f"    return {self.values([*names, Name('n', f.gives)]).value(f.gives)}",
            ]
        if replaces:
            bound = {n.text: n for n in names}
            given = [
                f"b{i}" if kind in ("var", "zone") else v.value(kind, 1)
                for i, kind in enumerate(f.takes)
                if f"b{i}" in bound
            ]
            call = f"original({', '.join(given)})"
            if f.gives and f.colour != "pure" and self.chance(30):
                return [f"instead of {pattern}{guard}:", "    total = 5", f"    return {v.value(f.gives)}"]
            return [f"instead of {pattern}{guard}:", f"    return {call}" if f.gives else f"    {call}"]
        return [f"{('before', 'after')[at % 2]} {pattern}{guard}:", *indented(self.block(names, where, 1, 2))]

    # ------------------------------------------------------------ windows
    def window(self) -> Lines:
        """A window with a reaction or two."""
        takes = (("int",), ("int", "player"), ("var",), ("card", "var"), ())[self.pick(5)]
        w = Function(f"w{len(self.windows)}", takes, "", "waits")
        params = [
            f"{'var ' if kind == 'var' else ''}a{i}: {self.words(kind)}" for i, kind in enumerate(takes)
        ]
        lines = [
            f"window {w.name}({', '.join(params)})"
            f"{self.one('', '', ' in any order')}{self.one('', ' nested 2')}"
        ]
        for i in range(1 + self.pick(2)):
            lines += self.reaction(w, [Name("owner", "player")], f' as "react {i}"')
        self.windows.append(w)
        return lines

    def reaction(self, w: Function, own: list[Name], words: str) -> Lines:
        pattern, names, same = self.pattern(w, 0)
        names = [*own, *names]
        body = self.block(names, Where(waits=self.chance(40)), 1, 2)
        return [
            f"in {pattern} if {self.values(names).value('bool')}{same}{words}{self.leaks}:",
            *indented(body),
        ]

    def any_time(self) -> Lines:
        """What players may do at each of their decisions."""
        self.used.add("window")
        own, x = [Name("whoever", "player")], "standing"
        v = self.values(own)
        walked = self.one("", f" for {x} in hand[whoever]", f" for {x} in 1..2")
        known = [*own, Name(x, "card" if "hand" in walked else "int")] if walked else own
        test = self.one("", f" if {self.values(known).value('bool', 1)}")
        lines = [
            f"at any time by whoever if total < {10 + self.pick(20)} and {v.value('bool', 1)}{self.leaks}:"
        ]
        lines += [
            f'    option "take part{f" {{{x}}}" if walked else ""}"{walked}{test}:',
            "        total += 4",
        ]
        return [*lines, *indented(indented(self.block(known, Where(waits=self.chance(40)), 0, 1)))]

    def watcher(self) -> Lines:
        self.used.add("watcher")
        v: Values = self.values([])
        if self.chance(30):
            return [
                f"end when total > {20 + self.pick(60)} and {v.value('bool', 1)}:",
                f"    finish {self.ending(v)}",
            ]
        if self.chance(25):
            names = [Name("whose", "player"), Name("now", "int")]
            head = ("score[whose]", "hand[whose].size")[self.pick(2)]
            test = self.values(names).value("bool", 1)
            block = indented(indented(self.block(names, Where(mild=True), 0, 1)))
            return [
                f"watch {head} for whose as now:",
                f"    if whose == whose and now == now and {test}:",
                *block,
            ]
        kinds = list(self.grammar.types)
        kind = kinds[self.pick(len(kinds))]
        names = [Name("now", kind)]
        test = self.values(names).value("bool", 1)
        return [
            f"watch {v.value(kind)} as now:",
            f"    if now == now and {test}:",
            *indented(indented(self.block(names, Where(mild=True), 0, 1))),
        ]
