"""Text of expressions and of statements without blocks, made of a grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from generated.grammar import Grammar

Pick = Callable[[int], int]  # a whole number from 0, below this one


@dataclass(frozen=True)
class Name:
    """Something that can be named where an expression stands; `kind` is a type of the grammar."""

    text: str
    kind: str
    settable: bool = False


@dataclass(frozen=True)
class Function:
    """A definition that may be called: the types of its parameters (`var`: a number that it may change) and
    of its result (empty: it has none).
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    colour: str = "pure"
    spare: bool = False  # the last parameter has a default


@dataclass
class Values:
    """Text over some names and functions. `made` counts the names that were made up."""

    pick: Pick
    grammar: Grammar
    names: list[Name] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    made: list[int] = field(default_factory=lambda: [0])

    def chance(self, percent: int) -> bool:
        return self.pick(100) < percent

    def new(self) -> str:
        self.made[0] += 1
        return f"v{self.made[0]}"

    def value(self, kind: str, depth: int = 2) -> str:
        """Text of a type: a name, a call, or a rule of the grammar."""
        known = [n.text for n in self.names if n.kind == kind]
        if known and (depth <= 0 or self.chance(45)):
            return known[self.pick(len(known))]
        if depth > 0 and self.chance(20):
            calls = [f for f in self.functions if f.gives == kind and f.colour == "pure"]
            if calls:
                return self.call(calls[self.pick(len(calls))], depth - 1)
        rules = (self.grammar.leaves if depth <= 0 else self.grammar.rules).get(kind) or self.grammar.rules[
            kind
        ]
        return self.rule(*rules[self.pick(len(rules))], depth - 1)

    def call(self, f: Function, depth: int) -> str:
        """Arguments by position; the last one by name or left out now and then."""
        given = [self.variable() if k == "var" else self.value(k, depth) for k in f.takes]
        if f.spare and self.chance(40):
            given.pop()
        elif given and f.takes[-1] != "var" and self.chance(20):
            given[-1] = f"a{len(given) - 1} = {given[-1]}"
        return f"{f.name}({', '.join(given)})"

    def variable(self) -> str:
        """A number that can be changed."""
        found = ["level", *(n.text for n in self.names if n.settable and n.kind == "int")]
        return found[self.pick(len(found))]

    def rule(self, own: str, text: str, depth: int) -> str:
        """The text of a rule, with something in every place."""
        x = self.new() if own else ""
        inner = (
            Values(self.pick, self.grammar, [*self.names, Name(x, own)], self.functions, self.made)
            if own
            else self
        )

        def place(m: re.Match[str]) -> str:
            if m[1] == "if":
                return f" if {inner.value('bool', depth)}" if self.chance(50) else ""
            return (inner if m[2] else self).value(m[1], depth)

        return re.sub(r"<(\w+)(\*?)>", place, text).replace("$", x)
