"""Checking what no rule reads: policies, which weigh options, measures, and how a game looks (the section
`table`).

The expressions of a policy are those of the rule language. Besides what is declared they know `me`, the
player who decides, and what is chosen, by the names that the rules give it, and the claims that this player
has heard, by theirs. They are checked once for each type under which something of that name is chosen. That a
policy reads nothing that its player may not see is a lint (`lints/leaks.py`). Of the `table` of a base a
variant may have removed parts; those are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from croupier.diagnostics import Label, Span
from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt, MenuStmt, TypedExpr, text_template
from croupier.kernel.types import BOOL, PLAYER, Type
from croupier.resolve import ResolvedRuleset
from croupier.schema import COLOURS, TableLook, Text
from croupier.semantics.context import CheckContext, Scope
from croupier.semantics.expressions import CheckerPart
from croupier.semantics.procedures import Proc
from croupier.semantics.program import ClaimDef, Looks, MeasureDef, PolicyDef, Program, WeightDef
from croupier.semantics.walk import bodies, locals_in
from croupier.syntax import parse_expression

ME = "me"
Given = tuple[tuple[str, Type], ...]


def words_key(text: str) -> str:
    """The words of an option of a menu without what stands in their braces: `bid {n}` and `bid {}` mean the
    same option.
    """
    return re.sub(r"\{[^{}]*\}", "{}", text)


def decisions_of(program: Program) -> dict[str, tuple[Given, ...]]:
    """Return what players may choose, by its name and by its words (nothing: by `no` and the name), and what
    they may claim, by its name; each with the names and types of its values.
    """
    found: dict[str, dict[Given, None]] = {claim.name: {claim.fields: None} for claim in program.claims}
    for proc, s in bodies(program):
        if isinstance(s, ChooseStmt) and s.choice.chooser != "chance":
            choice = s.choice
            for name in (choice.name, "" if choice.label is None else text_template(choice.label)):
                found.setdefault(name, {})[((choice.name, choice.base),)] = None
            for name in (f"no {choice.name}", choice.decline or "") if choice.optional or choice.many else ():
                found.setdefault(name, {})[()] = None
        elif isinstance(s, MenuStmt):
            for option, source in zip(s.menu.options, s.sources(), strict=True):
                given = tuple(
                    (proc.slots[slot], kind) for slot, kind in zip(source.slots, source.kinds, strict=True)
                )
                found.setdefault(text_template(option.label), {})[given] = None
    return {name: tuple(given) for name, given in found.items() if name}


def heard_type(claim: ClaimDef) -> Type | None:
    """The type of all that was said by a claim, `bool per …` of its fields and of who said it; `None` if not
    all of its fields can be keys.
    """
    if not all(t.is_scalar(field) for _, field in claim.fields):
        return None
    kind: Type = BOOL
    for _, field in reversed(claim.fields):
        kind = t.Map(field, kind)
    return t.Map(PLAYER, kind)


class PolicyChecker(CheckerPart):
    """Checks policies and measures of a program whose bodies are known."""

    def check(self, doc: ResolvedRuleset) -> None:
        """Add the policies and measures of a document to the program; what is wrong with them is reported."""
        chosen = decisions_of(self.program) if doc.policies else {}
        for name, weights in doc.policies if doc.phases else ():  # without phases nobody knows what is chosen
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
        if wanted not in chosen and self.ctx.dropped:  # the decision may stand in what could not be read
            return
        if wanted not in chosen:
            listed = ", ".join(f"`{name}`" for name in chosen) or "nothing"
            near = self.ctx.suggest(wanted, list(chosen))
            self.ctx.report(
                "N023",
                key.span,
                name=key.text,
                **(near or {"help": f"the rules let players choose {listed}"}),
            )
            return
        for given in chosen[wanted]:
            before, claims = len(self.ctx.found), self.audible({name for name, _ in given})
            x, proc = self.number(text, (*given, *((claim.name, kind) for claim, kind in claims)))
            if x is not None:
                read = locals_in(x.walk())
                heard = tuple(
                    claim if slot in read else None
                    for slot, (claim, _) in enumerate(claims, start=1 + len(given))
                )
                policy.weights.append(WeightDef(wanted, tuple(kind for _, kind in given), x, proc, heard))
            if len(self.ctx.found) > before:
                return

    def audible(self, locals_: set[str]) -> list[tuple[ClaimDef, Type]]:
        """The claims that a weight may read by their names, with the types of what was said; not those whose
        names mean something else there.
        """
        values = {value for enum in self.program.enums.values() for value in enum.values}
        return [
            (claim, kind)
            for claim in self.program.claims
            if claim.name not in locals_ | values | {ME} and self.names.describe(claim.name) is None
            if (kind := heard_type(claim)) is not None
        ]

    def number(self, text: Text, given: Given) -> tuple[TypedExpr | None, Proc]:
        """A number, or true and false, with a frame that begins with `me` and what is chosen; `None` where
        that is not what it is.
        """
        scope = Scope.of_its_own("expression", "expression", text.span, ((ME, PLAYER), *given))
        node = self.ctx.read(parse_expression, text.rule, None)
        x = None if node is None else self.expressions.check(node, scope)
        if node is None or x is None or isinstance(x.type, t.Unknown):
            return None, scope.proc
        if not isinstance(x.type, (t.Int, t.Bool)):
            self.ctx.report("T001", node.span, wanted="int", given=x.type)
            return None, scope.proc
        return x, scope.proc


# ---------------------------------------------------------------- how a game looks
class LookChecker:
    """Checks how a game looks, of a program whose declarations are known."""

    def __init__(self, ctx: CheckContext) -> None:
        self.ctx, self.program = ctx, ctx.program
        self.is_inherited = False

    def check(self, doc: ResolvedRuleset) -> None:
        """Fill in `Program.looks`; what is wrong is reported."""
        if doc.table is None:
            return
        self.is_inherited = doc.table.span.source not in doc.own_sources and doc.base is not None
        self.program.looks = self.looks(doc.table)

    def looks(self, table: TableLook) -> Looks:
        found = Looks()
        taken = {name.text for name, _ in table.values}
        for name, values in table.values:
            if not self.is_known(name, "enumeration", self.program.enums, taken):
                continue
            for value, look in values:
                if not self.is_known(value, f"value of `{name.text}`", self.program.enums[name.text].values):
                    continue
                colour = "" if look.colour is None else COLOURS.get(look.colour.text, look.colour.text)
                found.values[name.text, value.text] = (
                    colour,
                    "" if look.symbol is None else look.symbol.text,
                )
        enlarged = {name.text for name, _ in table.large}
        for name, attributes in table.large:
            if not self.is_known(name, "component", self.program.classes, enlarged):
                continue
            kind = self.program.classes[name.text]
            changing = {
                v.name.rpartition(".")[2] for v in self.program.vars.values() if v.of_class == name.text
            }
            known = [
                a
                for a in attributes
                if self.is_known(a, f"attribute of `{name.text}`", (*kind.attributes, *changing))
            ]
            found.large[name.text] = tuple(a.text for a in known)
        self.together(table, found)
        state = [name for name, v in self.program.vars.items() if v.of_class is None]
        state += [a for kind in self.program.classes.values() for a in (*kind.attributes, *kind.mutable)]
        found.details = frozenset(
            d.text for d in table.details or () if self.is_known(d, "state or attribute", state)
        )
        return found

    def together(self, table: TableLook, found: Looks) -> None:
        """Groups of zones; a zone belongs to one."""
        first: dict[str, Span] = {}
        for title, zones in table.together:
            for zone in zones:
                if not self.is_known(zone, "zone", self.program.zones):
                    continue
                if zone.text in first:
                    self.ctx.report(
                        "N025", zone.span, name=zone.text, labels=(Label(first[zone.text], "here first"),)
                    )
                    continue
                first[zone.text] = zone.span
                found.together[zone.text] = title.text

    def is_known(self, name: Text, what: str, known: Collection[str], taken: Collection[str] = ()) -> bool:
        """Tell whether there is such a thing, and report it if not; what is `taken` cannot be meant."""
        if name.text in known:
            return True
        if not self.is_inherited and name.text not in self.ctx.named_types:
            free = [other for other in known if other not in taken]
            self.ctx.report_unknown("N024", name.span, name.text, free, what=what)
        return False
