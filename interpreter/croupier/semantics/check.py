"""The checker: from a resolved document to a program, or to diagnostics.

1. names and types of everything declared (`declarations.py`), 2. signatures of definitions, windows and hooks
(`definitions.py`), 3. bodies: phases, definitions, hooks, watchers, scoring, invariants, policies
(`policies.py`), 4. what may suspend and who calls whom (`call_effects.py`), 5. lints (`lints/`). Every step
goes on after a mistake; a step that would only repeat mistakes of an earlier one is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from croupier.diagnostics import Diagnostic
from croupier.kernel import types as t
from croupier.kernel.tree import (
    CallExpr,
    DoStmt,
    LetStmt,
    PassStmt,
    RepeatStmt,
    TypedExpr,
    TypedStmt,
)
from croupier.kernel.types import NOTHING, Type
from croupier.resolve import ResolvedRuleset, attribute, attribute_modules
from croupier.schema import Component, Phase, Text
from croupier.semantics import call_effects
from croupier.semantics.builder import TreeBuilder
from croupier.semantics.call_effects import check_copies, check_trials
from croupier.semantics.calls import CallChecker
from croupier.semantics.components import AudienceChecker, check_label_circles
from croupier.semantics.context import CheckContext, LocalName, Observer, Reader, Scope, here, parsed
from croupier.semantics.decisions import DecisionChecker
from croupier.semantics.declaration_parts import DeclarationParts, TypeExpressions
from croupier.semantics.declarations import DeclarationChecker
from croupier.semantics.definitions import DefinitionChecker, comes_out
from croupier.semantics.desugaring import ClosureChecker
from croupier.semantics.elaborate import elaborate
from croupier.semantics.expressions import ExpressionChecker
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.lints import LINTS, Lint, run_lints
from croupier.semantics.liveness import find_live
from croupier.semantics.names import NameResolver
from croupier.semantics.narrowing import acting
from croupier.semantics.policies import LookChecker, PolicyChecker
from croupier.semantics.procedures import Param, PhaseGroup, Proc
from croupier.semantics.program import EnumDef, Program
from croupier.semantics.statements import StatementChecker, SuppositionChecker
from croupier.semantics.timed_blocks import check_timed_blocks
from croupier.semantics.zone_statements import ZoneStatements
from croupier.source import RuleText
from croupier.syntax import nodes as n
from croupier.syntax import parse_binding, parse_block, parse_expression
from croupier.syntax.builder import find_cites

NO_STATEMENTS: n.Block = ()
SCORING = "scoring"  # the name of the phase that the section of this name is
DECLARING = ("types", "components", "boards", "zones", "state", "parameters", "definitions")
"""Sections whose names the rules use."""
DEFAULT_LIMITS = {"decisions": 10_000, "chance": 10_000, "fuel": 1_000_000}


def fresh_program(
    name: str, title: str, doc: str, players: tuple[int, ...], limits: dict[str, int]
) -> Program:
    """A program with nothing in it but the enumerations that every ruleset has."""
    program = Program(name, title, doc, players, limits)
    program.enums["Audience"] = EnumDef("Audience", t.AUDIENCES, None)
    program.enums["Direction"] = EnumDef("Direction", t.DIRECTIONS, None)
    return program


class RuleCheckers:
    """The checkers of rule text (names, expressions, types and statements) over one context."""

    def __init__(self, ctx: CheckContext) -> None:
        self.ctx = ctx
        self.expressions = ExpressionChecker(NameResolver(ctx))
        ClosureChecker(self.expressions)
        self.types = TypeExpressions(self.expressions)
        self.statements = StatementChecker(CallChecker(self.expressions), self.types)
        SuppositionChecker(self.statements)
        ZoneStatements(self.statements)
        DecisionChecker(self.statements)


class Checker:
    """Checks one resolved ruleset: `run` gives its program, `found` what is wrong."""

    def __init__(self, doc: ResolvedRuleset, observer: Observer | None = None) -> None:
        limits = dict(DEFAULT_LIMITS)
        if doc.limits is not None:
            limits.update(
                {k: int(leaf.text) for k in DEFAULT_LIMITS if (leaf := getattr(doc.limits, k)) is not None}
            )
        program = fresh_program(
            doc.name, doc.title, doc.doc.text if doc.doc else "", tuple(doc.players.counts), limits
        )
        program.resolved = doc
        program.rule_ids = {k: (r.tag.text, r.text.text) for k, r in doc.rule_list.items()}
        self.doc, self.program, self.ctx = doc, program, CheckContext(program, observer)
        self.ctx.dropped = {d.name for d in doc.dropped}
        self.ctx.dropped |= {"Cell" for d in doc.dropped if d.section == "boards"}
        self.ctx.lacks_rules = any(d.section == "rule_list" for d in doc.dropped)
        self.ctx.lacks_names = doc.lacks_module or any(
            not d.name.isidentifier() for d in doc.dropped if d.section in DECLARING
        )
        self.groups: tuple[PhaseGroup, ...] = ()  # around the phases that are checked now
        self.loops = 0  # around them
        self.titled = 0  # groups that have a title with parts in braces
        self.memory: AnalysisMemory | None = None  # what is known of former texts of the ruleset
        rules = RuleCheckers(self.ctx)
        self.expressions, self.statements = rules.expressions, rules.statements
        self.names = self.expressions.names
        self.parts = DeclarationParts(rules.types)
        self.audiences = AudienceChecker(self.parts)
        self.declarations = DeclarationChecker(self.parts)
        self.policies = PolicyChecker(self.expressions)
        self.definitions = DefinitionChecker(self.parts, self.statements)

    @property
    def found(self) -> list[Diagnostic]:
        """Return the findings."""
        return self.ctx.helped()

    def run(self) -> Program:
        doc, p = self.doc, self.program
        p.cites = self.ctx.cites_of(doc)
        self.declarations.declare_all(doc)
        for d in doc.definitions:
            self.definitions.module(d.rule, None, d.from_variant)
        for name, c in doc.components:
            self.powers(name, c)
        self.declarations.claims(doc)
        self.parts.check_labels()
        self.audiences.check()
        p.acting = acting(
            (d for _, d in self.definitions.bodies),
            (h for h, _ in self.definitions.listeners if isinstance(h, n.Hook)),
        )
        main = Proc(len(p.procs), "main", "main", self.parts.document_start(doc))
        p.procs.append(main)
        p.main = main
        scope = Scope(main)
        main.body = self.phases(doc.phases, scope, [], main)
        self.definitions.check_bodies()
        self.definitions.check_hooks()
        self.definitions.check_open()
        self.definitions.check_watchers()
        if doc.scoring is not None:
            self.scoring(doc.scoring, main)
        self.invariants(doc)
        self.policies.check(doc)
        LookChecker(self.ctx).check(doc)
        self.ctx.leave_out_what_follows()
        call_effects.find_effects(p)
        elaborated = elaborate(p, self.definitions.standing)
        self.ctx.expression_calls = [x for x in self.ctx.expression_calls if id(x) not in elaborated.asked]
        self.ctx.found += elaborated.found
        if not any(d.severity == "error" for d in self.ctx.found):
            self.ctx.found += call_effects.check_effects(p, self.ctx.expression_calls)
            circles = call_effects.check_circles(p)
            # a circle of calls that do nothing else is one mistake
            self.ctx.found += circles or call_effects.check_idle(p)
            self.ctx.found += [*check_trials(p), *check_timed_blocks(p), *check_copies(p)]
            self.ctx.found += check_label_circles(p)
        if self.is_playable:
            find_live(p)
        return p

    @property
    def is_playable(self) -> bool:
        """Tell whether the program is complete and without errors.

        Only such a program can be played, and only at such a one lints look.
        """
        return not self.doc.incomplete and not any(d.is_error for d in self.ctx.found)

    def lint(self, lints: Sequence[Lint] = LINTS) -> None:
        """Add what the lints find, all or some, once `run` is through. Playing needs none of it."""
        if not self.is_playable:
            return
        found = run_lints(self.program, self.ctx.used, self.memory, lints)
        if self.program.is_open_any_time:  # what stands open is part of many decisions
            first = {(d.code, d.span): d for d in reversed(found)}
            found = [d for d in found if first[d.code, d.span] is d]
        self.ctx.found += found

    def powers(self, name: Text, c: Component) -> None:
        k = name.text
        if k not in self.program.classes:
            return
        for key, text in c.powers:
            if key is not None and key.text not in self.names.ids_of(k):
                ids = self.names.ids_of(k)
                self.ctx.report_unknown("N001", key.span, key.text, ids, kind=f"id of `{k}`")
            else:
                self.definitions.module(text.rule, (k, None if key is None else key.text))
        for row in c.table.rows if c.table is not None else ():
            if row.powers is not None and row.id is not None:
                self.definitions.module(row.powers.rule, (k, row.id.text))

    # ------------------------------------------------------------ phases
    def phases(
        self, phases: Sequence[tuple[Text, Phase]], scope: Scope, outer: list[LocalName], main: Proc
    ) -> list[TypedStmt]:
        out: list[TypedStmt] = []
        for name, ph in phases:
            if ph.text is not None:
                out.append(self.leaf_phase(name, ph, outer, main))
            elif ph.for_each is not None:
                out.append(self.phase_loop(name, ph, ph.for_each, scope, outer, main))
            elif ph.repeat_until is None and (ph.repeat is None or not ph.repeat.value):
                out += self.group(name, ph, scope, outer, main, loops=0)[0]
            else:
                expr = None
                if ph.repeat_until is not None:
                    expr = self.ctx.read(parse_expression, ph.repeat_until.rule, None)
                until = () if expr is None else (self.expressions.condition(expr, scope),)
                block, cites = self.group(name, ph, scope, outer, main, loops=1)
                out.append(RepeatStmt(ph.span, until, (block,), cites))
        return out

    def group(
        self, name: Text, ph: Phase, scope: Scope, outer: list[LocalName], main: Proc, *, loops: int
    ) -> tuple[list[TypedStmt], tuple[str, ...]]:
        """The phases of a group, in so many loops of its own, and what it cites."""
        cites, before = self.ctx.cites_of(ph), (self.groups, self.loops)
        self.loops += loops
        heading = self.parts.heading(name, outer)
        if heading is not None:
            self.titled += 1
            own = PhaseGroup(self.titled, heading, len(outer), self.loops, cites)
            self.groups = (*self.groups, own)
        block = self.phases(ph.phases, scope, outer, main)
        self.groups, self.loops = before
        return block, cites

    def phase_loop(
        self, name: Text, ph: Phase, each: Text, scope: Scope, outer: list[LocalName], main: Proc
    ) -> TypedStmt:
        binding = self.ctx.read(parse_binding, each.rule, None)
        if binding is None:
            return PassStmt(ph.span, cites=self.ctx.cites_of(ph))
        inner = scope.child()
        local, s = self.statements.head(binding, binding.span, scope, inner)
        block, s.cites = self.group(name, ph, inner, [*outer, local], main, loops=1)
        s.span, s.blocks = ph.span, (block,)
        return s

    def leaf_phase(self, name: Text, ph: Phase, outer: list[LocalName], main: Proc) -> TypedStmt:
        proc = self.definitions.new_proc(name.text, "phase", ph, self.ctx.cites_of(ph))
        known = self.program.phases.get(name.text)
        other = self.doc.scoring if known is None and name.text == SCORING else known
        if other is not None:
            self.ctx.report("N004", name.span, name=name.text, kind="phase", labels=here(other))
        self.program.phases[name.text] = proc
        proc.heading, proc.groups = self.parts.heading(name, outer), self.groups
        for group in self.groups:
            group.holds(proc.index, self.loops)
        inner = Scope(proc)
        for o in outer:
            slot = proc.slot(o.name, o.type)
            proc.params.append(Param(o.name, o.type, slot, False))
            inner.names[o.name] = LocalName(o.name, slot, o.type, False, o.span)
        assert ph.text is not None
        body = self.ctx.read(parse_block, ph.text.rule, NO_STATEMENTS)
        self.definitions.check_body(proc, body, inner, NOTHING)
        main.calls.add(proc.index)
        build = TreeBuilder(main, name.span)
        call = build.call(proc, *(build.local(o.slot) for o in outer))
        return DoStmt(name.span, (call,), cites=proc.cites)

    def scoring(self, text: Text, main: Proc) -> None:
        body = self.ctx.read(parse_block, text.rule, NO_STATEMENTS)
        proc = self.definitions.new_proc(SCORING, "phase", text)
        self.program.phases[SCORING] = proc
        self.definitions.check_body(proc, body, Scope(proc), NOTHING)
        if comes_out(body):
            self.ctx.report("F013", body[-1].span if body else text.span)
        main.calls.add(proc.index)
        main.body.append(DoStmt(text.span, (TreeBuilder(main, text.span).call(proc),)))

    def invariants(self, doc: ResolvedRuleset) -> None:
        for name, text in doc.invariants:
            expr = self.ctx.read(parse_expression, text.rule, None)
            proc = Proc(-1, name.text, "invariant", text.span)
            if expr is None:
                continue
            x = self.expressions.condition(expr, Scope(proc))
            cites = self.ctx.cites(tuple(c for _, c in find_cites(text.rule)))
            self.program.invariants.append((name.text, x, proc, cites))


def check(
    doc: ResolvedRuleset, reader: Reader = parsed, *, lints: bool = True, memory: AnalysisMemory | None = None
) -> tuple[Program, list[Diagnostic]]:
    """Check a resolved ruleset. The program is complete only if no diagnostic is an error.

    `reader` gives the nodes of rule texts and what is wrong with them, for whoever has read them before;
    `memory` is the analysis of a ruleset that differs little. Both change nothing but how long this takes.
    Without `lints` only that is found which keeps the ruleset from being played.
    """
    checker = Checker(doc)
    checker.ctx.reader, checker.memory = reader, memory
    program = checker.run()
    if lints:
        checker.lint()
    found = attribute(attribute_modules(checker.found, doc, raw_findings), doc, raw_findings)
    return program, sorted(found, key=_reading_order)


def _reading_order(d: Diagnostic) -> tuple[bool, bool, str, int]:
    """Return the sort key of a finding: file and place, but first what could not be parsed, as other findings
    may follow from that.
    """
    is_parsed = d.code[0] != "P"
    return (
        (is_parsed, True, "", 0) if d.span is None else (is_parsed, False, d.span.source.name, d.span.start)
    )


def raw_findings(doc: ResolvedRuleset) -> list[Diagnostic]:
    """Return the findings in a ruleset, attributed to no variant."""
    checker = Checker(doc)
    checker.run()
    checker.lint()
    return attribute_modules(checker.found, doc, raw_findings)


def check_expression(
    program: Program, text: RuleText, names: Mapping[str, Type] = MappingProxyType({})
) -> tuple[TypedExpr | None, Proc, list[Diagnostic]]:
    """Check one expression against a finished program (scenarios, questions about a position).

    `names` may be used besides those of the program; their values lie in the first slots of the frame, in
    this order.
    """
    rules, scope = _rules_for(program, text, names)
    proc = scope.proc
    expr, bad = parse_expression(text)
    if expr is None:
        return None, proc, bad
    x = rules.expressions.check(expr, scope)
    x = rules.expressions.as_list(x) if isinstance(x.type, (t.Zone, t.Family, t.Board)) else x
    found = bad + rules.ctx.helped() + call_effects.check_effects(program, rules.ctx.expression_calls)
    return (None if found else x), proc, found


def check_call(
    program: Program, text: RuleText, names: Mapping[str, Type] = MappingProxyType({})
) -> tuple[TypedStmt | None, Proc, list[Diagnostic]]:
    """Check a call of one definition as a statement of its own, which may act and suspend; its value goes
    into the last slot of the frame.
    """
    rules, scope = _rules_for(program, text, names)
    proc = scope.proc
    expr, bad = parse_expression(text)
    if expr is None:
        return None, proc, bad
    x = rules.statements.value(expr, scope, None, alone=True)
    if not rules.ctx.found and not isinstance(x, CallExpr):
        rules.ctx.report("F002", expr.span)
    found = bad + rules.ctx.helped() + call_effects.check_effects(program, rules.ctx.expression_calls)
    if found:
        return None, proc, found
    nothing = isinstance(x.type, t.Nothing)
    s = DoStmt(expr.span, (x,)) if nothing else LetStmt(expr.span, (x,), slot=proc.slot("result", x.type))
    if isinstance(x, CallExpr) and program.procs[x.proc].effect == "suspends":
        s.suspends, s.suspension_point, proc.points = True, 0, 1
    proc.returns = x.type
    return s, proc, []


def _rules_for(program: Program, text: RuleText, names: Mapping[str, Type]) -> tuple[RuleCheckers, Scope]:
    """Return the checkers for one text of a finished program, and a frame of its own that begins with some
    names.
    """
    span = text.span(0, len(text.text))
    scope = Scope.of_its_own("expression", "expression", span, names.items())
    ctx = CheckContext(program)
    ctx.is_finished = True
    return RuleCheckers(ctx), scope
