"""What can be agreed on before the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.authoring.rulebook.blocks import Block, Paragraph, Run, Table, line, with_rules
from croupier.authoring.rulebook.grids import grid, is_grid
from croupier.authoring.rulebook.rules import Rules, ids_of
from croupier.authoring.rulebook.things import expression, prose, type_words
from croupier.authoring.rulebook.vocabulary import capital, listed, name, quoted
from croupier.load import Ruleset
from croupier.resolve.resolved import ResolvedRuleset
from croupier.schema import Parameter

MOST = 12  # values of a list or map that are shown


def parameters(doc: ResolvedRuleset, ruleset: Ruleset, rules: Rules) -> Iterator[Block]:
    """What can be agreed on before the game."""
    if not doc.parameters:
        yield Paragraph(line("Nothing is to be agreed on before the game."))
        return
    known = {p.name: p for p in ruleset.parameters}
    rows = []
    for title, parameter in doc.parameters:
        of = known[title.text]
        whole = type_words(parameter.type) if parameter.type is not None and parameter.type.text.startswith("list") else _words(of.type_text)
        choices = listed([quoted(v) for v in of.values], "or") if of.values else whole
        usual = "as in the table below" if is_grid(parameter.default) else _seat(of.default) if of.type_text == "Player" else _default(of.default)
        head = with_rules(line(Run(name(title.text), "strong")), ids_of(parameter.cites))
        rows.append((head, line(choices), line(usual), line(_meaning(of.doc, parameter))))
    yield from rules.texts(i for _, p in doc.parameters for i in ids_of(p.cites))
    yield Table(("parameter", "may be", "unless agreed", "meaning"), tuple(rows))
    for title, parameter in doc.parameters:
        yield from grid(parameter.default, f"{capital(name(title.text))}, row by row:")


def _meaning(doc: str, parameter: Parameter) -> str:
    """What a parameter means, and what must be so of it, in the words of its conditions."""
    wanted = listed([title.text if title is not None else expression(leaf) for title, leaf in parameter.valid])
    held = [f"{_value(key.text)}: the variant {listed([quoted(name(v.text)) for v in names])} holds" for key, names in parameter.variants]
    return "; ".join(part for part in (prose(doc), f"it must be so that {prose(wanted)}" if wanted else "", *held) if part)


def _value(word: str) -> str:
    """A value that switches variants on, as players say it."""
    return {"true": "yes", "false": "no"}.get(word) or quoted(name(word))


def _words(type_text: str) -> str:
    return type_text.replace("..", " to ").replace("bool", "yes or no").replace("?", ", or none")


def _seat(value: Any) -> str:
    return f"player {value + 1}" if isinstance(value, int) else "none"


def _default(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name(str(k))}: {_default(v)}" for k, v in list(value.items())[:MOST]) + (" …" if len(value) > MOST else "")
    if isinstance(value, list):
        return listed([_default(v) for v in value[:MOST]]) + (" …" if len(value) > MOST else "")
    return "none" if value is None else name(str(value))
