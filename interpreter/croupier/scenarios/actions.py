"""Actions as an author of scenarios writes them.

An action is written in the words of an option, or as its structure.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from croupier.diagnostics import did_you_mean
from croupier.kernel import types as t
from croupier.play.action_refs import is_numbered, numbered
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import ChoiceSource
from croupier.runtime.clauses import WhyNot
from croupier.runtime.legality import could_read, why_not
from croupier.runtime.option_matching import exact, folded, forms
from croupier.runtime.state import CHANCE, State
from croupier.scenarios.context import ScenarioContext
from croupier.scenarios.document import is_word
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence, as_json
from croupier.text import Text

MOST_SHOWN = 12
_NUMBERED = re.compile(r"-?[0-9]+")


def as_written(node: YamlNode) -> str:
    """A choice as written, on one line."""
    return node.text if isinstance(node, YamlScalar) else " ".join(node.span.text.split())


def words(state: State, seat: int, action: int, context: ScenarioContext) -> set[str]:
    """Every way to write an action: its words, with the names of seats too, and the mere value that it
    chooses.
    """
    label = state.action_to_string(seat, action)
    found = set(_descriptions(state, seat, action, context))
    if state.declines(action):
        found.add("no")
    elif state.ends(action):
        found.add("done")
    kind, chosen = _chosen(state, seat, action)
    struct = state.action_to_struct(seat, action)
    if isinstance(struct, dict) and not isinstance(kind, t.Player):
        value = struct.get("value", struct.get("item"))
        if isinstance(value, (str, int)):
            found.add(str(value).lower() if isinstance(value, bool) else str(value))
    if isinstance(chosen, int) and isinstance(kind, t.Player):
        found.add(context.seats.names[chosen])
    if isinstance(chosen, int) and isinstance(kind, t.Enum | t.Cell):
        found.add(context.game.show(chosen, kind, labelled=True))
    if isinstance(label, Text):
        found.add(label.in_names)
    if seat == CHANCE and " shows " in label:
        found.add(label.rsplit(" shows ", 1)[1])
    return {folded(text) for text in found}


def _chosen(state: State, seat: int, action: int) -> tuple[t.Type | None, object]:
    """The value that an action of a `choose` chooses, and its type."""
    m = state._m
    if not isinstance(m.waiting, AskOp):
        return None, None
    c = m.waiting.candidate(m, m.frames[-1], seat, action)
    return (c.source.kinds[0], c.values[0]) if isinstance(c.source, ChoiceSource) else (None, None)


def find(
    state: State, seat: int, node: YamlNode, context: ScenarioContext, taken: Collection[int] = ()
) -> int | None:
    """The legal action, or outcome of chance, that a node names: rather one whose words it is than one whose
    value it is.

    `taken`: those that nodes before it named. Where several are called alike, the next one is named; a number
    says itself which one.
    """
    options = state.legal_actions(None if seat == CHANCE else seat)
    wanted = as_json(node)
    if not is_numbered(wanted):
        options = [a for a in options if a not in taken]
    else:
        return numbered(
            wanted, options, lambda action, text: folded(text) in _descriptions(state, seat, action, context)
        )
    if isinstance(node, YamlScalar):
        labels = [state.action_to_string(seat, action) for action in options]
        called = exact(node.text, labels, context.seats.named)
        if called:
            return options[called[0]]
        text = folded(node.text)
        return next((action for action in options if text in words(state, seat, action, context)), None)
    structs = [(a, state.action_to_struct(seat, a)) for a in options]
    as_it_is, with_none = state.with_full_name(wanted), state.with_full_name(_with_none(node))
    found = next((a for a, struct in structs if struct == as_it_is), None)
    return found if found is not None else next((a for a, struct in structs if struct == with_none), None)


def _with_none(node: YamlNode) -> object:
    """A node as a JSON value, `none` being what is missing, as in the rule language."""
    if isinstance(node, YamlMapping):
        return {key.text: _with_none(value) for key, value in node.entries}
    if isinstance(node, YamlSequence):
        return [_with_none(item) for item in node.items]
    return None if is_word(node, "none") else as_json(node)


def _descriptions(state: State, seat: int, action: int, context: ScenarioContext) -> frozenset[str]:
    """The words of an action, with the names of seats too."""
    return forms(state.action_to_string(seat, action), context.seats.named)


def offered(state: State, seat: int, context: ScenarioContext) -> str:
    """The legal actions in words, alike ones once."""
    labels = _labels(state, seat, context)
    shown = ", ".join(f"`{label}`" for label in labels[:MOST_SHOWN])
    more = len(labels) - MOST_SHOWN
    return (shown or "nothing") + (f" and {more} more" if more > 0 else "")


def nearest(state: State, seat: int, node: YamlNode, context: ScenarioContext) -> str | None:
    """The legal action that what is written nearly reads like; of a structure, the key that is nearly
    written.
    """
    if isinstance(node, YamlMapping):
        structs = [
            state.action_to_struct(seat, a) for a in state.legal_actions(None if seat == CHANCE else seat)
        ]
        keys = list(dict.fromkeys(key for struct in structs if isinstance(struct, dict) for key in struct))
        return next(
            (
                near
                for key, _ in node.entries
                if key.text not in keys and (near := did_you_mean(key.text, keys)) is not None
            ),
            None,
        )
    return did_you_mean(as_written(node), _labels(state, seat, context))


def _labels(state: State, seat: int, context: ScenarioContext) -> list[str]:
    options = state.legal_actions(None if seat == CHANCE else seat)
    return list(dict.fromkeys(context.seats.named(state.action_to_string(seat, a)) for a in options))


def refusal(state: State, seat: int, node: YamlNode, context: ScenarioContext) -> WhyNot:
    """Return the reasons why a seat that may act cannot do this."""
    return why_not(state, seat, as_written(node), context.seats.named)


def is_known(state: State, text: str, context: ScenarioContext) -> bool:
    """Tell whether a text names anything of the game: what somebody may do now, a component, a cell, a value,
    a seat.
    """
    text = folded(text)
    if any(
        text in words(state, seat, a, context)
        for seat in state.pending_seats()
        for a in state.legal_actions(seat)
    ):
        return True
    named = is_named(text, context) or context.seats.find(text) is not None
    return text in ("no", "done") or named or could_read(state._m, text, context.seats.named)


def is_named(text: str, context: ScenarioContext) -> bool:
    """Tell whether this is a number, a seat, a component, a cell or a value of a type. `text` is folded."""
    game = context.game
    cells = (name for board in game.boards.values() for name in (*board.names, *board.labels))
    values = (value for enum in game.program.enums.values() for value in enum.values)
    words = (*context.called, *cells, *values, *context.seats.names)
    return _NUMBERED.fullmatch(text) is not None or any(folded(name) == text for name in words)
