"""Every rule text of a ruleset, under the words that say where it stands, with what the parser makes of
it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import TypeAlias

from croupier.diagnostics import Diagnostic, Span
from croupier.resolve import ResolvedRuleset
from croupier.schema import Component, Phase, RecordType, StackOptions, Text
from croupier.semantics.declaration_parts import plain_text
from croupier.source import RuleText
from croupier.syntax import nodes as n
from croupier.syntax import (
    parse_audience,
    parse_binding,
    parse_block,
    parse_declaration,
    parse_expression,
    parse_module,
    parse_template,
)
from croupier.syntax.dump_ast import dump_node
from croupier.syntax.lines import Positioned

PARSERS: dict[str, Callable[[Positioned], tuple[object, list[Diagnostic]]]] = {
    "module": parse_module, "block": parse_block, "expression": parse_expression,
    "declaration": parse_declaration, "binding": parse_binding,
    "audience": parse_audience,
}  # fmt: skip


def rule_texts(doc: ResolvedRuleset) -> Iterator[tuple[str, str, RuleText]]:
    """Yield the place, the kind and the text of every rule text (of labels: their characters), in the order
    of the sections.
    """
    for name, form in doc.types:
        for field, leaf in getattr(form, "record", None) or getattr(form, "attributes", None) or ():
            yield f"types / {name.text} / {field.text}", "declaration", leaf.rule
        if isinstance(form, RecordType):
            for word, leaf in (("label", form.label), ("symbol", form.symbol)):
                if leaf is not None:
                    yield f"types / {name.text} / {word}", "template", plain_text(leaf.node)
    for name, p in doc.parameters:
        if p.type is not None:
            yield f"parameters / {name.text} / type", "declaration", p.type.rule
        for words, text in p.valid:
            yield (
                f"parameters / {name.text} / valid" + (f" / {words.text}" if words is not None else ""),
                "expression",
                text.rule,
            )
    for name, c in doc.components:
        yield from _component(name.text, c)
    for name, z in doc.zones:
        yield from _zone(f"zones / {name.text}", z)
    for name, b in doc.boards:
        for word in ("rows", "columns", "size", "grows"):
            if getattr(b, word) is not None:
                yield f"boards / {name.text} / {word}", "expression", getattr(b, word).rule
        if b.stack is not None:
            yield from _zone(f"boards / {name.text} / stack", b.stack)
    for name, v in doc.state:
        if v.declaration is not None:
            yield f"state / {name.text}", "declaration", v.declaration.rule
        elif v.type is not None:
            yield f"state / {name.text} / type", "declaration", v.type.rule
        if v.seen_by is not None and v.seen_by.rule is not None:
            yield f"state / {name.text} / seen_by", "audience", v.seen_by.rule.rule
        if v.label is not None:
            yield f"state / {name.text} / label", "template", plain_text(v.label.node)
    for d in doc.definitions:
        yield "definitions" + (f" / {d.title.text}" if d.title is not None else ""), "module", d.rule
    for name, claim in doc.claims:
        yield f"claims / {name.text} / says", "template", plain_text(claim.says.node)
        if claim.only_if is not None:
            yield f"claims / {name.text} / only if", "expression", claim.only_if.rule
    yield from _phases("phases", doc.phases)
    if doc.scoring is not None:
        yield "scoring", "block", doc.scoring.rule
    for name, text in doc.invariants:
        yield f"invariants / {name.text}", "expression", text.rule
    for policy, weights in doc.policies:
        for key, text in weights:
            yield f"policies / {policy.text} / {key.text}", "expression", text.rule
    for name, text in doc.measures:
        yield f"measures / {name.text}", "expression", text.rule


def _component(name: str, c: Component) -> Iterator[tuple[str, str, RuleText]]:
    where = f"components / {name}"
    for a, leaf in (*c.attributes, *c.mutable):
        yield f"{where} / {a.text}", "declaration", leaf.rule
    for word, number in (("copies", c.copies), ("count", c.count)):
        if number is not None:
            yield f"{where} / {word}", "expression", number.rule
    if c.label is not None:
        yield f"{where} / label", "template", plain_text(c.label.node)
    if c.back is not None:
        yield f"{where} / back", "template", plain_text(c.back.node)
    for key, text in c.powers:
        yield f"{where} / powers" + (f" / {key.text}" if key is not None else ""), "module", text.rule
    for row in c.table.rows if c.table is not None else ():
        if row.powers is not None:
            yield (
                f"{where} / {row.id.text if row.id is not None else 'row'} / powers",
                "module",
                row.powers.rule,
            )


def _zone(where: str, z: StackOptions) -> Iterator[tuple[str, str, RuleText]]:
    per = getattr(z, "per", None)  # what lies on the cells of a board has no `per`
    if per is not None:
        yield f"{where} / per", "declaration", per.rule
    for word, leaf in (("capacity", z.capacity), ("start", z.start)):
        if leaf is not None and leaf.text != "all":
            yield f"{where} / {word}", "expression", leaf.rule
    if z.seen_by is not None and z.seen_by.rule is not None:
        yield f"{where} / seen_by", "audience", z.seen_by.rule.rule
    if z.label is not None:
        yield f"{where} / label", "template", plain_text(z.label.node)


def _phases(where: str, phases: Sequence[tuple[Text, Phase]]) -> Iterator[tuple[str, str, RuleText]]:
    for name, ph in phases:
        here = f"{where} / {name.text}"
        if "{" in name.text:
            yield f"{here} / title", "template", plain_text(name.node)
        if ph.text is not None:
            yield here, "block", ph.text.rule
            continue
        if ph.for_each is not None:
            yield f"{here} / for", "binding", ph.for_each.rule
        if ph.repeat_until is not None:
            yield f"{here} / repeat until", "expression", ph.repeat_until.rule
        yield from _phases(here, ph.phases)


def without_places(node: object, but: Container[str] = ()) -> object:
    """A node without its places, and without the fields that are named: equal for texts that differ in layout
    and comments only.
    """
    if isinstance(node, tuple):
        return tuple(without_places(part, but) for part in node if not isinstance(part, Span))
    if is_dataclass(node) and not isinstance(node, type):
        values = (getattr(node, f.name) for f in fields(node) if f.name not in but)
        kept = (value for value in values if not isinstance(value, Span))
        return (type(node).__name__, *(without_places(value, but) for value in kept))
    return node


def dump_ast(doc: ResolvedRuleset) -> str:
    """The nodes of all rule texts. What could not be read says so."""
    out: list[str] = []
    for where, kind, text in rule_texts(doc):
        nodes = parse_template(text)[0] if kind == "template" else PARSERS[kind](text)[0]
        out.append(where)
        out += dump_node(nodes, 1) if nodes else ["       nothing: this could not be read"]
        out.append("")
    return "\n".join(out)


# ---------------------------------------------------------------- hooks and watchers by what they listen to
Listener: TypeAlias = n.Hook | n.Watch | n.EndWhen
_LISTENER_WORDS = {"instead": "instead of", "reaction": "in"}


def same_event(one: Listener, other: Listener) -> bool:
    """Tell whether two listen in the same way, hooks to the same."""
    if isinstance(one, n.Hook) and isinstance(other, n.Hook):
        return (one.kind, one.pattern.name) == (other.kind, other.pattern.name)
    return type(one) is type(other)


def listener_head(item: Listener) -> str:
    """Return what a hook or watcher listens to, as written, without layout."""
    match item:
        case n.Hook():
            guard = "" if item.guard is None else f" if {item.guard.span.text}"
            text = f"{_LISTENER_WORDS.get(item.kind, item.kind)} {item.pattern.span.text}{guard}"
        case n.Watch():
            text = f"watch {item.value.span.text}"
        case n.EndWhen():
            text = f"end when {item.condition.span.text}"
    return " ".join(text.split())
