"""The index of symbols: the declaration, type, explanation and cited rules of each, and its uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from croupier.diagnostics import Span
from croupier.kernel.types import Type
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Text
from croupier.schema.sections import Phase
from croupier.semantics.builtins import AGGREGATES, FUNCTIONS, MEMBERS, PLAIN_VALUES
from croupier.semantics.context import between
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.semantics.symbol_index import Symbol, SymbolIndex, Use

PLAIN_TYPES = {
    "bool": "`true` or `false`", "int": "whole numbers", "Player": "the players of the game",
    "text": "words to show",
    "Direction": "directions on boards", "Audience": "who sees something",
}  # fmt: skip


OWN_COLUMNS = ("id", "doc", "cites", "powers")  # of tables: they are no attributes


@dataclass(frozen=True)
class About:
    """The description of a symbol: one line of the language, an explanation, ids of rules."""

    symbol: Symbol
    line: str
    doc: str = ""
    cites: tuple[str, ...] = ()


@dataclass
class RulesetIndex:
    """All symbols of a ruleset, their declarations and their uses."""

    about: dict[Symbol, About] = field(default_factory=dict)
    declarations: dict[Symbol, Span] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)

    def add(self, about: About, span: Span | None) -> None:
        """Add a symbol that is declared at a span."""
        self.about.setdefault(about.symbol, about)
        if span is not None:
            self.declarations.setdefault(about.symbol, span)
            self.uses.append(Use(span, about.symbol, True))

    def at(self, name: str, offset: int) -> Use | None:
        """The narrowest use at an offset of a file."""
        found = [u for u in self.uses if u.span.source.name == name and u.span.start <= offset <= u.span.end]
        return min(found, key=lambda u: (u.span.end - u.span.start, u.defines), default=None)

    def of(self, symbol: Symbol) -> list[Use]:
        """The uses of a symbol, each span once."""
        seen: dict[tuple[str, int, int], Use] = {}
        for use in self.uses:
            if use.symbol == symbol:
                seen.setdefault((use.span.source.name, use.span.start, use.span.end), use)
        return list(seen.values())


def build_index(doc: ResolvedRuleset, program: Program, notes: SymbolIndex) -> RulesetIndex:
    """The index of a checked ruleset, which may have mistakes."""
    index = RulesetIndex()
    for about, span in (*_declared(doc, program), *_procs(notes), *_phases(doc.phases)):
        index.add(about, span)
    for symbol, local in notes.locals.items():
        index.about[symbol] = About(symbol, f"{local.name}: {local.type}")
    index.uses += notes.uses
    for use in notes.uses:
        if use.defines and use.symbol.kind in ("local", "definition", "window"):
            # of several, as where a variant replaces a definition, the last: the one in force
            index.declarations[use.symbol] = use.span
    for name, (tag, text) in program.rule_ids.items():
        entry = doc.rule_list.get(name)
        index.add(
            About(Symbol("rule", name), f"{name} [{tag}]", text), entry.span if entry is not None else None
        )
    for name, spans in program.cited.items():
        index.uses += [Use(span, Symbol("rule", name)) for span in spans]
    _shape_uses(doc, program, index)
    return index


def builtin(symbol: Symbol) -> About | None:
    """A word of the language; `None` if it is none."""
    name = symbol.name
    if symbol.kind == "type" and name in PLAIN_TYPES:
        return About(symbol, f"type {name}", PLAIN_TYPES[name])
    if symbol.kind != "builtin" and symbol.owner not in ("Audience", "Direction"):
        return None
    if symbol.kind == "value":
        return About(symbol, f"{name}: {symbol.owner}", PLAIN_TYPES.get(symbol.owner, ""))
    if symbol.owner == "aggregate":
        line, doc = AGGREGATES.get(name, (name, ""))
    elif symbol.owner == "function":
        line, doc = FUNCTIONS[name].signature, FUNCTIONS[name].doc
    elif symbol.owner == "value":
        line, doc = f"{name}: list of Player", PLAIN_VALUES.get(name, "")
    elif symbol.owner == "type":
        line, doc = f"type {name}", PLAIN_TYPES.get(name, "")
    else:
        member = MEMBERS[symbol.owner][name]
        line, doc = member.signature, member.doc
    return About(symbol, line, doc)


def signature(word: str, proc: Proc) -> str:
    """The head of a definition or window as text."""
    params = ", ".join(f"{'var ' * p.var}{p.name}: {p.type}" for p in proc.params)
    returns = "" if str(proc.returns) == "nothing" else f" -> {proc.returns}"
    return f"{word} {proc.name}({params}){returns if word == 'def' else ''}"


# ---------------------------------------------------------------- declarations
def _words(thing: object) -> tuple[str, tuple[str, ...]]:
    doc = getattr(thing, "doc", None)
    cites = tuple(
        i
        for c in getattr(thing, "cites", ())
        for i in (between(*c.text.split("..", 1)) if ".." in c.text else [c.text])
    )
    return (doc.text if doc is not None else "", cites)


def _declared(doc: ResolvedRuleset, program: Program) -> Iterator[tuple[About, Span | None]]:
    for name, form in doc.types:
        yield About(Symbol("type", name.text), f"type {name.text}", *_words(form)), name.span
        for value in getattr(form, "values", ()):
            yield (
                About(
                    Symbol("value", value.name.text, name.text),
                    f"{value.name.text}: {name.text}",
                    *_words(value),
                ),
                value.name.span,
            )
        for column, kind in getattr(form, "attributes", ()):
            yield (
                About(Symbol("column", column.text, name.text), f"{name.text}.{column.text}: {kind.text}"),
                column.span,
            )
        for part, kind in getattr(form, "record", ()):
            yield (
                About(Symbol("field", part.text, name.text), f"{name.text}.{part.text}: {kind.text}"),
                part.span,
            )
    for name, parameter in doc.parameters:
        known = program.params.get(name.text)
        if known is not None and known.choices:
            kind_text = " | ".join(known.choices)
        else:
            kind_text = _type(known.type if known else None)
        yield (
            About(Symbol("parameter", name.text), f"parameter {name.text}: {kind_text}", *_words(parameter)),
            name.span,
        )
        for choice in parameter.one_of or ():
            yield (
                About(
                    Symbol("value", choice.text, name.text), f"{choice.text}: {name.text}", *_words(parameter)
                ),
                choice.span,
            )
    for name, component in doc.components:
        yield About(Symbol("component", name.text), f"component {name.text}", *_words(component)), name.span
        for attribute, kind in (*component.attributes, *component.mutable):
            yield (
                About(
                    Symbol("attribute", attribute.text, name.text),
                    f"{name.text}.{attribute.text}: {kind.text}",
                ),
                attribute.span,
            )
        rows = component.table.rows if component.table is not None else ()
        for one in (*(component.ids or ()), *(row.id for row in rows if row.id is not None)):
            row = next((row for row in rows if row.id is one), None)
            yield About(Symbol("id", one.text, name.text), f"{one.text}: {name.text}", *_words(row)), one.span
    for name, zone in doc.zones:
        per = f" per {zone.per.text}" if zone.per is not None else ""
        yield (
            About(Symbol("zone", name.text), f"zone {name.text}: {zone.holds.text}{per}", *_words(zone)),
            name.span,
        )
    for name, board in doc.boards:
        yield (
            About(Symbol("board", name.text), f"board {name.text}: {board.shape.text}", *_words(board)),
            name.span,
        )
        known_board = program.boards.get(name.text)
        cell = known_board.cell if known_board is not None else "Cell"
        yield (
            About(Symbol("cells", cell), f"type {cell}", f"the cells of `{name.text}`"),
            board.cell.span if board.cell is not None else None,
        )
        for word, part in (
            ("edges", board.edge),
            ("corners", board.corner),
            ("links", board.link),
            ("kinds of links", board.kind),
        ):
            if part is not None:
                symbol = Symbol("type" if part is board.kind else "cells", part.text)
                yield About(symbol, f"type {part.text}", f"the {word} of `{name.text}`"), part.span
        enum = board.kind.text if board.kind is not None else f"{name.text}_kind"
        for kind in {
            link.kind.text: link.kind for link in reversed(board.links or ()) if link.kind is not None
        }.values():
            yield About(Symbol("value", kind.text, enum), f"{kind.text}: {enum}", "a kind of link"), kind.span
        for one in board.cell_names:
            yield About(Symbol("value", one.text, name.text), f"{one.text}: {cell}"), one.span
    for name, variable in doc.state:
        known_variable = program.vars.get(name.text)
        line = f"state {name.text}: {_type(known_variable.type if known_variable is not None else None)}"
        yield About(Symbol("state", name.text), line, *_words(variable)), name.span
    for name, claim in doc.claims:
        yield (
            About(Symbol("claim", name.text), f"claim {name.text}: {claim.says.text}", *_words(claim)),
            name.span,
        )


def _type(kind: Type | None) -> str:
    return "?" if kind is None else str(kind)


def _procs(notes: SymbolIndex) -> Iterator[tuple[About, Span | None]]:
    for symbol, proc in notes.procs.items():
        yield (
            About(
                symbol,
                signature("def" if symbol.kind == "definition" else "window", proc),
                proc.doc,
                proc.cites,
            ),
            None,
        )


def _phases(phases: Iterable[tuple[Text, Phase]]) -> Iterator[tuple[About, Span | None]]:
    for name, phase in phases:
        yield About(Symbol("phase", name.text), f"phase {name.text}", *_words(phase)), name.span
        yield from _phases(phase.phases)


def _shape_uses(doc: ResolvedRuleset, program: Program, index: RulesetIndex) -> None:
    """Add uses of names that are keys or values of the YAML, outside of expressions."""
    for name, _ in doc.settings:
        index.uses.append(Use(name.span, Symbol("parameter", name.text)))
    for name, component in doc.components:
        rows = component.table.rows if component.table is not None else ()
        columns = [*(component.each or ()), *((component.rolls,) if component.rolls is not None else ())]
        columns += component.table.columns if component.table is not None else ()
        columns += [column for row in rows for column, _ in row.cells]
        index.uses += [
            Use(c.span, Symbol("attribute", c.text, name.text)) for c in columns if c.text not in OWN_COLUMNS
        ]
        for key, _ in component.powers:
            if key is not None:
                index.uses.append(Use(key.span, Symbol("id", key.text, name.text)))
    for name, form in doc.types:
        for value in getattr(form, "values", ()):
            for column, _ in getattr(value, "cells", ()):
                index.uses.append(Use(column.span, Symbol("column", column.text, name.text)))
    for name, board in doc.boards:
        for pair in board.links or ():
            index.uses += [
                Use(cell.span, Symbol("value", cell.text, name.text)) for cell in (pair.first, pair.second)
            ]
