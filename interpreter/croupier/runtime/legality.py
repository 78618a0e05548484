"""Reasons why an action is not offered: the clauses that forbid it, each with its span, its rules and its
words.

An action, or a thing of the game, is named as people write it. The text is looked for among the candidates of
the decision, offered or not; what is called so is put to each condition of its source. Then it is read
(`readings.py`) as the words of a source with other values, as a reaction, as a thing of the game, and as an
option of another decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from croupier.kernel import types as t
from croupier.kernel.tree import Choice, ChooseStmt, MenuStmt, SoThatStmt, TextExpr, TypedExpr, text_template
from croupier.records import dataclass
from croupier.runtime import lookahead
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import Candidate, ChoiceSource, OptionSource, ReactionSource, ValueSource
from croupier.runtime.clauses import Clause, Condition, WhyNot
from croupier.runtime.faults import Fault, Redacted
from croupier.runtime.game import Value
from croupier.runtime.hooks import HookCode, hooks_of
from croupier.runtime.machine import Locals, Machine
from croupier.runtime.option_matching import folded, forms, meant
from croupier.runtime.readings import LabelValues, NamedThing, Reader, takes
from croupier.runtime.reasons import Reasons, RecordParts, zone_words
from croupier.runtime.sets import SetOp
from croupier.runtime.state_view import StateView
from croupier.runtime.visibility import sees_component
from croupier.semantics.procedures import Proc
from croupier.semantics.walk import bodies, statements
from croupier.text import Rename, Seat, Text, join, listed

MOST_NAMED = 6  # options that a reason names
MOST_DECISIONS = 3  # that a clause names
NOT_OFFERED = "the option is not offered"
NOT_USED = "it cannot be used here"
NOT_SEEN = "it cannot be used here: you do not see where it is"
NOT_SAID = "it may not be said"
NEVER_TAKEN = "no decision of the rules takes it"
MUST = "something must be chosen"


# ---------------------------------------------------------------- why
# Why a seat may not do something now.
def why_not(state: StateView, seat: int, text: str, rename: Rename = str) -> WhyNot:
    """Return why a seat may not do what a text says; `rename` gives a text with the names of the players.

    There are no clauses for what is offered. A condition that cannot be worked out is a clause of its own.
    """
    m = state._m
    if state.is_terminal():
        return WhyNot(False, (Clause("turn", "the game is over"),))
    asked, _ = m.asking()
    if state.is_chance_node():
        return WhyNot(False, (Clause("turn", "something happens by chance first", span=asked.span),))
    pending = state.pending_seats()
    if seat not in pending:
        if not state.is_open_to(seat):  # who acts is hidden
            return WhyNot(False, (Clause("turn", "it is not for you to decide now"),))
        acting = Text.of(join(" and ", map(Seat, pending)), " must act now")
        return WhyNot(False, (Clause("turn", acting, tuple(asked.cites), asked.span),))
    assert isinstance(asked, AskOp)
    m.refuel()
    try:
        return Wanted(state, asked, seat, Reader(m, seat, folded(text), rename)).why_not()
    except Fault as fault:
        wrong = fault.diagnostic
        return WhyNot(True, (Clause("fault", wrong.message, (), wrong.span),))
    finally:
        m.refuel()


def could_read(m: Machine, text: str, rename: Rename = str) -> bool:
    """Return whether anything that the decision is about, offered or not, could read like this. `text` is
    folded.
    """
    op, reader = m.waiting, Reader(m, None, text, rename)
    if not isinstance(op, AskOp):
        return False
    return text == folded(op.declining) or any(reads(source, reader) for source in op.sources)


def reads(source: ValueSource, reader: Reader) -> bool:
    """Return whether anything that a source is about could read like the text."""
    if reader.is_label(_label_of(source)):
        return True
    if isinstance(source, OptionSource):
        return reader.text == folded(source.raw)
    return reader.is_value(source.kinds[0])


def _label_of(source: ValueSource) -> TypedExpr:
    return source.tree.words if isinstance(source.tree, Choice) else source.tree.label


def _ahead(m: Machine, seat: int) -> Clause:
    """The look-ahead that removes an action: the condition that could not come true any more."""
    op, frame = m.asking()
    target, _ = lookahead.counting(m, op.actions(m, frame, seat), seat)
    assert target is not None
    frame = m.frames[target[0] - 1]
    later = "could not come true any more"
    for s in statements(frame.code.proc.body):
        if isinstance(s, SoThatStmt) and s.slot == target[1]:
            reasons = Reasons(m, seat)
            goal = reasons.said(s.args[0], reasons.scope(frame.code.proc, frame.L))
            words = Text.of("after it “", goal, "” ", later)
            return Clause("look-ahead", words, s.cites or frame.code.proc.cites, s.args[0].span)
    return Clause("look-ahead", f"after it this {later}", frame.code.proc.cites, frame.code.proc.span)


# ---------------------------------------------------------------- one decision
class Wanted:
    """What a seat wants to do at a decision, in its words."""

    def __init__(self, state: StateView, op: AskOp, seat: int, reader: Reader) -> None:
        self.state, self.op, self.m, self.seat = state, op, state._m, seat
        self.reader, self.text = reader, reader.text
        self.frame = op.asked.frame(self.m.frames[-1], seat)
        self.reasons = Reasons(self.m, seat)
        self.candidates = op.candidates(self.m, self.m.frames[-1], seat)

    def why_not(self) -> WhyNot:
        """Return why it is not offered. Without clauses it is on offer, under the label.

        Raises `Fault` where a condition of what is called so faults.
        """
        return (
            self._on_offer(self.text, self.reader.rename)
            or self._of_called()
            or self._of_nothing()
            or self._of_values()
            or self._of_reactions()
            or self._of_things()
            or self._of_unknown()
        )

    @property
    def _choice(self) -> ChoiceSource | None:
        """What a `choose` is from; `None` of options and reactions."""
        source = self.op.sources[0] if self.op.sources else None
        return source if isinstance(source, ChoiceSource) else None

    @property
    def _offered(self) -> list[Candidate]:
        """What is on offer."""
        return sorted((c for c in self.candidates if c.failed is None), key=lambda c: c.action)

    def _words(self, c: Candidate) -> Text:
        return Text.of(c.words(self.m, self.frame))

    # ------------------------------------------------------------ candidates that are called so
    def _on_offer(self, text: str, rename: Rename = str) -> WhyNot | None:
        """The option that reads like a text, which is folded; a look-ahead may remove it."""
        for action in (c.action for c in self._offered):
            label = self.state.action_to_string(self.seat, action)
            if text in forms(label, rename):
                is_legal = action in self.state.legal_actions(self.seat)
                return WhyNot(True, () if is_legal else (_ahead(self.m, self.seat),), label)
        return None

    def _of_called(self) -> WhyNot | None:
        """The option that is called so by its mere words, or is alike; else the clauses that forbid the first
        candidate called so that the seat sees.
        """
        called: list[tuple[Candidate, ValueSource, str]] = []
        for c in self.candidates:
            if isinstance(c.source, ValueSource) and (label := self._label(c, c.source)) is not None:
                called.append((c, c.source, label))
        for c, _, label in called:
            if c.failed is None:
                return self._on_offer(folded(label)) or WhyNot(True, (), label)
        for c, source, label in called:
            # that it is there at all may be hidden
            if all(self.reasons.sees(v, kind) for v, kind in zip(c.values, source.kinds, strict=True)):
                return WhyNot(True, tuple(self._clauses(c, source)), label)
        return None

    def _label(self, c: Candidate, source: ValueSource) -> str | None:
        """The label of a candidate that is called so, by that or by the plain words of what is chosen; else
        `None`. What is not offered need have no label.
        """
        rename, called = self.reader.rename, set[str]()
        plain: str | None = None
        if isinstance(source, ChoiceSource):
            (value,), (kind,), show = c.values, source.kinds, self.m.game.show
            plain = show(value, kind, labelled=True)
            called = {folded(show(value, kind)), *forms(plain, rename)}
            with suppress(Fault):  # a component may be called otherwise than at the start
                called |= forms(show(value, kind, self.m), rename)
        self.m.refuel()
        try:
            label = c.words(self.m, self.frame)
        except Fault:
            if plain is None:
                return None
            label = plain
        return label if self.text in called | forms(label, rename) else None

    def _clauses(self, c: Candidate, source: ValueSource) -> list[Clause]:
        """The clauses that a candidate of a source fails."""
        assert c.failed is not None
        if c.failed.kind in [condition.clause.kind for condition in source.conditions]:
            return self._unmet(source, source.locals_of(self.frame, c.values))
        if c.failed.kind == "such that" and isinstance(self.op, SetOp):
            such_that = self.op.items.tree.such_that
            assert such_that is not None
            whole = self.reasons.said(such_that, self.reasons.scope(self.frame.code.proc, self.frame.L))
            words = Text.of("what may be chosen with it is never such that “", whole, "”")
            return [replace(c.failed, words=words)]
        return [c.failed]

    def _unmet(self, source: ValueSource, L: Locals) -> list[Clause]:
        """The conditions that what lies in the locals does not meet, those with words of the author's first.

        Those that read what the seat does not see are told of only if nothing else stops the candidate: then
        it must be one of them. Raises `Fault` where the first of them faults.
        """
        scope = self.reasons.scope(self.frame.code.proc, L, source.slots)
        unworded = [self.reasons.failed(c, scope) for c in source.conditions if not c.clause.words]
        others = [clause for clause in unworded if clause is not None]
        found: list[Clause] = []
        hidden: list[int] = []
        for at, c in enumerate(source.conditions):
            if not c.clause.words:
                continue
            try:
                if not self.reasons.value(c.tree, scope):
                    found.append(source.failed(self.m, L[:], at) or c.clause)
            except Redacted:
                hidden.append(at)
            except Fault:
                if not found and not others:
                    raise
                break  # it may count on what does not hold
        if found or others or not hidden:
            return found + others
        clauses = [source.conditions[at].clause for at in hidden]
        only = source.failed(self.m, L[:], hidden[0]) if len(hidden) == 1 else None
        return clauses if only is None else [only]

    # ------------------------------------------------------------ nothing, or nothing more
    def _of_nothing(self) -> WhyNot | None:
        """Why nothing, or nothing more, may be chosen."""
        op, source = self.op, self._choice
        if source is None or self.text not in ("no", "done", folded(op.declining)):
            return None
        if not op.declines(self.frame, 0):
            return WhyNot(True, (self._must(source),), self.text)
        if self.text == "no":
            return self._on_offer(folded(op.declining)) or WhyNot(True, (), op.declining)
        words = Text.of("there is nothing to end: “", op.declining, "” chooses nothing")
        return WhyNot(True, (Clause("how many", words, source.rules, op.span),), self.text)

    def _must(self, source: ChoiceSource) -> Clause:
        """Why something, or more, must be chosen."""
        op, cites, such_that = self.op, source.rules, source.tree.such_that
        if isinstance(op, SetOp) and such_that is not None:
            offer, taken = op.offer(self.m, self.frame.L), self.frame.L[op.picked] or ()
            if len(taken) >= offer.low:
                whole = op.several.whole
                scope = self.reasons.scope(self.frame.code.proc, self.frame.L, (whole,))
                scope.L[whole] = tuple(offer.source[i] for i in taken)
                must = Condition(such_that, Clause("such that", "", cites))
                unmet = self.reasons.failed(must, scope)
                return unmet or Clause("such that", MUST, cites, such_that.span)
        return Clause("how many", MUST, cites, op.span)

    # ------------------------------------------------------------ words with other values
    def _of_values(self) -> WhyNot | None:
        """The clause that stops the values that the text gives, read as the words of a source."""
        for source in self.op.sources:
            for given in self._given(source):
                clause = self._stopped(source, given)
                if clause is not None:
                    return WhyNot(True, (clause,))
        read = [s for s in self.op.sources if isinstance(s, OptionSource) and reads(s, self.reader)]
        return WhyNot(True, (self._of_other_values(read),)) if read else None

    def _stopped(self, source: ValueSource, given: Mapping[int, Value]) -> Clause | None:
        """The clause that stops some values before a source offers them; `None` if nothing does."""
        scope = self.reasons.scope(self.frame.code.proc, self.frame.L, source.slots, source.rules)
        return self.reasons.farthest(scope, source.slots, source.walked, source.conditions, given)

    def _given(self, source: ValueSource) -> list[dict[int, Value]]:
        """What the text gives for the locals of a source, whether it walks that or not; of an option that is
        called so with no values nothing, which any values may stand for.
        """
        label = _label_of(source)
        read = self.reader.values_in(label)
        if isinstance(source, ChoiceSource) and label is not source.tree.label:
            # the value may also be meant without the words in front of it
            read += self.reader.values_in(TextExpr(label.type, label.span, label.args, parts=(None,)))
        found = [given for values in read if (given := self._by_slot(source, values))]
        is_called_so = isinstance(source, OptionSource) and reads(source, self.reader)
        return found or ([{}] if is_called_so else [])

    def _by_slot(self, source: ValueSource, values: LabelValues) -> dict[int, Value]:
        """The values in a label by the locals that take them; of records the fields that are known."""
        found: dict[int, Value] = {}
        for slot, kind in zip(source.slots, source.kinds, strict=True):
            if isinstance(kind, t.Record):
                names = list(self.m.game.program.records[kind.name].fields)
                parts = {names.index(n): v for (at, n), v in values.items() if at == slot and n is not None}
                if parts:
                    found[slot] = RecordParts(parts)
            elif (slot, None) in values:
                found[slot] = values[slot, None]
        return found

    def _of_other_values(self, read: Sequence[OptionSource]) -> Clause:
        """The clause for the words of options that are called so with other values than they have here."""
        words: str = NOT_SAID if read[0].is_claim else NOT_OFFERED
        offered = next((c for c in self._offered if c.source in read), None)
        if offered is not None and not read[0].is_claim:
            words = Text.of("here that option is “", self._words(offered), "”")
        return Clause(read[0].kind, words, read[0].rules, read[0].tree.span)

    # ------------------------------------------------------------ reactions, things
    def _of_reactions(self) -> WhyNot | None:
        """The first reason for each reaction that is called so."""
        reactions = self.op.reactions
        found = [] if reactions is None else self._of_hooks(reactions)
        return WhyNot(True, tuple(found)) if found else None

    def _of_hooks(self, reactions: ReactionSource) -> list[Clause]:
        """The same; of a component that the seat cannot see only that it cannot be used.

        Such a component is called all that it may be called: what it is called now may be hidden from the
        seat.
        """
        m, seat, text, found = self.m, self.seat, self.text, list[Clause]()
        args, used = reactions.args(m, self.frame), self.op.used_in(self.frame)
        for hook_code in hooks_of(m).by_target.get(reactions.window, {}).get("reaction", ()):
            for i, component in enumerate(hook_code.components or (None,)):
                is_named = component is not None and text in self.reader.called(component)
                if is_named or self.reader.is_label(hook_code.hook.label):
                    found.append(_of_hook(hook_code, component, m, args, seat, hook_code.first + i in used))
        return list(dict.fromkeys(found))

    def _of_things(self) -> WhyNot | None:
        """Why the decision does not take the things that the text names, or whose option it is; `None` if the
        rules know nothing of it, or it is called like an option of this decision.
        """
        is_read = any(reads(source, self.reader) for source in self.op.sources)
        things, stopped = self.reader.things(), list[tuple[NamedThing, Clause]]()
        for thing in things:
            is_taken, clause = self._takes(thing)
            if clause is not None:
                stopped.append((thing, clause))
            elif is_taken:  # it is in an option: the options say which
                return None if is_read else WhyNot(False, reads=False)
        if stopped:
            thing, clause = min(stopped, key=lambda one: one[1].kind == "source")
            return WhyNot(True, (clause,), thing.label, reads=is_read)
        return None if is_read else self._of_others(things)

    def _of_others(self, things: Sequence[NamedThing]) -> WhyNot | None:
        """What another decision takes: an option that is called so, or the things."""
        labels = [self._words(c) for c in self._offered]
        # by the beginnings of the words of an option
        is_begun = bool(meant(self.text, labels, self.reader.rename).options)
        other = None if is_begun and things else self._elsewhere(things)
        if other is None and is_begun:
            return WhyNot(False, reads=False)
        if other is None and things:
            other = Clause("elsewhere", NEVER_TAKEN, _cited_where_it_lies(self.reader, things[0]))
        if other is None:
            return None
        return WhyNot(True, (other,), things[0].label if things else None, reads=False)

    def _takes(self, thing: NamedThing) -> tuple[bool, Clause | None]:
        """Return whether the decision is about such things, and what stops this one in each source."""
        clauses = [
            self._stopped(source, {slot: value})
            for source in self.op.sources
            for slot, kind in zip(source.slots, source.kinds, strict=True)
            if (value := self._as_value(kind, thing)) is not None
        ]
        stopped = [clause for clause in clauses if clause is not None]
        if not clauses or len(stopped) < len(clauses):
            return bool(clauses), None
        return True, min(stopped, key=lambda clause: clause.kind == "source")

    def _as_value(self, kind: t.Type, thing: NamedThing) -> Value:
        """A thing as a value of a type, of a record the first field of its type; `None` if it is none."""
        if isinstance(kind, t.Record):
            fields = list(self.m.game.program.records[kind.name].fields.values())
            at = next((i for i, field in enumerate(fields) if takes(field, thing.kind)), None)
            return None if at is None else RecordParts({at: thing.value})
        return thing.value if takes(kind, thing.kind) and not isinstance(kind, t.Collection) else None

    def _elsewhere(self, things: Sequence[NamedThing]) -> Clause | None:
        """The clause for what another decision takes: an option that is called so, or those that take one of
        the things; `None` if none does.
        """
        of_text: list[Offer] = []
        of_things: dict[str, Offer] = {}
        own = {s.tree.span if isinstance(s, OptionSource) else s.span for s in self.op.sources}
        for offer in offers(self.m):
            if offer.clause.span in own:
                continue
            if self.text in forms(offer.words) or self.reader.is_label(offer.label):
                of_text.append(offer)
            elif any(takes(kind, thing.kind) for kind in offer.kinds for thing in things):
                of_things.setdefault(offer.words, offer)
        if of_text:
            first = of_text[0]
            told = _of_another(self.m, first)
            return Clause("elsewhere", told, first.clause.rules, first.clause.span)
        if not of_things:
            return None
        named = list(of_things.values())[:MOST_DECISIONS]
        rules = tuple(dict.fromkeys(rule for offer in named for rule in offer.clause.rules))
        quoted = listed(Text.of("“", offer.words, "”") for offer in named)
        verb = " does" if len(of_things) == 1 else " do"
        more = ", among others" if len(of_things) > MOST_DECISIONS else ""
        told = Text.of("this decision does not take it; ", quoted, verb, more)
        return Clause("elsewhere", told, rules, named[0].clause.span)

    # ------------------------------------------------------------ what is not found
    def _of_unknown(self) -> WhyNot:
        source = self._choice
        if source is not None:
            is_read = reads(source, self.reader)
            among = Text.of("nothing is called so now: " if is_read else "", self._among())
            clause = Clause("source", among, source.rules, source.walked[0].span)
            return WhyNot(is_read, (clause,))
        return WhyNot(False, () if self.op.reactions is None else (Clause("reaction", NOT_USED),))

    def _among(self) -> str:
        """What there is to choose from, in the words of the options."""
        found = list(dict.fromkeys(self._words(c) for c in self._offered if c.source is not self.op.refusal))
        if not found:
            return "there is nothing to choose from"
        if len(found) > MOST_NAMED:
            found = [*found[: MOST_NAMED - 1], Text.of(f"{len(found) - MOST_NAMED + 1} more")]
        return Text.of(
            "there is only " if len(found) == 1 else "there are only ", listed(found), " to choose from"
        )


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
    guard = Condition(h.guard, Clause("reaction", "", h.cites))
    unmet = reasons.failed(guard, reasons.scope(h.proc, L, own))
    return unmet or Clause("reaction", NOT_USED, h.cites, h.guard.span)


# ---------------------------------------------------------------- other decisions
@dataclass(frozen=True)
class Offer:
    """An option of the rules: its words, what it is chosen among, its place and the rules that it cites."""

    words: str
    kinds: tuple[t.Type, ...]
    clause: Clause
    label: TypedExpr | None
    proc: Proc | None = None


def offers(m: Machine) -> Iterator[Offer]:
    """Yield every option that the rules may offer to a player, decision by decision."""
    program = m.game.program
    for proc, s in bodies(program):
        cites = s.cites or proc.cites
        if isinstance(s, ChooseStmt) and s.choice.chooser != "chance":
            c = s.choice
            words = f"choose {c.name}" if c.label is None else text_template(c.label, "…")
            label = None if c.label is None else c.words
            yield Offer(words, _parts(m, c.base), Clause("", words, cites, s.span), label, proc)
            if c.decline:
                yield Offer(c.decline, (), Clause("", c.decline, cites, s.span), None, proc)
        elif isinstance(s, MenuStmt):
            for o in s.menu.options:
                words = text_template(o.label, "…")
                kinds = tuple(x.type.base for x in o.sources if isinstance(x.type, t.Collection))
                yield Offer(words, kinds, Clause("", words, o.cites or cites, o.span), o.label, proc)
    for hook in program.hooks:
        if hook.kind == "reaction" and hook.label is not None:
            words = text_template(hook.label, "…")
            own = () if hook.component is None else (t.Component(frozenset((hook.component[0],))),)
            yield Offer(words, own, Clause("reaction", words, hook.cites, hook.proc.span), hook.label)


def _parts(m: Machine, kind: t.Type) -> tuple[t.Type, ...]:
    """The types of what is chosen with a value: its fields, if it is a record."""
    return tuple(m.game.program.records[kind.name].fields.values()) if isinstance(kind, t.Record) else (kind,)


def _of_another(m: Machine, offer: Offer) -> Text:
    """An option of another decision in words."""
    if offer.clause.kind == "reaction":
        return Text.of("that is a reaction to something that does not happen now")
    proc, program = offer.proc, m.game.program
    powers = [hook.component for hook in program.hooks if hook.proc is proc and hook.component]
    if powers:
        component = next(iter(m.game.components_of(*powers[0])), None)
        whose = f"the power of {powers[0][0] if component is None else m.game.components[component].label}"
    elif proc is None or proc.kind not in ("phase", "def"):
        whose = "another decision"
    else:
        whose = f"the phase “{proc.name}”" if proc.kind == "phase" else f"`{proc.name}`"
    return Text.of(f"that is an option of {whose}, which is not asked now")


def _cited_where_it_lies(reader: Reader, thing: NamedThing) -> tuple[str, ...]:
    """What the declaration of the zone cites in which the seat sees a component."""
    m = reader.m
    is_seen = isinstance(thing.kind, t.Component) and reader.sees(thing.value)
    return m.game.program.zones[m.game.zones[m.where[thing.value]].family].cites if is_seen else ()


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
        offer, kind = op.offer(m, frame.L), op.items.kinds[0]
        taken = tuple(m.game.show(offer.source[index], kind, m) for index in frame.L[op.picked] or ())
    except Fault:
        return None
    finally:
        m.refuel()
    return SeveralChosen(offer.low, None if op.several.high is None else offer.high, taken)
