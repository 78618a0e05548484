"""Reasons why an action is not offered: the clauses that forbid it, each with its span, its rules and its
words.

An action is named as people write it. It is looked for among everything that the decision could offer,
whether it does or not; what is found is put to each clause of the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from croupier.diagnostics import JsonObject, Span
from croupier.diagnostics.render import short_place
from croupier.kernel.tree import LocalExpr, MenuOption, SoThatStmt, TypedExpr
from croupier.records import dataclass
from croupier.runtime import lookahead
from croupier.runtime.choices import ChooseOp, EveryOp, OptionCondition
from croupier.runtime.claims import ClaimOp
from croupier.runtime.faults import Fault
from croupier.runtime.game import Value
from croupier.runtime.hooks import HookCode, hooks_of
from croupier.runtime.label_matching import LabelMatcher
from croupier.runtime.machine import Frame, Locals, Machine
from croupier.runtime.menus import MenuOp
from croupier.runtime.option_matching import folded, forms
from croupier.runtime.sets import SetOp
from croupier.runtime.state_view import StateView
from croupier.runtime.visibility import sees_component
from croupier.runtime.windows import WindowOp
from croupier.semantics.walk import all_of, statements
from croupier.text import Rename, Seat, Text, join, listed

# ---------------------------------------------------------------- clauses
# A clause that forbids something, and what is known about something that is not offered.
MOST_NAMED = 6  # options that a reason names
NOT_OFFERED = "the option is not offered"
NOT_OFFERED_FOR = "the option is not offered for that"
NOT_USED = "it cannot be used here"
NOT_SAID = "it may not be said"
MUST = "something must be chosen"


@dataclass(frozen=True)
class Clause:
    """A reason why something is not offered.

    `kind`: turn, condition (its words are the author's), priority (so are its words: something else goes
    first), source, where, option, such that, how many, order, alike, reaction, claim, look-ahead; `rules` are
    those it cites; `span` is its place, `None` for what the rules as a whole say; `supposed`: what a
    `suppose` in a condition found; `is_at_if`: the place is an `if` that does not hold.
    """

    kind: str
    words: str
    rules: tuple[str, ...] = ()
    span: Span | None = None
    supposed: str = ""
    is_at_if: bool = False

    @property
    def told(self) -> Text:
        """The clause as a sentence for people."""
        if self.kind == "priority":
            return Text.of("“", self.words, "” comes first: something else meets it")
        if self.kind == "condition":
            return Text.of("“", self.words, "” does not hold", self.supposed and ": ", self.supposed)
        return Text.of(self.words)

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "words": self.words,
            "rules": list(self.rules),
            "supposed": self.supposed,
            "place": short_place(self.span),
        }


@dataclass(frozen=True)
class WhyNot:
    """The clauses that forbid what a text names; `known` is false if the text names nothing that this
    decision is about.

    `label` is how the game calls it.
    """

    known: bool
    clauses: tuple[Clause, ...] = ()
    label: str | None = None


# ---------------------------------------------------------------- choosing
# Why a value may not be chosen: of one thing, or as part of several.
def of_choice(op: ChooseOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a choice does not offer something; `text` is folded.

    Without clauses it is on offer, under the label.
    """
    frame = m.frames[-1]
    frame = op.for_seat(frame, seat) if isinstance(op, EveryOp) else frame
    choice = op.tree.choice
    cites = tuple(op.cites)
    called = _called(op, m, frame, text, words)
    offered = op.actions(m, m.frames[-1], seat) if called else []
    for index, value, label in called:
        if _is_offered(op, m, frame, index, value, offered):  # one of several alike, or by its mere words
            return WhyNot(True, (), label)
    for index, value, label in called[:1]:
        found = _of_value(op, m, frame, seat, value)
        if isinstance(op, SetOp):
            found += _of_set(op, m, frame, index, cites)
        elif not found and (op.merging or op.alike is not None):
            found.append(
                Clause("alike", "another one that is alike stands for it", cites, choice.source.span)
            )
        return WhyNot(True, tuple(found), label)
    if text in ("no", "done", folded(op.decline)):
        return WhyNot(True, (_of_none(op, m, frame, cites),), text)
    among = _among(op, m, seat)
    return WhyNot(reads(op, text, words), (Clause("source", among, cites, choice.source.span),))


def _among(op: ChooseOp, m: Machine, seat: int) -> str:
    """What there is to choose from, in the words of the options."""
    frame = m.frames[-1]
    labels = [
        Text.of(op.describe(m, frame, seat, action))
        for action in op.actions(m, frame, seat)
        if not op.declines(frame, action)
    ]
    found = list(dict.fromkeys(labels))
    if not found:
        return "there is nothing to choose from"
    if len(found) > MOST_NAMED:
        found = [*found[: MOST_NAMED - 1], Text.of(f"{len(found) - MOST_NAMED + 1} more")]
    return Text.of(
        "there is only " if len(found) == 1 else "there are only ", listed(found), " to choose from"
    )


def _called(
    op: ChooseOp, m: Machine, frame: Frame, text: str, words: LabelMatcher
) -> list[tuple[int, Value, str]]:
    """Return the values of a choice that a text names, by label or by their plain words: index in the source,
    value and label.
    """
    found = []
    for index, value in enumerate(op.source(m, frame.L)):
        name, shown = op.game.show(value, op.base), op.game.show(value, op.base, labelled=True)
        label = _label(op, m, frame, value, shown)
        called = {folded(name)} | forms(shown, words.rename) | forms(label, words.rename)
        if text in called:
            found.append((index, value, label))
    return found


def _is_offered(
    op: ChooseOp, m: Machine, frame: Frame, index: int, value: Value, offered: Sequence[int]
) -> bool:
    """Tell whether a value of the source can be chosen, by the actions that are offered.

    Components that are alike share their numbers, whichever of them is offered: each is asked for itself.
    """
    if isinstance(op, SetOp):
        return index + 1 in offered
    if op.alike is not None:
        return op.passes(m, frame.L[:], value)
    return (int(value) - op.low if op.finite else index) + op.shift in offered


def _label(op: ChooseOp, m: Machine, frame: Frame, value: Value, shown: str) -> str:
    """Return the label of a value. What is not offered need have no label, and is then shown as a plain
    value.
    """
    try:
        return op.words(m, frame, value)
    except Fault:
        return shown


def reads(op: ChooseOp, text: str, words: LabelMatcher) -> bool:
    """Return whether anything that a choice is about could read like this."""
    choice = op.tree.choice
    if words.value(op.base, text) or ((op.optional or op.worded) and text == folded(op.decline)):
        return True
    if op.label_fixed is None:
        return words.label(choice.label, text)
    prefix = f"{folded(op.label_fixed)}:"
    return text.startswith(prefix) and words.value(op.base, text.removeprefix(prefix))


def _of_value(op: ChooseOp, m: Machine, frame: Frame, seat: int, value: Value) -> list[Clause]:
    """The named conditions, and the `where`, that a value does not meet.

    Raises `Fault` where what is asked first faults.
    """
    choice = op.tree.choice
    cites, found, L = tuple(op.cites), list[Clause](), frame.L[:]
    L[op.item] = value
    if op.where is None or choice.where is None or op.where(m, L):
        among = []
    else:
        among = [Clause("where", _among(op, m, seat), cites, choice.where.span)]
    for c in op.conditions:
        try:
            clause = _failing(c, m, L, cites)
        except Fault:
            if not found and not among:
                raise
            break  # it may count on what does not hold
        if clause is not None:
            found.append(clause)
    return found + among


def _failing(c: OptionCondition, m: Machine, L: Locals, cites: tuple[str, ...]) -> Clause | None:
    """The clause of a condition that does not hold."""
    m.supposed = []
    try:
        if c.test(m, L):
            return None
        supposed = m.supposed[-1] if m.supposed else ""
        return Clause(c.kind, c.text, c.cites or cites, c.span, supposed)
    finally:
        m.supposed = None


def _of_set(op: SetOp, m: Machine, frame: Frame, index: int, cites: tuple[str, ...]) -> list[Clause]:
    """Return why the value at an index of the source may not be taken next."""
    choice = op.tree.choice
    offer, taken = op.offer(m, frame.L), frame.L[op.picked] or ()
    if index in taken:
        return [Clause("order", "it is taken already", cites, choice.source.span)]
    if len(taken) >= offer.high:
        return [Clause("how many", f"at most {offer.high} may be chosen", cites, op.span)]
    if index not in offer.following(taken):
        alike = offer.kinds is not None and (not taken or offer.rank[index] > offer.rank[taken[-1]])
        if alike:
            reason = "another one that is alike stands for it"
        else:
            reason = "what was taken last comes after it: things are taken in order"
        return [Clause("alike" if alike else "order", reason, cites, choice.source.span)]
    if op.such_that is not None and choice.such_that is not None:
        return [Clause("such that", "nothing that may be chosen holds it", cites, choice.such_that.span)]
    return [
        Clause(
            "how many",
            f"{offer.low} are chosen, in this order, and too few come after it: take others first, then it",
            cites,
            op.span,
        )
    ]


def _of_none(op: ChooseOp, m: Machine, frame: Frame, cites: tuple[str, ...]) -> Clause:
    if not isinstance(op, SetOp):
        return Clause("how many", MUST, cites, op.span)
    offer, taken = op.offer(m, frame.L), frame.L[op.picked] or ()
    choice = op.tree.choice
    if len(taken) >= offer.low and choice.such_that is not None:
        return Clause("such that", "what was taken may not be chosen as it is", cites, choice.such_that.span)
    return Clause("how many", MUST, cites, op.span)


# ---------------------------------------------------------------- menus
# Why an option of a menu, a reaction or a claim is not offered.
def of_menu(op: MenuOp, m: Machine, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a menu does not offer something; `text` is folded."""
    frame = m.frames[-1]
    data = op.tree.menu
    for e, option in zip(op.entries, data.options, strict=True):
        cites = option.cites or tuple(op.cites)
        L = frame.L[:]
        for values, _ in op.combinations(m, L, e, 0, (), ()):
            for slot, v in zip(e.slots, values, strict=True):
                L[slot] = v
            label = e.label(m, L)
            if text in forms(label, words.rename):
                found = [clause for c in e.conditions if (clause := _failing(c, m, L, cites)) is not None]
                hiding = _hiding(option, m, L)
                if hiding is not None:
                    found.append(Clause("option", NOT_OFFERED, cites, hiding.span, is_at_if=True))
                return WhyNot(True, tuple(found), label)
    for e, option in zip(op.entries, data.options, strict=True):
        if words.label(option.label, text) or text == folded(e.raw):
            hiding = _hiding(option, m, frame.L[:])
            if hiding is not None:
                return WhyNot(
                    True,
                    (
                        Clause(
                            "option", NOT_OFFERED, option.cites or tuple(op.cites), hiding.span, is_at_if=True
                        ),
                    ),
                )
            source = option.sources[0].span if option.sources else option.span
            reason = NOT_OFFERED_FOR if option.sources else NOT_OFFERED
            return WhyNot(
                True,
                (
                    Clause(
                        "source" if option.sources else "option",
                        reason,
                        option.cites or tuple(op.cites),
                        source,
                    ),
                ),
            )
    if op.window is None:
        return WhyNot(False)
    return of_reaction(
        op.window, m, [f(m, frame.L) for f in op.window_args], op.chooser(m, frame), (), text, words
    )


def _hiding(option: MenuOption, m: Machine, L: Locals) -> TypedExpr | None:
    """The first part of the `if` of an option, or of the groups around it, that does not hold; of those that
    ask nothing of what it walks, if that is not known yet.
    """
    if option.condition is None:
        return None
    for part in all_of(option.condition):
        names_walked = any(
            isinstance(x, LocalExpr) and x.slot in option.slots and L[x.slot] is None for x in part.walk()
        )
        if names_walked or not m.rules.expr(part)(m, L[:]):
            return None if names_walked else part
    return None


def of_window(op: WindowOp, m: Machine, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a window does not offer a reaction."""
    frame = m.frames[-1]
    return of_reaction(
        op.window, m, frame.L[: op.params], op.chooser(m, frame), frame.L[op.used], text, words
    )


def of_reaction(
    window: int,
    m: Machine,
    args: list[Value],
    seat: int,
    used: tuple[int, ...],
    text: str,
    words: LabelMatcher,
) -> WhyNot:
    """The first reason for each reaction that is called so; of a component that the seat cannot see only that
    it cannot be used.

    Such a component is called all that it may be called: what it is called now may be hidden from the seat.
    """
    hooks = hooks_of(m)
    found: list[Clause] = []
    known = False
    for code in hooks.by_target.get(window, {}).get("reaction", ()):
        for i, component in enumerate(code.components or (None,)):
            named = component is not None and text in words.names(m, component, seat)
            if not (named or words.label(code.hook.label, text)):
                continue
            known = True
            kind, reason, span = _first_reason(code, component, m, args, seat, code.first + i in used)
            clause = Clause(kind, reason, code.hook.cites, span)
            if clause not in found:
                found.append(clause)
    return WhyNot(known, tuple(found) or (Clause("reaction", NOT_USED),))


def _first_reason(
    code: HookCode, component: int | None, m: Machine, args: list[Value], seat: int, used: bool
) -> tuple[str, str, Span]:
    """Return the first reason why a reaction is not offered to a seat: kind, words and place.

    Nothing is said that a seat could not know about a component of others.
    """
    h = code.hook
    if used:
        return "reaction", "it was used already", h.proc.span
    L: Locals = [None] * len(h.proc.slots)
    if component is not None:
        z = m.where[component]
        zone = m.game.zones[z] if z >= 0 and sees_component(m, component, seat) else None
        if (
            zone is None
            or (zone.owner is not None and zone.owner != seat)
            or (not code.live_anywhere and not zone.live)
        ):
            return "reaction", NOT_USED, h.proc.span
        L[h.self_slot or 0] = component
        if h.here_slot is not None:
            L[h.here_slot] = zone.key
    if h.owner_slot is not None:
        L[h.owner_slot] = seat
    for param, slot in code.bound:
        L[slot] = args[param]
    pattern = {a.param: a.fixed for a in h.args if a.fixed is not None}
    for param, fixed in code.fixed:
        if fixed(m, L) != args[param]:
            return "reaction", "it is for something else", pattern[param].span
    if code.guard is not None and h.guard is not None and not code.guard(m, L):
        return "reaction", NOT_USED, h.guard.span
    return "reaction", NOT_USED, h.proc.span


def of_claim(op: ClaimOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> WhyNot:
    """Return why something may not be said."""
    for c, declared in zip(op.claims, m.game.program.claims, strict=True):
        if not words.label(declared.says, text):
            continue
        span = declared.span if declared.condition is None else declared.condition.span
        for values in product(*(m.game.values(kind) for _, kind in c.fields)):
            L: Locals = [None] * c.slot_count
            L[c.slots[0]] = seat
            for slot, v in zip(c.slots[1:], values, strict=True):
                L[slot] = v
            said = c.says(m, L)
            if text in forms(said, words.rename):
                return WhyNot(True, (Clause("claim", NOT_SAID, declared.cites, span),), said)
        return WhyNot(True, (Clause("claim", NOT_SAID, declared.cites, declared.span),))
    return WhyNot(False)


# ---------------------------------------------------------------- why
# Why a seat may not do something now.
def why_not(state: StateView, seat: int, text: str, rename: Rename = str) -> WhyNot:
    """Return why a seat may not do what a text says; `rename` gives a text with the names of the players.

    There are no clauses for what is offered. A condition that cannot be worked out is a clause of its own.
    """
    m, wanted = state._m, folded(text)
    if state.is_terminal():
        return WhyNot(False, (Clause("turn", "the game is over"),))
    if state.is_chance_node():
        span = m.asking()[0].span
        return WhyNot(False, (Clause("turn", "something happens by chance first", span=span),))
    pending = state.pending_seats()
    if seat not in pending:
        acting = Text.of(join(" and ", map(Seat, pending)), " must act now")
        asked = m.asking()[0]
        return WhyNot(False, (Clause("turn", acting, tuple(asked.cites), asked.span),))
    found = _option(state, seat, wanted, rename)
    if found is not None:
        return found
    m.refuel()
    try:
        found = _of(m, seat, wanted, rename)
        if found.clauses or found.label is None:
            return found
        return _option(state, seat, folded(found.label), str) or found
    except Fault as fault:
        wrong = fault.diagnostic
        return WhyNot(True, (Clause("fault", wrong.message, (), wrong.span),))
    finally:
        m.refuel()


def _option(state: StateView, seat: int, wanted: str, rename: Rename) -> WhyNot | None:
    """Return the option that a text names, also one that only a look-ahead removes; `None` if there is none.

    `wanted` is folded.
    """
    m = state._m
    m.refuel()
    op, frame = m.asking()
    for action in op.actions(m, frame, seat):
        label = state.action_to_string(seat, action)
        if wanted in forms(label, rename):
            return WhyNot(True, () if action in state.legal_actions(seat) else (_ahead(m, seat),), label)
    return None


def _of(m: Machine, seat: int, text: str, rename: Rename) -> WhyNot:
    op, words = m.waiting, LabelMatcher(m.rules, rename)
    if isinstance(op, ChooseOp):
        return of_choice(op, m, seat, text, words)
    if isinstance(op, MenuOp):
        return of_menu(op, m, text, words)
    if isinstance(op, ClaimOp):
        return of_claim(op, m, seat, text, words)
    if isinstance(op, WindowOp):
        return of_window(op, m, text, words)
    return WhyNot(False)


def could_read(m: Machine, text: str, rename: Rename = str) -> bool:
    """Return whether anything that the decision is about, offered or not, could read like this. `text` is
    folded.
    """
    op, words = m.waiting, LabelMatcher(m.rules, rename)
    if isinstance(op, ChooseOp):
        return reads(op, text, words)
    return isinstance(op, MenuOp) and any(words.label(option.label, text) for option in op.tree.menu.options)


def _ahead(m: Machine, seat: int) -> Clause:
    """The look-ahead that removes an action: the condition that could not come true any more."""
    op, frame = m.asking()
    target, _ = lookahead.counting(m, op.actions(m, frame, seat), seat)
    assert target is not None
    frame = m.frames[target[0] - 1]
    words = "after it this could not come true any more"
    for s in statements(frame.code.proc.body):
        if isinstance(s, SoThatStmt) and s.slot == target[1]:
            return Clause("look-ahead", words, s.cites or frame.code.proc.cites, s.args[0].span)
    return Clause("look-ahead", words, frame.code.proc.cites, frame.code.proc.span)


# ---------------------------------------------------------------- several
# How many of several things are chosen, and which of them are taken already: what the options alone do not
# show.
@dataclass(frozen=True)
class SeveralChosen:
    """The least and the most that may be chosen (`None`: as many as there are), and the words of those taken
    so far.
    """

    least: int
    most: int | None
    taken: tuple[str, ...]


def several(state: StateView, seat: int) -> SeveralChosen | None:
    """Return how many things a seat that must act chooses.

    `None` if it chooses one thing, or if the number cannot be worked out.
    """
    m = state._m
    op = m.waiting
    if not isinstance(op, SetOp) or seat not in state.pending_seats():
        return None
    frame = m.frames[-1]
    m.refuel()
    try:
        offer = op.offer(m, frame.L)
        taken = tuple(op.game.show(offer.source[index], op.base, m) for index in frame.L[op.picked] or ())
    except Fault:
        return None
    finally:
        m.refuel()
    return SeveralChosen(offer.low, None if op.high_run is None else offer.high, taken)
