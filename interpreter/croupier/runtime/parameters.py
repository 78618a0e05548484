"""Binding parameters: defaults, settings from a caller or a command line, and the conditions a ruleset puts
on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from croupier.diagnostics import Diagnostic, Label, RulesetError, diagnose, did_you_mean
from croupier.kernel import types as t
from croupier.kernel.tree import ColumnExpr, ParamExpr, TypedExpr
from croupier.limits import MAX_NUMBER
from croupier.resolve.resolved import Layer
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Value
from croupier.semantics.program import ParamDef, Program


def admitted(program: Program, settings: Mapping[str, object]) -> tuple[tuple[int, ...], str | None]:
    """The numbers of players that these settings admit, and the words of the parameter that says so."""
    if program.players_by is None:
        return program.players, None
    name, cases = program.players_by
    word = chosen_word(program.params[name], settings)
    return cases.get(word, program.players), f"`{name}` = {word}"


def chosen_word(p: ParamDef, settings: Mapping[str, object]) -> str:
    """The value of a switch, or of a choice of words, as a word: the one that is set, or the default."""
    value: object = None
    if p.name in settings:
        value = settings[p.name]
    elif p.default is not None:
        value = p.default.details
    word = str(value[1] if isinstance(value, tuple) else value).strip()
    return word.lower() if isinstance(value, bool) else word


def switched(program: Program, settings: Mapping[str, object]) -> tuple[str, ...]:
    """The names of the variants that hold with these settings, in the order in which the parameters are
    declared.
    """
    return tuple(
        dict.fromkeys(
            name
            for p in program.params.values()
            if p.switches
            for name in p.switches.get(chosen_word(p, settings), ())
        )
    )


def contradictions(program: Program, settings: Mapping[str, object]) -> Iterator[Diagnostic]:
    """Diagnostics for variants that a switch holds apart: two that different values of it switch on, or one
    beside a setting that switches it off.

    Only what is named counts: a variant that is named holds where nobody sets its switch. One that another
    one extends holds with that.
    """
    layers = program.resolved.layers
    for p in program.params.values():
        switched_on = [(layer, words) for layer in layers if (words := _words_for(p, layer))]
        extended = frozenset(key for layer, _ in switched_on for key in layer.below if key != layer.key)
        named = [(layer, words) for layer, words in switched_on if layer.key not in extended]
        word = chosen_word(p, settings) if p.name in settings else None
        beside_setting = (
            (layer, f"`{p.name}` = {word}", [layer])
            for layer, words in named
            if word is not None and word not in words
        )
        apart = ((a, f"`{b.name}`", [a, b]) for a, first in named for b, words in named if not first & words)
        for variant, other, layers in islice(chain(beside_setting, apart), 1):
            labels = tuple(label for layer in layers for label in _changed_by(layer))
            yield diagnose(
                CONTRADICTION, p.span, name=p.name, variant=variant.name, other=other, labels=labels
            )


def as_recorded(program: Program, settings: Mapping[str, object]) -> dict[str, object]:
    """The settings that set a recorded game up again: a record has a value for every parameter, also for
    switches that nobody set.

    A switch at its default says nothing then, while it would contradict a variant that is named beside it.
    """
    usual = {p.name: chosen_word(p, {}) for p in program.params.values() if p.switches}
    return {
        name: value
        for name, value in settings.items()
        if name not in usual or chosen_word(program.params[name], settings) != usual[name]
    }


def _words_for(p: ParamDef, layer: Layer) -> frozenset[str]:
    """The values of a parameter that switch a variant on."""
    return frozenset(word for word, names in p.switches.items() if layer.name in names)


def _changed_by(layer: Layer) -> tuple[Label, ...]:
    return tuple(Label(change.span, f"`{layer.name}` changes the rules here") for change in layer.changes[:1])


def usual_players(program: Program, counts: Sequence[int]) -> int:
    """Return the number of players if nobody says one: the ruleset's default if it is admitted, otherwise the
    fewest.
    """
    usual = program.players_default
    return usual if usual is not None and usual in counts else counts[0]


class RefusedValue(Exception):
    """A value does not fit its type; in words, if it is a part of it that does not."""


def of_things(kind: t.Type, *things: type[t.Type]) -> bool:
    """Return whether the values of a type exist only once components and boards, or only some of these
    `things`, are made.
    """
    match kind:
        case t.Component() | t.Cell():
            return isinstance(kind, things or (t.Component, t.Cell))
        case t.Optional() | t.Collection():
            return of_things(kind.base, *things)
        case t.Map():
            return of_things(kind.key, *things) or of_things(kind.value, *things)
    return False


THINGS = {"component", "class", "labelled", "cell", "board", "board_cells"}


def needs_things(program: Program, p: ParamDef) -> bool:
    """Return whether the condition of a parameter can be tested only once components and boards are made."""
    parts = [x for _, condition in p.valid for x in condition.walk()]
    later = any(isinstance(x, ColumnExpr) and of_things(x.type) for x in parts)
    return (
        later
        or of_things(p.type)
        or any(
            x.op in THINGS or (isinstance(x, ParamExpr) and of_things(program.params[x.name].type))
            for x in parts
        )
    )


def bind(
    game: Game,
    program: Program,
    settings: Mapping[str, object],
    evaluate: Callable[[TypedExpr], Value],
    things: bool,
) -> None:
    """Give every parameter of things (or every other one) its value. Raises `RulesetError`."""
    found: list[Diagnostic] = []
    for name in settings:
        if name not in program.params and name != "players":
            near = did_you_mean(name, list(program.params))
            found.append(diagnose("G010", None, name=name, help=f"did you mean `{near}`?" if near else None))
    found += contradictions(program, settings)
    if found:
        raise RulesetError(tuple(found))
    for p in program.params.values():
        if of_things(p.type) != things:
            continue
        if p.name in settings:
            try:
                game.parameters[p.name] = convert(game, settings[p.name], p.type)
            except RefusedValue as e:
                value, help = _short(settings[p.name]), f"it may be {_words(p, game)}"
                found.append(
                    diagnose(
                        "G011", p.span, name=p.name, value=value, notes=tuple(map(str, e.args)), help=help
                    )
                )
                game.parameters[p.name] = None if p.default is None else evaluate(p.default)
        else:
            # without one the document is refused (`D002`), or the first of `one_of` is it
            assert p.default is not None
            unknown = next(
                (x for x in p.default.walk() if isinstance(x, ParamExpr) and x.name not in game.parameters),
                None,
            )
            if unknown is not None:
                raise RulesetError((diagnose("G024", unknown.span, name=unknown.name),))
            game.parameters[p.name] = evaluate(p.default)
    if found:
        raise RulesetError(tuple(found))


def validate(
    game: Game, program: Program, holds: Callable[[ParamDef, TypedExpr], Value], things: bool
) -> None:
    """Test the conditions that the ruleset puts on its parameters, those that need things or the others.

    Raises `RulesetError`.
    """
    found: list[Diagnostic] = []
    for p in program.params.values():
        for words, condition in p.valid if needs_things(program, p) == things else ():
            try:
                ok = holds(p, condition)
            except Fault as f:
                found.append(f.diagnostic)
                continue
            if not ok:
                value = game.show(game.parameters[p.name], p.type)
                found.append(
                    diagnose(
                        "G013",
                        condition.span,
                        name=p.name,
                        value=value,
                        reason=f": {words}" if words is not None else "",
                    )
                )
    if found:
        raise RulesetError(tuple(found))


def _short(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) < 60 else text[:57] + "…"


def _words(p: ParamDef, game: Game) -> str:
    """Return the values that a parameter may have, as somebody writes them who sets it."""
    if p.choices is not None:
        return " or ".join(f"`{c}`" for c in p.choices)
    kind = p.type.base if isinstance(p.type, t.Optional) else p.type
    match kind:
        case t.Bool():
            words = "`true` or `false`"
        case t.Int():
            low, high = game.int_bounds(kind)
            words = f"`{low}..{high}`"
        case t.Player():
            words = f"`seat 1` to `seat {game.players}`"
        case t.Map() if isinstance(kind.key, t.Enum) and kind.key.name in game.enum_values:
            words = f"`{kind}`, written like `{{{next(iter(game.enum_values[kind.key.name]))}: …, else: …}}`"
        case t.Map() if isinstance(kind.key, t.Int):
            words = f"`{kind}`, written like `{{{game.int_bounds(kind.key)[0]}: …, else: …}}`"
        case _:
            words = f"`{kind}`"
    return f"{words}, or `none`" if isinstance(p.type, t.Optional) else words


NAMED = 5  # keys without a value that a message names
BARE = re.compile(r'"(?:[^"\\]|\\.)*"|[^\W\d][\w-]*|-?[0-9]+(?=\s*:)')


def _json(text: str) -> object:
    """A value as typed on a command line: JSON, in which names, and numbers that are keys, need no quotes.
    Raises `Refused`.
    """
    for attempt in (
        text,
        BARE.sub(
            lambda m: m[0] if m[0][0] == '"' or m[0] in ("true", "false", "null") else f'"{m[0]}"', text
        ),
    ):
        try:
            return json.loads(attempt)
        except (ValueError, RecursionError):
            continue
    raise RefusedValue


def convert(game: Game, value: object, kind: t.Type) -> Value:
    """A JSON value, or a text as typed on a command line, as a value of a type. Raises `Refused`."""
    if isinstance(kind, t.Optional):
        return None if value is None or value == "none" else convert(game, value, kind.base)
    if isinstance(value, str) and not isinstance(kind, (t.Enum, t.Text, t.Cell, t.Component)):
        text = value.strip()
        if isinstance(kind, t.Player) and text.startswith("seat "):
            text = text[5:]
        value = _json(text)
        if isinstance(kind, t.Player):
            value = value - 1 if isinstance(value, int) else value
    match kind:
        case t.Bool():
            if isinstance(value, bool):
                return value
        case t.Int() | t.Player() | t.Text():
            is_too_large = isinstance(value, int) and abs(value) > MAX_NUMBER
            if game.fits(value, kind) and not is_too_large:
                return value
        case t.Enum():
            values = game.enum_values[kind.name]
            if isinstance(value, str) and value in values:
                return values[value]
        case t.Collection():
            if isinstance(value, list) and len(value) <= 10_000:
                return tuple(convert(game, v, kind.base) for v in value)
        case t.Map():
            if isinstance(value, dict):
                return _map(game, value, kind)
            if (
                isinstance(kind.key, t.Cell)
                and isinstance(value, list)
                and all(isinstance(row, list) for row in value)
            ):
                # the rows of a board
                if [len(row) for row in value] == [len(row) for row in game.boards[kind.key.board].rows]:
                    return tuple(convert(game, v, kind.value) for row in value for v in row)
            elif isinstance(value, list) and len(value) == game.domain(kind.key)[1]:
                # a value for every key, in order
                return tuple(convert(game, v, kind.value) for v in value)
        case t.Record():
            fields = game.program.records[kind.name].fields
            if isinstance(value, dict) and set(value) == set(fields):
                return tuple(convert(game, value[f], k) for f, k in fields.items())
        case t.Component():
            fitting = [p for p in game.components if p.kind in kind.kinds]
            named = [p.number for p in fitting if p.id == value] or [
                p.number for p in fitting if p.label == value
            ]
            if named:
                return named[0]
        case t.Cell():
            cell = game.boards[kind.board].named(value) if isinstance(value, str) else None
            if cell is not None:
                return cell
    raise RefusedValue


def _key(game: Game, word: str, kind: t.Type) -> int:
    """A key of a JSON object as a value.

    Of a player: the number of a seat from 0, as everywhere in JSON, or `seat 1`, `player 1` as people count.
    """
    if isinstance(kind, t.Player):
        spoken = re.fullmatch(r"(?:seat|player) ([0-9]{1,3})", word)
        if spoken is None and not re.fullmatch(r"[0-9]{1,3}", word):
            raise RefusedValue
        return int(convert(game, int(word) if spoken is None else int(spoken[1]) - 1, kind))
    return int(convert(game, word, kind))


def _may_be_zero(game: Game, kind: t.Type) -> bool:
    if not isinstance(kind, t.Int):
        return False
    low, high = game.int_bounds(kind)
    return (low is None or low <= 0) and (high is None or high >= 0)


def _map(game: Game, value: dict[str, object], kind: t.Map) -> Value:
    low, count = game.domain(kind.key)
    other: Value = None
    if "else" in value:
        other = convert(game, value["else"], kind.value)
    elif _may_be_zero(game, kind.value):
        other = 0
    out = [other] * count
    for k, v in value.items():
        if k != "else":
            try:
                key = _key(game, k, kind.key)
            except RefusedValue:
                raise RefusedValue(f"there is no key `{_short(k)}`") from None
            try:
                out[key - low] = convert(game, v, kind.value)
            except RefusedValue as e:
                raise RefusedValue(*e.args or (f"`{_short(v)}` cannot stand for `{k}`",)) from None
    if not isinstance(kind.value, t.Optional) and None in out:
        missing = [game.show(low + at, kind.key) for at, v in enumerate(out) if v is None]
        raise RefusedValue(
            f"it says nothing for {', '.join(missing[:NAMED])}{' and others' if len(missing) > NAMED else ''}"
        )
    return tuple(out)


# ---------------------------------------------------------------- parameter errors
PARAMETER_REFUSED = "G013"
CONTRADICTION = "V115"  # a variant holds beside a setting, or a variant, that leaves it out
SHOWN_SETTINGS = 6
SHOWN = 40  # characters of a value that is shown


def explain_parameter_errors(
    found: Iterable[Diagnostic], program: Program, players: int | None, settings: Mapping[str, object]
) -> tuple[Diagnostic, ...]:
    """Return the reasons why a game cannot be set up, with the values that refused conditions were tested
    for.

    In a variant they also say where a value was set.
    """
    return tuple(_explain(d, program, players, settings) if d.code == PARAMETER_REFUSED else d for d in found)


def _explain(
    d: Diagnostic, program: Program, players: int | None, settings: Mapping[str, object]
) -> Diagnostic:
    conditions = ((p, c) for p in program.params.values() for _, c in p.valid if c.span == d.span)
    parameter, condition = next(conditions, (None, None))
    if parameter is None or condition is None:  # of a parameter that a variant adds
        return d
    others = sorted({x.name for x in condition.walk() if isinstance(x, ParamExpr)} - {parameter.name})
    given = [f"{players} players"] if players is not None and (len(program.players) > 1 or settings) else []
    given += [
        f"`{name}` = {_shown_setting(value)}"
        for name, value in list(settings.items())[:SHOWN_SETTINGS]
        if name != parameter.name
    ]
    notes = [f"that is so with {', '.join(given)}"] if given else []
    notes += [f"the condition asks for {', '.join(f'`{name}`' for name in others)} too"] if others else []
    labels = () if parameter.name in settings else _set_at(parameter.name, program)
    return replace(d, notes=(*d.notes, *notes), labels=(*d.labels, *labels))


def _set_at(name: str, program: Program) -> tuple[Label, ...]:
    """The place in the nearest variant that sets a parameter."""
    doc = program.resolved
    while doc is not None:
        for key, _ in doc.settings:
            if key.text == name and doc.base is not None:
                return (Label(key.span, "set here"),)
        doc = doc.base
    return ()


def _shown_setting(value: object) -> str:
    text = str(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
