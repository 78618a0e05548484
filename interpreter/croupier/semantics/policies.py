"""Checking what bots and the lab read: policies, which weigh options, and measures.

The expressions of a policy are those of the rule language. Besides what is declared they know `me`, the player who decides, and what is chosen, by
the names that the rules give it. They are checked once for each type under which something of that name is chosen. That a policy reads nothing
that its player may not see is a lint (`lints/leaks.py`).
"""

from __future__ import annotations

import re

from croupier.resolve import ResolvedRuleset
from croupier.schema import Text
from croupier.semantics import types as t
from croupier.semantics.context import CheckContext
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.program import MeasureDef, PolicyDef, Program, WeightDef
from croupier.semantics.scope import Scope
from croupier.semantics.tree import Proc, X
from croupier.semantics.types import PLAYER, Type
from croupier.semantics.walk import bodies
from croupier.syntax import parse_expression

ME = "me"
Given = tuple[tuple[str, Type], ...]


def words_key(text: str) -> str:
    """The words of an option of a menu without what stands in their braces: `bid {n}` and `bid {}` mean the same option."""
    return re.sub(r"\{[^{}]*\}", "{}", text)


def decisions_of(program: Program) -> dict[str, tuple[Given, ...]]:
    """What players may choose, by its name and by its words (nothing: by `no` and the name), each with the names and types of its values."""
    found: dict[str, dict[Given, None]] = {}
    for proc, s in bodies(program):
        if s.op == "choose" and s.data[0].chooser != "chance":
            choice = s.data[0]
            for name in (choice.name, "" if choice.label is None else _words(choice.label)):
                found.setdefault(name, {})[((choice.name, choice.base),)] = None
            for name in (f"no {choice.name}", choice.decline or "") if choice.optional or choice.many else ():
                found.setdefault(name, {})[()] = None
        elif s.op == "menu":
            for option in s.data.options:
                kinds = [x.type.base if isinstance(x.type, t.Collection) else t.UNKNOWN for x in option.sources]
                given = tuple((proc.slots[slot], kind) for slot, kind in zip(option.slots, kinds, strict=True))
                found.setdefault(_words(option.label), {})[given] = None
    return {name: tuple(given) for name, given in found.items() if name}


def _words(label: X) -> str:
    return "".join("{}" if part is None else part for part in label.data)


class PolicyChecker:
    """Checks policies and measures of a program whose bodies are known."""

    def __init__(self, ctx: CheckContext, expressions: ExpressionChecker) -> None:
        self.ctx, self.program, self.expressions = ctx, ctx.program, expressions

    def check(self, doc: ResolvedRuleset) -> None:
        """Add the policies and measures of a document to the program; what is wrong with them is reported."""
        chosen = decisions_of(self.program) if doc.policies else {}
        for name, weights in doc.policies:
            policy = self.program.policies[name.text] = PolicyDef(name.text, name.span)
            for key, text in weights:
                self.weight(policy, key, text, chosen)
        for name, text in doc.measures:
            x, proc = self.number(text, ())
            if x is not None:
                self.program.measures[name.text] = MeasureDef(name.text, name.span, x, proc)

    def weight(self, policy: PolicyDef, key: Text, text: Text, chosen: dict[str, tuple[Given, ...]]) -> None:
        """The weight of what is chosen by one name."""
        wanted = words_key(key.text)
        if wanted not in chosen:
            listed = ", ".join(f"`{name}`" for name in chosen) or "nothing"
            near = self.ctx.suggest(wanted, list(chosen))
            self.ctx.report("N023", key.span, name=key.text, **(near or {"help": f"the rules let players choose {listed}"}))
            return
        for given in chosen[wanted]:
            before = len(self.ctx.found)
            x, proc = self.number(text, given)
            if x is not None:
                policy.weights.append(WeightDef(wanted, tuple(kind for _, kind in given), x, proc))
            if len(self.ctx.found) > before:
                return

    def number(self, text: Text, given: Given) -> tuple[X | None, Proc]:
        """A number, or true and false, with a frame that begins with `me` and what is chosen; none where that is not what it is."""
        proc = Proc(-1, "expression", "expression", text.span)
        node = self.ctx.read(parse_expression, text.rule, None)
        if node is None:
            return None, proc
        scope = Scope(proc)
        for name, kind in ((ME, PLAYER), *given):
            scope.declare(name, kind, text.span)
        x = self.expressions.check(node, scope)
        if isinstance(x.type, t.Unknown):
            return None, proc
        if not isinstance(x.type, (t.Int, t.Bool)):
            self.ctx.report("T001", node.span, wanted="int", given=x.type)
            return None, proc
        return x, proc
