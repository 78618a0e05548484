"""The answer why something is not offered: the clauses of the rules that keep it from being chosen; and the
conditions of decisions, each with the clause that fails with it.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.diagnostics import JsonObject, Span
from croupier.diagnostics.render import short_place
from croupier.kernel.tree import TypedExpr
from croupier.records import dataclass
from croupier.text import Text


@dataclass(frozen=True)
class Clause:
    """A reason why something is not offered.

    `kind`: turn, condition (its words are the author's), priority (so are its words: something else goes
    first), source, where, option, such that, how many, order, alike, reaction, claim, look-ahead, elsewhere
    (another decision takes it); `rules` are those it cites; `span` is its place, `None` for what the rules as
    a whole say; `supposed`: what a `suppose` in a condition found; `is_at_if`: the place is an `if` that does
    not hold.
    """

    kind: str
    words: str
    rules: tuple[str, ...] = ()
    span: Span | None = None
    supposed: str = ""
    is_at_if: bool = False

    @property
    def told(self) -> Text:
        """The clause as a sentence for people."""
        if self.kind == "priority":
            return Text.of("“", self.words, "” comes first: something else meets it")
        if self.kind == "condition":
            return Text.of("“", self.words, "” does not hold", self.supposed and ": ", self.supposed)
        return Text.of(self.words)

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "words": self.words,
            "rules": list(self.rules),
            "supposed": self.supposed,
            "place": short_place(self.span),
        }


@dataclass(frozen=True)
class Condition:
    """A condition that a candidate must meet, and the clause that it fails otherwise: without words, if the
    author gives none for it.
    """

    tree: TypedExpr
    clause: Clause


@dataclass(frozen=True)
class NotIn(Clause):
    """A clause that says no more than that a value is not in a collection."""


@dataclass(frozen=True)
class WhyNot:
    """The clauses that forbid what a text names; `known` is false if the text names nothing that the rules
    know.

    `label` is how the game calls it. `reads`: it is called like an option of this decision, offered or not,
    and does not only name a thing, or an option of another one.
    """

    known: bool
    clauses: tuple[Clause, ...] = ()
    label: str | None = None
    reads: bool = True

    def cited(self, rules: Mapping[str, tuple[str, str]]) -> dict[str, str]:
        """The texts of the rules that the clauses cite, by their ids; `rules` are those of the program."""
        ids = dict.fromkeys(rule for clause in self.clauses for rule in clause.rules)
        return {rule: rules[rule][1] for rule in ids if rule in rules}
