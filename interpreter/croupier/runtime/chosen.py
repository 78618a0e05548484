"""The meaning of an action as data: the option of the rules, the values that it chooses with their types, and
its words.

In comes a machine that stands at a decision or a chance event, and an action; out comes a `Chosen`. It says,
too, whether the same action of the same seat at the same place of the rules always stands for the same: then
whoever plays many games need not ask again. That is so for a card out of a hand, a cell or a number in words
of their own; not for what is numbered as it is offered (lists, records, elements of a set), or is worded by
the state.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from croupier.kernel import types as t
from croupier.kernel.tree import ChooseStmt, LocalExpr, MenuStmt, OpenStmt, TypedExpr, text_template
from croupier.records import dataclass
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import Candidate, ValueSource
from croupier.runtime.chance import DrawOp, RollOp
from croupier.runtime.faults import Fault
from croupier.runtime.game import Game, Value
from croupier.runtime.hooks import HookMatch
from croupier.runtime.machine import Machine
from croupier.runtime.sets import SetEnd
from croupier.semantics.decision_sites import Point
from croupier.semantics.procedures import Hook
from croupier.semantics.walk import bodies

LASTING = frozenset(
    "text local const enum cell component attr column field certain param add sub mul neg and or not "
    "if eq ne lt le gt ge".split()
)
"""Operations of expressions that give the same for the same locals, whatever the position."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """An action as data: the option of the decision, the types and values that it chooses, its words, the
    rules that it cites.

    `option` is the wording of the rules with `{}` for each value put in or, without a wording, the name of
    the chosen value. `lasts`: the same action of the same seat at the same place of the rules stands for the
    same in every position.
    """

    option: str
    types: tuple[t.Type, ...]
    values: tuple[Value, ...]
    words: str
    rules: tuple[str, ...]
    lasts: bool


def chosen(m: Machine, seat: int, action: int) -> Chosen:
    """Return the meaning of an action of a seat, or of chance (-1).

    The action must be legal where the machine stands.
    """
    op, frame = m.asking()
    m.refuel()
    try:
        words = str(op.describe(m, frame, seat, action))
    except Fault as fault:
        words = f"({fault.code})"
    rules = tuple(op.cites if seat < 0 else op.cited_by(action))
    option, types, values, lasts = _parts(m, op, seat, action)
    return Chosen(option, types, values, words, rules, lasts)


Parts = tuple[str, tuple[t.Type, ...], tuple[Value, ...], bool]


def _parts(m: Machine, op: object, seat: int, action: int) -> Parts:
    """Option, types, values, and whether that lasts."""
    game, frame = m.game, m.frames[-1]
    match op:
        case AskOp():
            return _candidate_parts(m, op, op.candidate(m, frame, seat, action))
        case DrawOp():
            return (
                "draw",
                (_class_of(game, action),),
                (action,),
                game.components[action].kind not in game.labels,
            )
        case RollOp():
            die = frame.L[op.left][0]
            return "roll", (_class_of(game, die), op.kind), (die, op.values[action]), False
    raise AssertionError(op)


def _candidate_parts(m: Machine, op: AskOp, c: Candidate) -> Parts:
    """The same of a candidate."""
    if c.reaction is not None:
        return _reaction(m.game, c.reaction)
    if isinstance(c.source, SetEnd):
        return "done", (), (), False
    named = c.named(m, m.frames[-1])
    if named is None:
        return "no", (), (), True
    (option, *_), types, values = named
    source = c.source if isinstance(c.source, ValueSource) else op.sources[0]
    slots = tuple(b.slot for b in source.bindings)
    lasts = source.is_numbered and _words_last(m.game, source.tree.label, slots, source.kinds)
    return option, types, values, lasts


def options_of(game: Game, point: Point) -> list[str]:
    """Return the options that a site has in the rules, called as `Chosen.option` calls them.

    They are all listed, whether anybody is ever offered them, except for the end of a set. Chance has no
    options.
    """
    site = game.sites[point]
    match site.statement:
        case ChooseStmt(choice=choice) if choice.chooser != "chance":
            taken = [choice.name if choice.label is None else text_template(choice.label)]
            if choice.optional:
                taken.append(f"no {choice.name}" if choice.decline is None else choice.decline)
            return taken
        case MenuStmt(menu=menu):
            return [
                *(option.claim or text_template(option.label) for option in menu.options),
                *_reactions_of(game, menu.window),
            ]
        case None if not any(
            s.window == point[0] for _, s in bodies(game.program) if isinstance(s, OpenStmt)
        ):
            return []  # its reactions are options of a menu
        case None:
            return [*([] if site.proc.all_react else ["no"]), *_reactions_of(game, point[0])]
    return []


def _reactions_of(game: Game, window: int | None) -> list[str]:
    """The reactions of a window, as options."""
    found = [hook for hook in game.program.hooks if hook.kind == "reaction" and hook.target == window]
    return list(dict.fromkeys(_reaction_option(hook) for hook in found))


def _reaction_option(hook: Hook) -> str:
    return hook.proc.name if hook.label is None else text_template(hook.label)


def _class_of(game: Game, component: int) -> t.Component:
    return t.Component(frozenset({game.components[component].kind}))


def _reaction(game: Game, reaction: HookMatch) -> Parts:
    """A power of a component, or of the rules, that is used."""
    hook, component = reaction.code.hook, reaction.component
    option = _reaction_option(hook)
    lasts = hook.label is None or _words_last(game, hook.label, (hook.self_slot,), ())
    if component is None:
        return option, (), (), lasts
    return option, (_class_of(game, component),), (component,), lasts


def _words_last(
    game: Game, label: TypedExpr | None, slots: Container[int | None], kinds: Iterable[t.Type]
) -> bool:
    """Return whether words depend on these locals alone, and on nothing that changes.

    Without a label they are the words of the values themselves.
    """
    kinds = tuple(kinds)
    if any(isinstance(kind, t.Component) and (kind.kinds & game.labels.keys()) for kind in kinds):
        return False
    if label is None:
        return True
    parts = list(label.walk())
    if any(x.op not in LASTING or (isinstance(x, LocalExpr) and x.slot not in slots) for x in parts):
        return False
    if any(isinstance(x.type, t.Component) and (x.type.kinds & game.labels.keys()) for x in parts):
        return False
    reads_attributes = any(x.op == "attr" for x in parts)
    # of those that are called alike one stands for others
    return not (reads_attributes and any(game.alike.among(kind) for kind in kinds))


__all__ = ["Chosen", "chosen", "options_of"]
