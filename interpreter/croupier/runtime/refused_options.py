"""Reasons why a decision does not offer something, by its kind: a choice, a menu, a window, a claim.

What a text names is looked for among everything that the decision could offer, whether it does or not; what
is found is put to each clause of the decision. What is no option is looked for among the things of the game
(`named_things.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from croupier.kernel import types as t
from croupier.kernel.tree import MenuOption, Named
from croupier.runtime.choices import ChooseOp, EveryOp, OptionCondition
from croupier.runtime.clauses import Clause, WhyNot
from croupier.runtime.faults import Fault, Redacted
from croupier.runtime.game import Value
from croupier.runtime.hooks import HookCode, hooks_of
from croupier.runtime.label_matching import LabelMatcher
from croupier.runtime.machine import Frame, Locals, Machine
from croupier.runtime.menus import MenuEntry, MenuOp
from croupier.runtime.named_things import NamedThing, of_thing, spoken, takes
from croupier.runtime.option_matching import folded, forms
from croupier.runtime.reasons import Reasons, RecordParts, Scope, Test, zone_words
from croupier.runtime.sets import SetOp
from croupier.runtime.visibility import sees_component
from croupier.runtime.windows import WindowOp
from croupier.text import Text, listed

MOST_NAMED = 6  # options that a reason names
NOT_OFFERED = "the option is not offered"
NOT_USED = "it cannot be used here"
NOT_SEEN = "it cannot be used here: you do not see where it is"
NOT_SAID = "it may not be said"
MUST = "something must be chosen"


# ---------------------------------------------------------------- choosing
# Why a value may not be chosen: of one thing, or as part of several.
def of_choice(op: ChooseOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a choice does not offer something; `text` is folded.

    Without clauses it is on offer, under the label.
    """
    frame = m.frames[-1]
    frame = op.for_seat(frame, seat) if isinstance(op, EveryOp) else frame
    reasons, cites = Reasons(m, seat), tuple(op.cites)
    called = _called(op, m, frame, text, words)
    offered = op.actions(m, m.frames[-1], seat) if called else []
    for index, value, label in called:
        if _is_offered(op, m, frame, index, value, offered):  # one of several alike, or by its mere words
            return WhyNot(True, (), label)
    for index, value, label in called:
        if not reasons.sees(value, op.base):
            continue  # that it is there at all may be hidden
        found = _of_value(op, m, frame, reasons, value)
        if isinstance(op, SetOp):
            found = found or _of_set(op, m, frame, reasons, index, cites)
        elif not found and (op.merging or op.alike is not None):
            found.append(
                Clause("alike", "another one that is alike stands for it", cites, op.tree.choice.source.span)
            )
        return WhyNot(True, tuple(found), label)
    if text == "no" and op.declines(frame, 0):
        return WhyNot(True, (), op.decline)
    if text in ("no", "done", folded(op.decline)):
        return WhyNot(True, (_of_none(op, m, frame, reasons, cites),), text)
    for value in _meant_values(op, m, seat, text, words):
        clause = _of_candidate(op, frame, reasons, value)
        if clause is not None:
            return WhyNot(True, (clause,))
    is_read = reads(op, text, words)
    found_thing = of_thing(m, seat, text, words, lambda thing: _takes_thing(op, m, frame, reasons, thing))
    if found_thing is not None and not (is_read and found_thing.is_elsewhere):
        return replace(found_thing, reads=is_read)
    among = Text.of("nothing is called so now: " if is_read else "", _among(op, m, seat))
    return WhyNot(is_read, (Clause("source", among, cites, op.tree.choice.source.span),))


def _meant_values(op: ChooseOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> list[Value]:
    """The values that a text names which is the label of one, whether a choice is from them or not."""

    def say(kind: t.Type) -> Iterator[tuple[Value, str]]:
        return spoken(m, seat, words, kind)

    label, plain = op.tree.choice.label, text
    if op.label_fixed is not None:
        label, plain = None, text.removeprefix(f"{folded(op.label_fixed)}:").strip()
    if label is None:
        if isinstance(op.base, t.Int):
            return [int(plain)] if plain.isdecimal() else []
        return [value for value, name in say(op.base) if name == plain]
    found: list[Value] = []
    for values in words.values_in(label, text, say):
        if isinstance(op.base, t.Record):
            names = list(m.game.program.records[op.base.name].fields)
            parts = {names.index(name): v for (_, name), v in values.items() if name is not None}
            found += [RecordParts(parts)] if parts else []
        else:
            found += [value for (slot, name), value in values.items() if slot == op.item and name is None]
    return found


def _of_candidate(op: ChooseOp, frame: Frame, reasons: Reasons, value: Value) -> Clause | None:
    """The clause that stops a value before a choice offers it; `None` if nothing does."""
    cites, choice = tuple(op.cites), op.tree.choice
    scope = reasons.scope(frame.code.proc, frame.L, (op.item,))
    tests = [Test(c.value, "condition", c.cites or cites, c.text, c.span) for c in choice.conditions]
    if choice.where is not None:
        tests.insert(0, Test(choice.where, "where", cites))
    return reasons.farthest(scope, (op.item,), (choice.source,), tests, {op.item: value}, cites)


def _takes_thing(
    op: ChooseOp, m: Machine, frame: Frame, reasons: Reasons, thing: NamedThing
) -> tuple[bool, Clause | None]:
    """Return whether a choice is from such things, and what stops this one; of records it is the first field
    of its type.
    """
    value: Value = thing.value
    if isinstance(op.base, t.Record):
        fields = list(m.game.program.records[op.base.name].fields.values())
        at = next((i for i, kind in enumerate(fields) if takes(kind, thing.kind)), None)
        if at is None:
            return False, None
        value = RecordParts({at: value})
    elif not takes(op.base, thing.kind) or isinstance(op.base, t.Collection):
        return False, None
    return True, _of_candidate(op, frame, reasons, value)


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
        # a component may be called otherwise than at the start
        now, label = _words_now(op, m, value, shown), _label(op, m, frame, value, shown)
        called = {folded(name)} | {form for said in (shown, now, label) for form in forms(said, words.rename)}
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


def _words_now(op: ChooseOp, m: Machine, value: Value, shown: str) -> str:
    """Return what a value is called in this position; what cannot be worked out is called as at the start."""
    try:
        return op.game.show(value, op.base, m)
    except Fault:
        return shown


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


def _of_value(op: ChooseOp, m: Machine, frame: Frame, reasons: Reasons, value: Value) -> list[Clause]:
    """The named conditions, and the `where`, that a value does not meet.

    Raises `Fault` where what is asked first faults.
    """
    choice, cites, L = op.tree.choice, tuple(op.cites), frame.L[:]
    L[op.item] = value
    scope = reasons.scope(frame.code.proc, L, (op.item,))
    where = None
    if choice.where is not None:
        where = reasons.failed(Test(choice.where, "where", cites), scope)
    among = [] if where is None else [where]
    return _unmet(op.conditions, choice.conditions, m, reasons, scope, cites, bool(among)) + among


def _unmet(
    conditions: Sequence[OptionCondition],
    named: Sequence[Named],
    m: Machine,
    reasons: Reasons,
    scope: Scope,
    cites: tuple[str, ...],
    is_stopped: bool,
) -> list[Clause]:
    """The named conditions that do not hold.

    Those that read what the seat does not see are told of only if nothing else stops the option: then it must
    be one of them. Raises `Fault` where the first of them faults.
    """
    found: list[Clause] = []
    hidden: list[OptionCondition] = []
    for c, tree in zip(conditions, named, strict=True):
        try:
            if reasons.value(tree.value, scope):
                continue
            clause = _failing(c, m, scope.L[:], cites)
            found += [] if clause is None else [clause]
        except Redacted:
            hidden.append(c)
        except Fault:
            if not found and not is_stopped:
                raise
            break  # it may count on what does not hold
    if found or is_stopped or not hidden:
        return found
    if len(hidden) == 1:
        clause = _failing(hidden[0], m, scope.L[:], cites)
        return [] if clause is None else [clause]
    return [Clause(c.kind, c.text, c.cites or cites, c.span) for c in hidden]


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


def _of_set(
    op: SetOp, m: Machine, frame: Frame, reasons: Reasons, index: int, cites: tuple[str, ...]
) -> list[Clause]:
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
        whole = reasons.said(choice.such_that, reasons.scope(frame.code.proc, frame.L))
        words = Text.of("what may be chosen with it is never such that “", whole, "”")
        return [Clause("such that", words, cites, choice.such_that.span)]
    return [
        Clause(
            "how many",
            f"{offer.low} are chosen, in this order, and too few come after it: take others first, then it",
            cites,
            op.span,
        )
    ]


def _of_none(op: ChooseOp, m: Machine, frame: Frame, reasons: Reasons, cites: tuple[str, ...]) -> Clause:
    """Return why nothing, or nothing more, may be chosen."""
    if op.declines(frame, 0):
        words = Text.of("there is nothing to end: “", op.decline, "” chooses nothing")
        return Clause("how many", words, cites, op.span)
    if not isinstance(op, SetOp):
        return Clause("how many", MUST, cites, op.span)
    offer, taken, such_that = op.offer(m, frame.L), frame.L[op.picked] or (), op.tree.choice.such_that
    if len(taken) < offer.low or such_that is None:
        return Clause("how many", MUST, cites, op.span)
    scope = reasons.scope(frame.code.proc, frame.L, (op.whole,))
    scope.L[op.whole] = tuple(offer.source[i] for i in taken)
    unmet = reasons.failed(Test(such_that, "such that", cites), scope)
    return unmet or Clause("such that", MUST, cites, such_that.span)


# ---------------------------------------------------------------- menus
# Why an option of a menu, a reaction or a claim is not offered.
def of_menu(op: MenuOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a menu does not offer something; `text` is folded."""
    frame, reasons = m.frames[-1], Reasons(m, seat)
    options = op.tree.menu.options
    for e, option in zip(op.entries, options, strict=True):
        found = _of_label(op, m, frame, e, option, reasons, text, words)
        if found is not None:
            return found
    named = [
        i
        for i, (e, option) in enumerate(zip(op.entries, options, strict=True))
        if words.label(option.label, text) or text == folded(e.raw)
    ]
    say = partial(spoken, m, seat, words)
    for i in named:
        given = [
            {slot: value for (slot, name), value in values.items() if name is None}
            for values in words.values_in(options[i].label, text, say)
        ]
        for values in given or [{}]:
            clause = _of_option(op, frame, options[i], reasons, values)
            if clause is not None:
                return WhyNot(True, (clause,))
    if named:
        return WhyNot(True, (_of_other_values(op, m, frame, seat, named),))
    reacting = WhyNot(False)
    if op.window is not None:
        args = [f(m, frame.L) for f in op.window_args]
        reacting = of_reaction(op.window, m, args, op.chooser(m, frame), (), text, words)
    if reacting.known:
        return reacting
    return of_thing(m, seat, text, words, lambda one: _in_options(op, frame, reasons, one)) or reacting


def kind_of(option: MenuOption) -> str:
    """The kind of the clause that an option is not offered by its `if`."""
    return "claim" if option.claim else "option"


def _of_other_values(op: MenuOp, m: Machine, frame: Frame, seat: int, named: Sequence[int]) -> Clause:
    """The clause for the words of options that are called so with other values than they have here."""
    option = op.tree.menu.options[named[0]]
    cites = option.cites or tuple(op.cites)
    if option.claim:
        return Clause("claim", NOT_SAID, cites, option.span)
    wanted = [id(op.sources[i]) for i in named]
    for action in op.actions(m, frame, seat):
        if id(op.source_of(action)) in wanted:
            words = Text.of("here that option is “", op.describe(m, frame, seat, action), "”")
            return Clause("option", words, cites, option.span)
    return Clause("option", NOT_OFFERED, cites, option.span)


def _of_label(
    op: MenuOp,
    m: Machine,
    frame: Frame,
    e: MenuEntry,
    option: MenuOption,
    reasons: Reasons,
    text: str,
    words: LabelMatcher,
) -> WhyNot | None:
    """The clauses that forbid the combination of values with which an option is called so; `None` if it is
    called so with none.
    """
    cites, L = option.cites or tuple(op.cites), frame.L[:]
    for values, _ in op.combinations(m, L, e, 0, (), ()):
        for slot, v in zip(e.slots, values, strict=True):
            L[slot] = v
        label = e.label(m, L)
        if text not in forms(label, words.rename):
            continue
        if not all(reasons.sees(v, kind) for v, kind in zip(values, e.kinds, strict=True)):
            continue
        scope = reasons.scope(frame.code.proc, L, option.slots)
        hiding = None
        if option.condition is not None:
            hiding = reasons.failed(Test(option.condition, kind_of(option), cites), scope)
        ifs = [] if hiding is None else [hiding]
        named = [c for c in e.conditions if c.kind != "option"]
        unmet = _unmet(named, option.conditions, m, reasons, scope, cites, bool(ifs))
        return WhyNot(True, (*unmet, *ifs), label)
    return None


def _of_option(
    op: MenuOp, frame: Frame, option: MenuOption, reasons: Reasons, given: Mapping[int, Value]
) -> Clause | None:
    """The clause that stops an option with some values before it is offered; `None` if nothing does."""
    cites = option.cites or tuple(op.cites)
    tests = [Test(c.value, "condition", c.cites or cites, c.text, c.span) for c in option.conditions]
    if option.condition is not None:
        tests.insert(0, Test(option.condition, kind_of(option), cites))
    scope = reasons.scope(frame.code.proc, frame.L, option.slots)
    return reasons.farthest(scope, option.slots, option.sources, tests, given, cites)


def _in_options(op: MenuOp, frame: Frame, reasons: Reasons, thing: NamedThing) -> tuple[bool, Clause | None]:
    """Return whether an option of a menu is for such things, and what stops this one in each."""
    clauses: list[Clause | None] = []
    for option in op.tree.menu.options:
        for slot, source in zip(option.slots, option.sources, strict=True):
            if isinstance(source.type, t.Collection) and takes(source.type.base, thing.kind):
                clauses.append(_of_option(op, frame, option, reasons, {slot: thing.value}))
    if not clauses or None in clauses:
        return bool(clauses), None
    later = [clause for clause in clauses if clause is not None and clause.kind != "source"]
    return True, (later or clauses)[0]


def of_window(op: WindowOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> WhyNot:
    """Return why a window does not offer a reaction."""
    frame = m.frames[-1]
    found = of_reaction(op.window, m, frame.L[: op.params], seat, frame.L[op.used], text, words)
    if found.known:
        return found
    return of_thing(m, seat, text, words, lambda thing: (False, None)) or found


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
    for hook_code in hooks.by_target.get(window, {}).get("reaction", ()):
        for i, component in enumerate(hook_code.components or (None,)):
            named = component is not None and text in words.names(m, component, seat)
            if not (named or words.label(hook_code.hook.label, text)):
                continue
            known = True
            clause = _of_hook(hook_code, component, m, args, seat, hook_code.first + i in used)
            if clause not in found:
                found.append(clause)
    return WhyNot(known, tuple(found) or (Clause("reaction", NOT_USED),))


def _of_hook(
    hook_code: HookCode, component: int | None, m: Machine, args: list[Value], seat: int, used: bool
) -> Clause:
    """The first reason why a reaction is not offered to a seat.

    Nothing is said that a seat could not know about a component of others.
    """
    h = hook_code.hook
    not_used = Clause("reaction", NOT_USED, h.cites, h.proc.span)
    if used:
        return Clause("reaction", "it was used already", h.cites, h.proc.span)
    here: Value = None
    if component is not None:
        z = m.where[component]
        if z < 0 or not sees_component(m, component, seat):
            return Clause("reaction", NOT_SEEN, h.cites, h.proc.span)
        zone = m.game.zones[z]
        if (zone.owner is not None and zone.owner != seat) or not (hook_code.live_anywhere or zone.live):
            words = Text.of("it lies in ", zone_words(m, z), ", where you cannot use it")
            return Clause("reaction", words, h.cites, h.proc.span)
        here = zone.key
    L = hook_code.locals(component, None, here, args)
    if h.owner_slot is not None:
        L[h.owner_slot] = seat
    pattern = {a.param: a.fixed for a in h.args if a.fixed is not None}
    for param, fixed in hook_code.fixed:
        if fixed(m, L) != args[param]:
            return Clause("reaction", "it is for something else", h.cites, pattern[param].span)
    if h.guard is None:
        return not_used
    reasons = Reasons(m, seat)
    own = () if h.self_slot is None else (h.self_slot,)
    unmet = reasons.failed(Test(h.guard, "reaction", h.cites), reasons.scope(h.proc, L, own))
    return unmet or Clause("reaction", NOT_USED, h.cites, h.guard.span)
