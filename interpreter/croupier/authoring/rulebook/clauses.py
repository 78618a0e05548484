"""The clauses of a ruleset, which its rulebook must tell: phases, definitions, hooks, windows, watchers,
ends, powers, statements, options, claims and parameters; and for each the rules whose sentences tell it.

A clause is told by the rules that it cites; if it cites none, by those of the innermost clause around it that
does; a definition that cites none, by those of what calls it first. Events are told with the same rules.
What has no rules is for `steps.py` and `listeners.py` to put in words.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from croupier.authoring.rulebook.contents import TITLES, row_title
from croupier.authoring.rulebook.listed import Section
from croupier.authoring.rulebook.rule_sentences import ids_of
from croupier.authoring.rulebook.wording import value
from croupier.diagnostics import Span
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Component, Phase, Text
from croupier.semantics.context import spread
from croupier.semantics.program import Program
from croupier.syntax import nodes as n
from croupier.syntax import parse_block, parse_module

Kind = Literal[
    "parameter", "claim", "phase", "definition", "hook", "window", "watcher", "end", "any time", "power",
    "statement", "option", "condition", "name",
]  # fmt: skip
WITHIN: tuple[Kind, ...] = ("condition", "name")
"""What is told with the clause around it, unless rules of its own tell it: conditions of choices, cases,
titles, and statements that only name a value or do nothing.
"""
KINDS: dict[type[n.Node], Kind] = {
    n.Def: "definition",
    n.Hook: "hook",
    n.Window: "window",
    n.Watch: "watcher",
    n.EndWhen: "end",
    n.AnyTime: "any time",
    n.Option: "option",
    n.Condition: "condition",
    n.Priority: "condition",
    n.Case: "condition",
    n.Stmt: "statement",
}
Rules: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of the rules: its place, the rules that tell it, and the clauses within it."""

    kind: Kind
    span: Span
    ids: Rules
    parts: tuple[Clause, ...] = ()
    row: str = ""  # of a power: what the table calls the component whose row tells it

    def walk(self) -> Iterator[Clause]:
        """The clause and all within it."""
        yield self
        for part in self.parts:
            yield from part.walk()

    def within(self) -> Iterator[Clause]:
        """What is told with the clause itself."""
        for part in self.parts:
            if part.kind in WITHIN:
                yield part
                yield from part.within()

    def separate(self) -> Iterator[Clause]:
        """The outermost clauses within it that are told by themselves."""
        for part in self.parts:
            yield from part.separate() if part.kind in WITHIN else (part,)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of a definition, or a window that is opened: by which definition, under which rules."""

    caller: str
    ids: Rules
    callee: str


@dataclass(frozen=True, slots=True)
class _RuleText:
    """A phase, the end or a power: its place, the nodes of its text, the rules that are cited around these;
    of a phase its title and the phases within it, of a power the row that tells it.
    """

    kind: Kind
    span: Span
    nodes: Sequence[n.Node]
    ids: Rules
    row: str = ""
    title: Span | None = None
    inner: tuple[_RuleText, ...] = ()

    def walk(self) -> Iterator[_RuleText]:
        """The text and all within it."""
        yield self
        for one in self.inner:
            yield from one.walk()


def clauses_of(
    doc: ResolvedRuleset, sections: Sequence[Section], known: Container[str], acting: Container[str]
) -> tuple[Clause, ...]:
    """The clauses of a ruleset in the order of its parts.

    `known` are the rules that have a sentence, `acting` the definitions that change or decide something; the
    `sections` hold what the rules of the game reach.
    """
    finder = _Finder(known, acting)
    texts = [*_rule_texts(doc)]
    items = [listed.item for section in sections for listed in section.items]
    for text in (inner for outer in texts for inner in outer.walk()):
        for node in text.nodes:
            finder.find_calls(node, "", text.ids)
    for item in items:
        finder.find_calls(item, called(item), ())
    told = finder.told_by_callers(items)
    found = [Clause("parameter", title.span, ()) for title, _ in doc.parameters]
    found += (Clause("claim", title.span, finder.known_of(ids_of(c.cites))) for title, c in doc.claims)
    found += (finder.of_text(text) for text in texts)
    for item in items:
        found += finder.clauses(item, told.get(called(item), ()))
    return tuple(found)


def acting_definitions(program: Program) -> frozenset[str]:
    """The names of the definitions that change or decide something, and do not only work out a value."""
    return frozenset(proc.name for proc in program.procs if proc.kind == "def" and proc.effect != "pure")


def called(item: n.Item) -> str:
    """The name by which an item is called or opened; empty if it has none."""
    return item.name if isinstance(item, n.Def | n.Window) else ""


def _rule_texts(doc: ResolvedRuleset) -> Iterator[_RuleText]:
    """The texts of phases, of the end and of powers."""
    yield from _of_phases(doc.phases)
    if doc.scoring is not None:
        yield _RuleText("phase", doc.scoring.span, parse_block(doc.scoring.rule)[0], ())
    for _, component in doc.components:
        cites = {row.id.text: ids_of(row.cites) for row in component.rows if row.id is not None}
        for key, text in component.all_powers:
            own = key.text if key is not None else ""
            row = row_title(component, own) if row_tells(component, key) else ""
            yield _RuleText("power", text.span, parse_module(text.rule)[0], cites.get(own, ()), row)


def row_tells(component: Component, key: Text | None) -> bool:
    """Tell whether the row of a component says in words what its power does, or which rules say it."""
    own = key.text if key is not None else None
    row = next((row for row in component.rows if row.id is not None and row.id.text == own), None)
    return row is not None and (
        row.doc is not None
        or any(" " in value(cell) for column, cell in row.cells if column.text not in TITLES)
        or bool(ids_of(row.cites))
    )


def _of_phases(phases: Iterable[tuple[Text, Phase]]) -> Iterator[_RuleText]:
    """The texts of phases, each with the rules that the phase cites."""
    for title, phase in phases:
        nodes = parse_block(phase.text.rule)[0] if phase.text is not None else ()
        inner = tuple(_of_phases(phase.phases))
        yield _RuleText("phase", phase.span, nodes, ids_of(phase.cites), title=title.span, inner=inner)


@dataclass
class _Finder:
    """Finds calls and clauses in parsed rule text."""

    known: Container[str]
    acting: Container[str]
    calls: list[_Call] = field(default_factory=list)

    def known_of(self, ids: Iterable[str]) -> Rules:
        """Those of some rules that have a sentence."""
        return tuple(dict.fromkeys(i for i in ids if i in self.known))

    def ids_of(self, node: n.Node) -> Rules:
        """The rules that a node cites itself, as far as they have a sentence."""
        cites: tuple[n.Cite, ...] = getattr(node, "cites", ())
        return self.known_of(i for cite in cites for i in spread(cite))

    def of_text(self, text: _RuleText) -> Clause:
        """The clause that a phase, the end or a power is, with those within it."""
        ids = self.known_of(text.ids)
        title = () if text.title is None else (Clause("name", text.title, ids),)
        parts = (clause for node in text.nodes for clause in self.clauses(node, ids))
        inner = (self.of_text(one) for one in text.inner)
        return Clause(text.kind, text.span, ids, (*title, *parts, *inner), text.row)

    def find_calls(self, node: n.Node, caller: str, ids: Rules) -> None:
        """Note the calls in a node, each with the rules that are cited around it."""
        ids = self.ids_of(node) or ids
        match node:
            case n.Call(target=n.Name(name=callee)):
                self.calls.append(_Call(caller, ids, callee))
            case n.Open(window=callee) | n.Menu(window=str(callee)):
                self.calls.append(_Call(caller, ids, callee))
        for inner in node.children():
            self.find_calls(inner, caller, ids)

    def told_by_callers(self, items: Iterable[n.Item]) -> dict[str, Rules]:
        """The rules of each definition and window that cites none: those of the first call of it that has
        some.
        """
        silent = {called(item) for item in items if not self.ids_of(item)} - {""}
        found: dict[str, Rules] = {}
        before = -1
        while before < len(found):
            before = len(found)
            for call in self.calls:
                ids = call.ids or found.get(call.caller, ())
                if ids and call.callee in silent:
                    found.setdefault(call.callee, ids)
        return found

    def clauses(self, node: n.Node, ids: Rules) -> Iterator[Clause]:
        """The outermost clauses in a node; `ids` are the rules that tell what cites none.

        What is only supposed does not happen, and is told by the words of the value that it gives.
        """
        if isinstance(node, n.Suppose):
            return
        ids = self.ids_of(node) or ids
        parts = tuple(clause for inner in node.children() for clause in self.clauses(inner, ids))
        kind = next((kind for form, kind in KINDS.items() if isinstance(node, form)), None)
        if kind is None:
            yield from parts
        elif isinstance(node, n.Stmt) and only_names(node, self.acting):
            yield Clause("name", node.span, ids, parts)
        else:
            yield Clause(kind, node.span, ids, parts)


def only_names(statement: n.Stmt, acting: Container[str]) -> bool:
    """Tell whether a statement only gives a value a name, or does nothing."""
    match statement:
        case n.Let(value=n.Call(target=n.Name(name=name))):
            return name not in acting
        case n.Simple():
            return statement.word == "pass"
    return isinstance(statement, n.Let)
