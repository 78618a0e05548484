"""Reasons why a decision does not offer what a text names.

The text is looked for among the candidates of the decision, offered or not; what is called so is put to each
clause of its source. Then it is read as the words of a source with other values, as a reaction, and as a
thing of the game (`named_things.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from croupier.kernel import types as t
from croupier.runtime.asking import AskOp
from croupier.runtime.candidates import (
    Candidate,
    ChoiceSource,
    OptionSource,
    ReactionSource,
    ValueSource,
)
from croupier.runtime.clauses import CONDITIONS, Clause, Condition, WhyNot
from croupier.runtime.faults import Fault, Redacted
from croupier.runtime.game import Value
from croupier.runtime.hooks import HookCode, hooks_of
from croupier.runtime.label_matching import LabelMatcher, LabelValues
from croupier.runtime.machine import Locals, Machine
from croupier.runtime.named_things import NamedThing, of_thing, spoken, takes
from croupier.runtime.option_matching import folded, forms
from croupier.runtime.reasons import Reasons, RecordParts, zone_words
from croupier.runtime.sets import SetOp
from croupier.runtime.visibility import sees_component
from croupier.text import Text, listed

MOST_NAMED = 6  # options that a reason names
NOT_OFFERED = "the option is not offered"
NOT_USED = "it cannot be used here"
NOT_SEEN = "it cannot be used here: you do not see where it is"
NOT_SAID = "it may not be said"
MUST = "something must be chosen"


def reads(source: ValueSource, text: str, words: LabelMatcher) -> bool:
    """Return whether anything that a source is about could read like a text, which is folded."""
    if isinstance(source, OptionSource):
        return words.label(source.tree.label, text) or text == folded(source.raw)
    assert isinstance(source, ChoiceSource)
    kind = source.kinds[0]
    return words.value(kind, text) or words.label(source.tree.words, text)


class Wanted:
    """What a seat wants to do at a decision, in its words; `text` is folded."""

    def __init__(self, op: AskOp, m: Machine, seat: int, text: str, words: LabelMatcher) -> None:
        self.op, self.m, self.seat, self.text, self.words = op, m, seat, text, words
        self.frame = op.asked.frame(m.frames[-1], seat)
        self.reasons = Reasons(m, seat)
        self.candidates = op.candidates(m, m.frames[-1], seat, failed=True)

    def why_not(self) -> WhyNot:
        """Return why it is not offered. Without clauses it is on offer, under the label.

        Raises `Fault` where a condition of what is called so faults.
        """
        return (
            self._of_called()
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
        """What is on offer, but for choosing nothing."""
        found = [c for c in self.candidates if c.failed is None and c.source is not self.op.refusal]
        return sorted(found, key=lambda c: c.action)

    # ------------------------------------------------------------ candidates that are called so
    def _of_called(self) -> WhyNot | None:
        """The clauses that forbid the candidate that is called so: one that is offered, else the first one
        that the seat sees.
        """
        called: list[tuple[Candidate, ValueSource, str]] = []
        for c in self.candidates:
            if isinstance(c.source, ValueSource) and (label := self._label(c, c.source)) is not None:
                called.append((c, c.source, label))
        for c, _, label in called:
            if c.failed is None:  # one of several alike, or by its mere words
                return WhyNot(True, (), label)
        for c, source, label in called:
            # that it is there at all may be hidden
            if all(self.reasons.sees(v, kind) for v, kind in zip(c.values, source.kinds, strict=True)):
                return WhyNot(True, tuple(self._clauses(c, source)), label)
        return None

    def _label(self, c: Candidate, source: ValueSource) -> str | None:
        """The label of a candidate that is called so, by that or by the plain words of what is chosen; else
        `None`. What is not offered need have no label.
        """
        called: set[str] = set()
        plain: str | None = None
        if isinstance(source, ChoiceSource):
            (value,), (kind,), show = c.values, source.kinds, self.m.game.show
            plain = show(value, kind, labelled=True)
            # a component may be called otherwise than at the start
            called = {
                folded(show(value, kind)),
                *self._forms(plain),
                *self._forms(self._words_now(value, kind)),
            }
        self.m.refuel()
        try:
            label = c.words(self.m, self.frame)
        except Fault:
            if plain is None:
                return None
            label = plain
        return label if self.text in called | self._forms(label) else None

    def _forms(self, name: str) -> frozenset[str]:
        return forms(name, self.words.rename)

    def _words_now(self, value: Value, kind: t.Type) -> str:
        """What a value is called in this position; what cannot be worked out is called as at the start."""
        try:
            return self.m.game.show(value, kind, self.m)
        except Fault:
            return self.m.game.show(value, kind, labelled=True)

    def _clauses(self, c: Candidate, source: ValueSource) -> list[Clause]:
        """The clauses that a candidate of a source fails."""
        assert c.failed is not None
        if c.failed.kind in CONDITIONS:
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
            return WhyNot(True, (), op.declining)
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
        read = [s for s in self.op.sources if isinstance(s, OptionSource) and self._reads(s)]
        return WhyNot(True, (self._of_other_values(read),)) if read else None

    def _reads(self, source: ValueSource) -> bool:
        return reads(source, self.text, self.words)

    def _stopped(self, source: ValueSource, given: Mapping[int, Value]) -> Clause | None:
        """The clause that stops some values before a source offers them; `None` if nothing does."""
        scope = self.reasons.scope(self.frame.code.proc, self.frame.L, source.slots)
        return self.reasons.farthest(
            scope, source.slots, source.walked, source.conditions, given, source.rules
        )

    def _given(self, source: ValueSource) -> list[dict[int, Value]]:
        """What the text gives for the locals of a source, whether it walks that or not; of an option that is
        called so with no values nothing, which any values may stand for.
        """
        if isinstance(source, ChoiceSource) and not (source.tree.label and source.tree.label.args):
            return [{source.slots[0]: value} for value in self._plain_values(source)]
        is_option = isinstance(source, OptionSource)
        if is_option and not self._reads(source):
            return []
        assert source.tree.label is not None
        read = self.words.values_in(source.tree.label, self.text, self._say)
        found = [given for values in read if (given := self._by_slot(source, values))]
        return found or ([{}] if is_option else [])

    def _plain_values(self, source: ChoiceSource) -> list[Value]:
        """The values that the text names, behind words that are put in front of all."""
        kind, text = source.kinds[0], self.text
        if source.tree.label is not None:
            text = text.removeprefix(f"{folded(source.names[0])}:").strip()
        if isinstance(kind, t.Int):
            return [int(text)] if text.isdecimal() else []
        return [value for value, name in self._say(kind) if name == text]

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

    def _say(self, kind: t.Type) -> Iterator[tuple[Value, str]]:
        return spoken(self.m, self.seat, self.words, kind)

    def _of_other_values(self, read: Sequence[OptionSource]) -> Clause:
        """The clause for the words of options that are called so with other values than they have here."""
        words: str = NOT_SAID if read[0].is_claim else NOT_OFFERED
        offered = next((c for c in self._offered if c.source in read), None)
        if offered is not None and not read[0].is_claim:
            words = Text.of("here that option is “", offered.words(self.m, self.frame), "”")
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
                is_named = component is not None and text in self.words.names(m, component, seat)
                if is_named or self.words.label(hook_code.hook.label, text):
                    found.append(_of_hook(hook_code, component, m, args, seat, hook_code.first + i in used))
        return list(dict.fromkeys(found))

    def _of_things(self) -> WhyNot | None:
        """Why the decision does not take the things that the text names, or whose option it is."""
        found = of_thing(self.m, self.seat, self.text, self.words, self._takes)
        is_read = any(self._reads(source) for source in self.op.sources)
        if found is None or (is_read and found.is_elsewhere):
            return None
        return replace(found, reads=is_read)

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
        later = [clause for clause in stopped if clause.kind != "source"]
        return True, (later or stopped)[0]

    def _as_value(self, kind: t.Type, thing: NamedThing) -> Value:
        """A thing as a value of a type, of a record the first field of its type; `None` if it is none."""
        if isinstance(kind, t.Record):
            fields = list(self.m.game.program.records[kind.name].fields.values())
            at = next((i for i, field in enumerate(fields) if takes(field, thing.kind)), None)
            return None if at is None else RecordParts({at: thing.value})
        return thing.value if takes(kind, thing.kind) and not isinstance(kind, t.Collection) else None

    # ------------------------------------------------------------ what is not found
    def _of_unknown(self) -> WhyNot:
        source = self._choice
        if source is not None:
            is_read = self._reads(source)
            among = Text.of("nothing is called so now: " if is_read else "", self._among())
            clause = Clause("source", among, source.rules, source.walked[0].span)
            return WhyNot(is_read, (clause,))
        return WhyNot(False, () if self.op.reactions is None else (Clause("reaction", NOT_USED),))

    def _among(self) -> str:
        """What there is to choose from, in the words of the options."""
        found = list(dict.fromkeys(Text.of(c.words(self.m, self.frame)) for c in self._offered))
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
