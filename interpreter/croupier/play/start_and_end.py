"""The start and the end of a game in words: the values that it begins with, who won, and the rule that
decided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.kernel import types as t
from croupier.kernel.tree import (
    ChooseStmt,
    IfStmt,
    LetStmt,
    LocalExpr,
    TypedExpr,
    text_parts,
    text_template,
)
from croupier.runtime.arguments import viewer_of
from croupier.runtime.visibility import admits
from croupier.semantics.procedures import Proc
from croupier.semantics.program import VarDef
from croupier.semantics.walk import bodies, statements
from croupier.syntax.phrases import phrase_of, why
from croupier.text import Seat, Text, join, listed

if TYPE_CHECKING:
    from croupier.runtime.state import State


SIMPLE = (t.Int, t.Bool, t.Enum, t.Player)
MAX_REASONS = 4  # rules that an end cites
_WINNING = re.compile(r"\b(?:win|wins|won|winners?|lose|loses|lost)\b", re.IGNORECASE)
_TIE = re.compile(r"\bt(?:ie|ies|ied)\b", re.IGNORECASE)


def start_values(state: State, seat: int | None) -> Text:
    """Return the values at the beginning of the history that a seat may see, in words: numbers, names, truths
    that are not nothing; not by cell.
    """
    seat = viewer_of(seat, state.players)
    game, start, found = state.game, state._start, list[Text]()
    for v in game.variables:
        kind = v.type
        value = (game.start_vars if start is None else start.vars)[v.index]
        audience = game.seen_by[v.index]
        is_detail = (
            v.words is not None and text_parts(v.words.text) == ()
        ) or v.name in game.program.looks.details
        of_players = isinstance(kind, t.Map) and isinstance(kind.key, t.Player)
        if (
            v.of_class is not None
            or v.sight is not None
            or is_detail
            or not (of_players or isinstance(kind, SIMPLE))
        ):
            continue
        name, inner = v.name.replace("_", " "), kind.value if isinstance(kind, t.Map) else kind
        entries = dict(enumerate(value)) if of_players else {None: value}
        known = {
            p: one
            for p, one in entries.items()
            if one and (seat is None or admits(audience, p, seat, game.players))
        }
        seen = {p: game.show(one, inner, labelled=True) for p, one in known.items()}
        if isinstance(inner, SIMPLE) and seen:
            alike = len(set(seen.values())) == 1 and len(seen) == len(entries) > 1
            each = (
                _in_words(v, name, one) if p is None else Text.of(f"{name} of ", Seat(p), ": ", one)
                for p, one in seen.items()
            )
            found += [Text.of(f"{name} ", seen[0], " each")] if alike else each
    return join(", ", found)


def _in_words(variable: VarDef, name: str, one: Text) -> Text:
    """A value in the words of its changes, if these are plain and name nothing else."""
    text = None if variable.words is None else variable.words.text
    parts = () if text is None else text_parts(text)
    is_plain = (
        text is not None
        and parts.count(None) == 1
        and "|" not in text_template(text)
        and all(isinstance(x, LocalExpr) for x in text.args)
    )
    if not is_plain:
        return Text.of(f"{name} ", one)
    return Text.of(*(one if part is None else part for part in parts))


def who_won(outcome: Mapping[str, Any]) -> Text:
    """Who won a finished game, as a sentence with its grade."""
    winners, returns = outcome["winners"] or [], outcome["returns"] or []
    if len(winners) == len(returns) > 1:
        told = Text.of("everybody wins")
    elif winners:
        told = Text.of(listed([Seat(p) for p in winners]), " wins" if len(winners) == 1 else " win")
    elif returns and not any(returns):
        told = Text.of("a draw")
    else:
        told = Text.of("everybody loses" if returns and len(set(returns)) == 1 else "nobody wins")
    grade = outcome.get("grade")
    return Text.of(told, " (", grade, ")") if grade else told


def why_over(state: State, seat: int | None = None, *, is_whole: bool = False) -> str:
    """Return the reason why a finished game is over: the rule that its end cites for who wins, or else the
    condition under which the rules end it; nothing where `finish … as` says it in words. `is_whole`: all
    rules that it cites, and the condition also where it has no plain words or the end has.

    Every seat is told the same; where a game is followed, one of its followers knows it at once.
    """
    last = next((event for event in reversed(state.events(seat)) if event.kind == "end"), None)
    rules = state.game.program.rule_ids
    cited = [
        f"{rule}: {rules[rule][1]}"
        for rule in (() if last is None else last.rules)
        if rule in rules and rules[rule][1]
    ]
    if cited and not is_whole:
        result = state._m.result
        return _deciding(cited, is_tie_broken=result is not None and result.is_tie_broken)
    if last is None or cited:
        return " ".join(cited[:MAX_REASONS])
    if state.outcome()["grade"] and not is_whole:
        return ""  # words of the author say it
    ending = [proc for proc, s in bodies(state.game.program) if s.span == last.span]
    if not ending:
        return ""
    proc = ending[0]
    asked = [w.value for w in state.game.program.watchers if w.kind == "end" and w.proc is proc]
    asked += [
        s.args[0]
        for s in statements(proc.body)
        if isinstance(s, IfStmt) and any(end.span == last.span for end in s.blocks[0])
    ][-1:]
    if not is_whole and not all(_has_plain_words(x) for x in asked):
        return ""
    if asked:
        return (
            f"The game is over: "
            f"{', and '.join(why(x.span.text) for x in asked)}{_names_explained(proc, asked)}."
        )
    return "All phases are over." if any(proc.name == "scoring" for proc in ending) else ""


def _has_plain_words(x: TypedExpr) -> bool:
    """Tell whether a condition can be read out: it calls no definition of something."""
    words = phrase_of(x.span.text)
    return words is not None and "(" not in words


def _deciding(cited: Sequence[str], *, is_tie_broken: bool) -> str:
    """Return the one of some rules that decided: the first that speaks of a tie, where one was broken, or
    else of winning; the first of all if none does.
    """
    about_ties = [rule for rule in cited if is_tie_broken and _TIE.search(rule)]
    about_winning = [rule for rule in cited if _WINNING.search(rule)]
    return [*about_ties, *about_winning, *cited][0]


def _names_explained(proc: Proc, asked: Sequence[TypedExpr]) -> str:
    """Return the meaning of the locals that some conditions name, in brackets: whoever reads them does not
    know the rules around them.
    """
    values = {s.slot: s.args[0] for s in statements(proc.body) if isinstance(s, LetStmt)}
    chosen = {s.choice.slot for s in statements(proc.body) if isinstance(s, ChooseStmt)}
    found: dict[int, str] = {}
    todo = list(asked)
    while todo:
        x = todo.pop(0)
        bound = {slot for y in x.walk() for slot in y.binds()}
        for y in x.walk():
            if (
                not isinstance(y, LocalExpr)
                or y.slot in bound
                or y.slot in found
                or proc.slots[y.slot].startswith("$")
            ):
                continue
            name = proc.slots[y.slot].replace("_", " ")
            if y.slot in values:
                text = values[y.slot].span.text
                found[y.slot] = f"{name} is {phrase_of(text) or text}"
                todo.append(values[y.slot])
            else:
                kind = "player " if proc.slot_types[y.slot] == t.PLAYER else ""
                found[y.slot] = f"{name} is what was chosen" if y.slot in chosen else f"for one {kind}{name}"
    return f" ({'; '.join(found.values())})" if found else ""
