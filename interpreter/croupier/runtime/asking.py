"""The reference evaluator, decisions: somebody is asked, and chooses a candidate of one of several sources.

A decision is composed of who is asked (one seat, several seats at once, chance), the sources of its
candidates (`candidates.py`), each with what happens then, and what happens if there are none. A `choose` has
one source, a menu one for each option, and the reactions of the window that it names. An optional choice puts
"no" before the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from croupier.diagnostics import JsonObject
from croupier.kernel.tree import AskStmt
from croupier.limits import MAX_OPTIONS
from croupier.runtime.candidates import (
    Candidate,
    ReactionSource,
    Refusal,
    Row,
    Source,
    ValueSource,
)
from croupier.runtime.disclosure import PLAIN, AnswerWords, DisclosedTo, Disclosure, Pick
from croupier.runtime.faults import Fault, LookaheadFailed, Redacted
from croupier.runtime.game import Game, Value
from croupier.runtime.machine import WAIT, Called, Frame, Machine, Op, Run, Setter, write_back
from croupier.runtime.telling import tell_no_choice, tell_outcome
from croupier.runtime.visibility import observed_by
from croupier.semantics.decision_sites import DecisionSite
from croupier.text import Text


class Asked(ABC):
    """Who is asked."""

    seats: str

    def frame(self, fr: Frame, seat: int) -> Frame:
        """The frame in which the question of a seat is read."""
        return fr

    @abstractmethod
    def ask(self, op: AskOp, m: Machine, fr: Frame) -> object:
        """Work out what is on offer, and wait, or go on where nothing is to be decided."""

    def take(self, op: AskOp, m: Machine, fr: Frame, seat: int, c: Candidate) -> None:
        """Go on with what was chosen."""
        op.go_on(m, fr, c)

    def disclosure(self, op: AskOp, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """What others learn of an answer."""
        return op.candidate(m, fr, seat, action).disclosure(m)


class AskOp(Op):
    """A decision: of a `choose` of one thing, or a menu."""

    tree: AskStmt

    def __init__(
        self,
        game: Game,
        asked: Asked,
        sources: tuple[ValueSource, ...],
        refusal: Refusal | None = None,
        reactions: ReactionSource | None = None,
    ) -> None:
        self.game, self.asked, self.sources = game, asked, sources
        self.refusal, self.reactions = refusal, reactions
        self.seats = asked.seats
        self.name: str | None = None  # of the variable that a `choose` sets
        self.wording = ""  # the words of the ruleset for what is chosen, with `…` for what is worked out
        self.other: Op | None = None  # where no option, or "no", goes on
        self.has_other = False
        self.back: list[Setter] = []  # of the arguments of a window that reactions may change
        at = 0 if refusal is None else 1
        for source in sources:
            source.first, at = at, at + source.size
        self.reactions_from = at
        if reactions is not None:
            reactions.first = at

    @property
    def declining(self) -> str:
        """The words for choosing nothing, or nothing more."""
        return "no" if self.refusal is None else self.refusal.text

    @property
    def site(self) -> DecisionSite:
        """The place of the decision in the rules, with the name that no other decision has."""
        assert self.point is not None
        return self.game.sites[self.proc, self.point]

    def question(self, m: Machine) -> str:
        if self.tree.origin is not None:
            return self.tree.as_written.op
        asks = "choose" if self.name is None else f"choose {self.name}"
        return asks + (f" as “{self.wording}”" if self.wording else "")

    # ------------------------------------------------------------ who knows what is on offer
    def is_open_to(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat can work out which options are on offer.

        It cannot if any value that decides it is hidden from the seat; nor with reactions: whether somebody
        has one is hidden. What a local holds counts as seen, except for components.
        """
        if self.reactions is not None:
            return False
        with observed_by(m, who):
            try:
                return all(source.is_open(m, fr.L[:]) for source in self.sources)
            except Redacted:
                return False
            except Fault:
                return True

    def is_asked_openly(self, m: Machine, fr: Frame, who: int) -> bool:
        """Return whether a seat knows that the decision is asked now.

        A mandatory choice is always asked; an optional one only if there is something to choose. A single
        outcome is no event of chance.
        """
        return (self.refusal is None and self.seats != "chance") or self.is_open_to(m, fr, who)

    # ------------------------------------------------------------ candidates
    def candidates(self, m: Machine, fr: Frame, seat: int) -> list[Candidate]:
        """Return all that a seat may choose, and what it may not, with the first clause that failed, in the
        order of the text.

        Raises `Fault` (R016) if they are too many, and where a condition faults.
        """
        found: list[Candidate] = [] if self.refusal is None else [Candidate(0, self.refusal)]
        frame = self.asked.frame(fr, seat)
        for source in self.sources:
            found += source.candidates(m, frame.L[:])
        return found + self.reacting(m, fr)

    def offered(self, m: Machine, fr: Frame, seat: int) -> Sequence[Row | Candidate]:
        """What a seat may choose, but for "no"."""
        frame = self.asked.frame(fr, seat)
        if len(self.sources) == 1 and self.reactions is None:
            return self.sources[0].options(m, frame.L[:])
        found: list[Row | Candidate] = []
        for source in self.sources:
            found += source.options(m, frame.L[:], MAX_OPTIONS - len(found))
        found += self.reacting(m, fr)
        return found

    def reacting(self, m: Machine, fr: Frame) -> list[Candidate]:
        """The reactions that the seat may use."""
        if self.reactions is None:
            return []
        args = self.reactions.args(m, fr)
        return self.reactions.candidates(m, args, self.chooser(m, fr), self.used_in(fr))

    def used_in(self, fr: Frame) -> tuple[int, ...]:
        """The reactions that were used already."""
        return ()

    def actions(self, m: Machine, fr: Frame, seat: int) -> list[int]:
        if m.offer is not None:
            return list(m.offer)
        found = [row[0] for row in self.offered(m, fr, seat)]
        return sorted(found if self.refusal is None else [0, *found])

    def by_action(self, found: Sequence[Row | Candidate]) -> dict[int, Row | Candidate]:
        """What is on offer besides "no", and that, by action, in their order."""
        if self.refusal is not None:
            found = [Candidate(0, self.refusal), *found]
        return {row[0]: row for row in sorted(found, key=itemgetter(0))}

    def source_of(self, action: int) -> Source:
        """The source that an action belongs to."""
        if action == 0 and self.refusal is not None:
            return self.refusal
        if self.reactions is not None and action >= self.reactions_from:
            return self.reactions
        return next(s for s in reversed(self.sources) if s.first <= action)

    def candidate(self, m: Machine, fr: Frame, seat: int, action: int) -> Candidate:
        """The candidate that a legal action stands for.

        What an action is in this position needs no looking if its number says it alone.
        """
        if m.offer is not None and action in m.offer:
            return Candidate(*m.offer[action])
        source = self.source_of(action)
        if isinstance(source, ReactionSource):
            return next(c for c in self.reacting(m, fr) if c.action == action)
        if not isinstance(source, ValueSource):
            return Candidate(0, source)
        L = self.asked.frame(fr, seat).L
        if source.is_alike:
            row = next((row for row in source.options(m, L[:]) if row[0] == action), None)
            if row is not None:
                return Candidate(*row)
        return source.at(m, L, action)

    # ------------------------------------------------------------ running
    def run(self, m: Machine, fr: Frame) -> object:
        m.burn(self.span)
        m.event_audience = fr.event_audience
        return self.asked.ask(self, m, fr)

    def resume(self, m: Machine, fr: Frame, seat: int, action: int) -> None:
        m.event_audience = fr.event_audience
        self.asked.take(self, m, fr, seat, self.candidate(m, fr, seat, action))

    def go_past(self, m: Machine, fr: Frame) -> None:
        """Nothing is on offer; of a seat that may refuse that is told."""
        if self.refusal is None and not self.has_other:
            # a dead end of a look-ahead; otherwise the game is stuck
            raise LookaheadFailed if m.search is not None else Fault("R007", self.span)
        is_told = m.recorder is not None and self.seats == "one"
        if self.refusal is not None and is_told:
            refused = Candidate(0, self.refusal)
            words, sentence = partial(refused.words, m, fr), partial(refused.sentence, m, fr)
            tell_no_choice(m, self, fr, self.chooser(m, fr), AnswerWords(words, sentence))
        fr.pc = self.other

    def go_on(self, m: Machine, fr: Frame, c: Candidate) -> None:
        """What was chosen happens."""
        c.source.take(m, fr, c, self.other, self.span)

    def returned(self, m: Machine, fr: Frame, value: Value) -> None:
        """A reaction has ended."""
        write_back(self.back, m, fr.L)
        fr.pc = self.next

    # ------------------------------------------------------------ one action
    def cited_by(self, action: int) -> tuple[str, ...]:
        return self.source_of(action).cites or self.cites

    def declines(self, fr: Frame, action: int) -> bool:
        """Return whether an action chooses nothing."""
        return self.refusal is not None and action == 0

    def describe(self, m: Machine, fr: Frame, seat: int, action: int) -> str:
        return self.candidate(m, fr, seat, action).words(m, self.asked.frame(fr, seat))

    def sentence(self, m: Machine, fr: Frame, seat: int, action: int) -> Text | None:
        return self.candidate(m, fr, seat, action).sentence(m, self.asked.frame(fr, seat))

    def named(self, m: Machine, fr: Frame, seat: int, action: int) -> Called | None:
        """Return the name of an action in the rules, the types of what it chooses, and its values."""
        return self.candidate(m, fr, seat, action).named(m, fr)

    def disclosure(self, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        return self.asked.disclosure(self, m, fr, seat, action)

    def struct(self, m: Machine, fr: Frame, seat: int, action: int) -> JsonObject:
        return self.candidate(m, fr, seat, action).struct(m, fr)

    # ------------------------------------------------------------ who is asked
    def chooser(self, m: Machine, fr: Frame) -> int:
        assert isinstance(self.asked, OneSeat)
        return self.asked.by(m, fr.L)  # type: ignore[no-any-return]

    def pending(self, m: Machine, fr: Frame) -> list[int]:
        """The seats that have not chosen, of several at once."""
        assert isinstance(self.asked, EverySeat)
        return self.asked.pending(m, fr)

    def outcomes(self, m: Machine, fr: Frame) -> list[tuple[int, int]]:
        """What chance may choose: actions with their weights."""
        assert isinstance(self.asked, Chance)
        (source,) = self.sources
        groups = source.grouped(m, source.passing(m, fr.L[:]))
        weigh = self.asked.weigh
        found = [(group[0][0], sum([weigh(self, m, fr, row) for row in group])) for group in groups]
        return sorted(pair for pair in found if pair[1])


# ---------------------------------------------------------------- who is asked
class OneSeat(Asked):
    """One seat decides."""

    seats = "one"

    def __init__(self, by: Run) -> None:
        self.by = by

    def ask(self, op: AskOp, m: Machine, fr: Frame) -> object:
        found = op.offered(m, fr, -1)
        if found:
            self.by(m, fr.L)  # a fault in saying who chooses stops the game here
            m.offer = op.by_action(found)
            return WAIT
        op.go_past(m, fr)
        return None


class EverySeat(Asked):
    """Several seats decide: all commit in secret, and all is revealed together."""

    seats = "every"

    def __init__(self, by: Run, every: int, picked: int, slot: int) -> None:
        self.by, self.every, self.picked, self.slot = by, every, picked, slot

    def frame(self, fr: Frame, seat: int) -> Frame:
        inner = fr.copy()
        inner.L[self.every] = seat
        return inner

    def pending(self, m: Machine, fr: Frame) -> list[int]:
        done = {p for p, _ in fr.L[self.picked] or ()}
        return [p for p in sorted(set(self.by(m, fr.L))) if p not in done]

    def ask(self, op: AskOp, m: Machine, fr: Frame) -> object:
        if fr.L[self.picked] is None:
            fr.L[self.picked] = ()
        waiting = self.pending(m, fr)
        for p in waiting:
            if not op.offered(m, fr, p):
                raise Fault("R007", op.span)
        if waiting:
            return WAIT
        self.reveal(op, m, fr)
        return None

    def take(self, op: AskOp, m: Machine, fr: Frame, seat: int, c: Candidate) -> None:
        fr.L[self.picked] = self.with_pick(fr, seat, c)
        if not self.pending(m, fr):
            self.reveal(op, m, fr)

    def with_pick(self, fr: Frame, seat: int, c: Candidate) -> tuple[tuple[int, Value], ...]:
        """What was chosen, by seat, with what a seat chooses now."""
        return tuple(sorted((*(fr.L[self.picked] or ()), (seat, c.values[0]))))

    def reveal(self, op: AskOp, m: Machine, fr: Frame) -> None:
        values: list[Value] = [None] * m.game.players
        for p, v in fr.L[self.picked]:
            values[p] = v
        fr.L[self.slot] = tuple(values)
        fr.L[self.picked] = None
        fr.pc = op.next

    def disclosure(self, op: AskOp, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        """Nobody learns of a choice until all have chosen."""
        if len(self.pending(m, fr)) > 1:
            return Disclosure(DisclosedTo.NOBODY)
        picks: list[Pick] = []
        for p, v in self.with_pick(fr, seat, op.candidate(m, fr, seat, action)):
            c, frame = Candidate(-1, op.sources[0], (v,)), self.frame(fr, p)
            picks.append((p, AnswerWords(partial(c.words, m, frame), partial(c.sentence, m, frame))))
        return Disclosure(DisclosedTo.NOBODY, picks=picks)


class Chance(Asked):
    """Chance decides: one outcome, by weight; a single outcome is no event."""

    seats = "chance"

    def __init__(self, weight: Run | None = None) -> None:
        self.weight = weight

    def weigh(self, op: AskOp, m: Machine, fr: Frame, row: Row) -> int:
        if self.weight is None:
            return 1
        _, source, values = row
        weight: int = self.weight(m, source.locals_of(fr, values))
        if weight < 0:
            raise Fault("R013", op.span)
        return weight

    def ask(self, op: AskOp, m: Machine, fr: Frame) -> object:
        """Take what alone can come, of several things one after another; wait where there is a choice."""
        while found := op.outcomes(m, fr):
            if len(found) > 1:
                return WAIT
            tell_outcome(m, op, fr, found[0][0], is_forced=True)
            op.answer(m, fr, -1, found[0][0])
            if fr.pc is not op:
                return None
        if op.refusal is None and not op.has_other:
            raise Fault("R013" if op.offered(m, fr, -1) else "R007", op.span)
        fr.pc = op.other
        return None

    def disclosure(self, op: AskOp, m: Machine, fr: Frame, seat: int, action: int) -> Disclosure:
        return PLAIN
