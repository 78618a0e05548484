"""The mutants of a ruleset: the operators of mutation, the mutants of a program, and the tree with one node
changed.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from croupier.diagnostics import JsonObject, Span
from croupier.diagnostics.render import short_place
from croupier.semantics.context import Parse, TextKey, TextReader, spread
from croupier.semantics.declaration_parts import plain_text
from croupier.semantics.program import Program
from croupier.semantics.symbol_index import check_with_index
from croupier.semantics.texts import PARSERS, rule_texts
from croupier.source import YamlScalar
from croupier.syntax import nodes as n
from croupier.syntax.lines import Positioned

OPERATORS: dict[str, str] = {
    "statement": "drop a statement (with all that stands in it) or an option of a menu",
    "condition": "drop a named condition of a choice",
    "hook": "drop a hook, a watcher or an end",
    "row": "drop a row of a table of components",
    "visibility": "drop who sees or counts something: the default holds",
    "negation": "negate a condition",
    "number": "a number in rule text, in a declaration or as a default becomes one more or one less",
    "value": "a value of an enumeration becomes its neighbour; true becomes false",
}
"""Bounds of types, cells of tables, labels, invariants, policies, measures, limits stay: they are no rules,
or are tested where they are used.
"""

# the name of a file and an offset in it: where something that can be executed begins
SourceLocation = tuple[str, int]

# of a rule text or of a document: a node, a value, or a tuple of them; what is done with it depends on its
# class
Part: TypeAlias = Any


@dataclass(frozen=True)
class Mutant:
    """One change of one clause.

    `id` does not depend on what else stands in the file; `span` is what is changed and `change` says into
    what; `clause` are the locations of which a scenario must have executed one to be run (none: all scenarios
    are); `rules` are those that the clause cites. `text` is the rule text that changes: `node` in it becomes
    `new` (none: it is left out); with no text, a declaration changes.
    """

    id: str
    operator: str
    where: str
    span: Span
    change: str
    rules: tuple[str, ...]
    clause: frozenset[SourceLocation] | None
    text: TextKey | None = None
    node: object = None
    new: object = None

    def to_json(self) -> JsonObject:
        return {
            "id": self.id,
            "operator": self.operator,
            "where": self.where,
            "place": short_place(self.span),
            "change": self.change,
            "rules": list(self.rules),
        }


# ---------------------------------------------------------------- rewriting
def rewritten(root: object, node: object, new: object) -> object:
    """Return `root` with `new` in the place of `node` (the very same object); `None` removes an element from
    a tuple or list.
    """
    if root is node:
        return new
    if isinstance(root, (tuple, list)):
        for i, item in enumerate(root):
            if item is node and new is None:
                return type(root)((*root[:i], *root[i + 1 :]))
            changed = rewritten(item, node, new)
            if changed is not item:
                return type(root)((*root[:i], changed, *root[i + 1 :]))
    elif dataclasses.is_dataclass(root) and not isinstance(root, (type, Span)):
        values = {field.name: getattr(root, field.name) for field in dataclasses.fields(root)}
        changed = {
            name: after
            for name, before in values.items()
            if (after := rewritten(before, node, new)) is not before
        }
        return dataclasses.replace(root, **changed) if changed else root
    return root


# ---------------------------------------------------------------- reading
class ReadTexts:
    """The nodes of every rule text that was read; `mutant` says which of them is to be given changed."""

    def __init__(self) -> None:
        self.read = TextReader()
        self.mutant: Mutant | None = None

    def __call__(self, parse: Parse, text: Positioned) -> tuple[object, list[Part]]:
        """The nodes of a text, changed if it is the mutant's."""
        node, found = self.read(parse, text)
        mutant = self.mutant
        if mutant is not None and mutant.text is not None and mutant.text == TextReader.key(parse, text):
            return rewritten(node, mutant.node, mutant.new), found
        return node, found


# ---------------------------------------------------------------- sites
CONDITIONS: Mapping[type, tuple[str, ...]] = {
    n.If: ("condition",),
    n.ForStmt: ("condition",),
    n.Repeat: ("until",),
    n.Condition: ("value",),
    n.Pick: ("where", "such_that"),
    n.Option: ("condition",),
    n.OptionGroup: ("condition",),
    n.Hook: ("guard",),
    n.EndWhen: ("condition",),
    n.AnyTime: ("condition",),
    n.SoThat: ("condition",),
    n.For: ("condition",),
    n.Aggregate: ("condition",),
    n.ListComp: ("condition",),
    n.MapComp: ("condition",),
    n.IfElse: ("condition",),
    n.Binding: ("condition",),
}
WHOLE_CONDITIONS = ("valid", "only if", "repeat until")  # rule texts that are a condition themselves
NOT_RULES = ("invariants", "policies", "measures")
HIDDEN_AUDIENCES = ("Audience",)  # enumerations of the language whose values are changed by another operator


@dataclass(frozen=True)
class ClauseContext:
    """The surroundings of a node: its rule text, if it stands in one, the clause that has to be executed to
    reach it, and what that cites.
    """

    where: str
    key: TextKey | None = None
    clause: frozenset[SourceLocation] | None = None
    span: Span | None = None
    rules: tuple[str, ...] = ()

    def inside(self, node: Part, locations: frozenset[SourceLocation] | None) -> ClauseContext:
        rules = tuple(rule for cite in node.cites for rule in spread(cite)) or self.rules
        return dataclasses.replace(self, clause=locations, span=node.span, rules=rules)


# operator, where it stands, what is changed, into what, the node, the new one
Found = tuple[str, ClauseContext, Span, str, object, object]


class Finder:
    """Walks the rule texts of a program."""

    def __init__(self, program: Program, texts: ReadTexts) -> None:
        self.program, self.texts = program, texts
        self.enums = {name: e.values for name, e in program.enums.items() if name not in HIDDEN_AUDIENCES}
        uses = check_with_index(program.resolved)[2].uses
        self.symbols = {
            (use.span.source.name, use.span.start, use.span.end): use.symbol
            for use in uses
            if not use.defines
        }
        self.targets = {
            name: proc.span for table in (program.defs, program.windows) for name, proc in table.items()
        }

    def found(self) -> Iterator[Found]:
        """Everything in rule text, in the order of the sections."""
        for where, kind, text in self._texts():
            if where.split(" / ")[0] in NOT_RULES or kind not in PARSERS:
                continue
            parse = PARSERS[kind]
            root = self.texts.read(parse, text)[0]
            around = ClauseContext(where, TextReader.key(parse, text))
            if where.split(" / ")[-1] in WHOLE_CONDITIONS or " / valid / " in where:
                yield self.negation(around, root)
            yield from self.walk(root, around)

    def _texts(self) -> Iterator[tuple[str, str, Part]]:
        yield from rule_texts(self.program.resolved)
        for name, p in self.program.resolved.parameters:
            default = getattr(p, "default", None)
            node = getattr(default, "node", default)
            if isinstance(node, YamlScalar):
                yield f"parameters / {name.text} / default", "expression", plain_text(node)

    # ------------------------------------------------------------ nodes
    def walk(self, node: Part, around: ClauseContext) -> Iterator[Found]:
        if isinstance(node, (tuple, list)):
            for item in node:
                yield from self.walk(item, around)
            return
        if not isinstance(node, n.Node) or isinstance(node, (n.TypeExpr, n.Cite, n.Broken)):
            return
        if isinstance(node, n.Stmt) and not isinstance(node, n.Option):
            around = around.inside(node, frozenset([location(node.span)]))
        elif isinstance(node, n.Hook):
            target = self.targets.get(node.pattern.name)
            around = around.inside(
                node, None if target is None else frozenset([location(target), location(node.span)])
            )
        elif isinstance(node, n.Item):
            around = around.inside(
                node,
                None
                if isinstance(node, (n.Watch, n.EndWhen, n.AnyTime))
                else frozenset([location(node.span)]),
            )
        elif isinstance(node, (n.Option, n.OptionGroup, n.Condition, n.Priority)):
            around = around.inside(node, around.clause)
        yield from self.at(node, around)
        for field in dataclasses.fields(node):
            if not (isinstance(node, n.Declaration) and field.name in ("seen_by", "label")):
                yield from self.walk(getattr(node, field.name), around)

    def at(self, node: object, around: ClauseContext) -> Iterator[Found]:
        """The mutants of this very node."""
        for field in CONDITIONS.get(type(node), ()):
            condition = getattr(node, field)
            if condition is not None:
                yield self.negation(around, condition)
        for operator, span, change, new in self.changes(node):
            yield operator, around, span, change, node, new

    def changes(self, node: object) -> Iterator[tuple[str, Span, str, object]]:
        """The changes of a node itself: the operator, what is changed, into what, and the new node."""
        match node:
            case n.Option():
                yield "statement", node.span, "the option is left out", None
            case n.Simple() if node.word == "pass":
                pass
            case n.Stmt() if not isinstance(node, n.Let):
                yield "statement", node.span, "the statement is left out", n.Simple(node.span, (), "pass")
            case n.OptionGroup():
                yield "statement", node.span, "the group is left out", None
            case n.Condition() | n.Priority():
                yield "condition", node.span, "the condition is left out", None
            case n.Hook() | n.Watch() | n.EndWhen() | n.AnyTime():
                yield "hook", node.span, "this is left out", None
            case n.Declaration() if node.seen_by is not None:
                gone = dataclasses.replace(node, seen_by=None)
                yield "visibility", node.seen_by.span, "`seen by` is left out", gone
            case n.Int():
                for value in (node.value + 1, node.value - 1):
                    yield "number", node.span, f"`{node.value}` becomes `{value}`", n.Int(node.span, value)
            case n.Bool():
                word, other = "false" if node.value else "true", n.Bool(node.span, not node.value)
                yield "value", node.span, f"`{node.span.text}` becomes `{word}`", other
            case n.Name(name=name):
                for new in self.neighbours(name, self.meant(node.span)):
                    yield "value", node.span, f"`{name}` becomes `{new}`", n.Name(node.span, new)
            case n.NoneLit():
                for new in self.neighbours("none"):
                    yield "value", node.span, f"`none` becomes `{new}`", n.Name(node.span, new)
            case n.Attr(target=n.Name(name=enum), name=name) if name in self.enums.get(enum, ()):
                for new in self.neighbours(name, (enum,)):
                    change = f"`{enum}.{name}` becomes `{enum}.{new}`"
                    yield "value", node.span, change, dataclasses.replace(node, name=new)

    def meant(self, span: Span) -> Sequence[str] | None:
        """The enumeration whose value a name is, in a list; nothing in it for a name of something else,
        `None` if that is not known.
        """
        symbol = self.symbols.get((span.source.name, span.start, span.end))
        if symbol is None:
            return None
        is_value = symbol.kind == "value" and symbol.owner in self.enums
        return (symbol.owner,) if is_value else ()

    def negation(self, around: ClauseContext, condition: Part) -> Found:
        if isinstance(condition, n.Unary) and condition.op == "not":
            new = condition.value
        else:
            new = n.Unary(condition.span, "not", condition)
        return "negation", around, condition.span, "the opposite is asked", condition, new

    def neighbours(self, name: str, enums: Sequence[str] | None = None) -> list[str]:
        """The next value (the one before the last) of each enumeration that has a value of this name."""
        out = []
        for enum in self.enums if enums is None else enums:
            values = self.enums[enum]
            if name in values and len(values) > 1:
                i = values.index(name)
                out.append(values[i + 1] if i + 1 < len(values) else values[i - 1])
        return list(dict.fromkeys(out))


def location(span: Span) -> SourceLocation:
    """Return the file and the offset of a clause."""
    return span.source.name, span.start


def mutants_of(program: Program, texts: ReadTexts, sources: frozenset[str]) -> tuple[Mutant, ...]:
    """All mutants of the clauses that stand in some files, in the order of the files and sections."""
    twins: Counter[str] = Counter()
    out: list[Mutant] = []
    seen: set[tuple[str, str, int, str]] = set()
    for operator, around, span, change, node, new in (
        *Finder(program, texts).found(),
        *declared(program.resolved),
    ):
        once = (operator, span.source.name, span.start, change)
        if once in seen or span.source.name not in sources:
            continue
        seen.add(once)
        words = " ".join((around.span or span).text.split())
        name = "\0".join((operator, around.where, words, " ".join(span.text.split()), change))
        twins[name] += 1
        id = hashlib.sha256(f"{name}\0{twins[name]}".encode()).hexdigest()[:8]
        where, rules, clause, key = around.where, around.rules, around.clause, around.key
        out.append(Mutant(id, operator, where, span, change, rules, clause, key, node, new))
    return tuple(out)


def declared(doc: Part) -> Iterator[Found]:
    """The mutants of declarations: rows of components, and audiences that are keys."""
    for name, c in doc.components:
        for row in c.rows:
            around = ClauseContext(f"components / {name.text}")
            yield "row", around, row.span, "the row is left out", None, None
    for where, thing in audiences(doc):
        for key in ("seen_by", "counted_by"):
            audience = getattr(thing, key, None)
            if audience is not None:
                change = f"`{key}` is left out"
                yield "visibility", ClauseContext(where), audience.span, change, None, None


def audiences(doc: Part) -> Iterator[tuple[str, object]]:
    """The declarations that say who sees something."""
    yield from ((f"zones / {name.text}", z) for name, z in doc.zones)
    yield from ((f"boards / {name.text}", b.stack) for name, b in doc.boards if b.stack is not None)
    yield from ((f"state / {name.text}", v) for name, v in doc.state)
