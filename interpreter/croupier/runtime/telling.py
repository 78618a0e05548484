"""What a machine tells of what happens, and who learns of decisions and of chance.

A machine tells everything to a `Listener`; what happens `secretly` it tells of with an audience
(`Machine.event_audience`). Who perceives a move, a change of state or a text follows from who sees what
(`visibility.py`). Who learns of an answer follows from what the operation that asks discloses by it:

    all          a decision, an outcome of chance
    those who know what is on offer
                 that no more is taken of several things: it says something about what could be taken
    those who do not
                 what was not asked, because nothing else was possible: they read the same as if it had been
    nobody else  that somebody does not react, and what one of several chooses who choose at once: that is
                 told when all have chosen
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeAlias

from croupier.records import dataclass
from croupier.text import Text

if TYPE_CHECKING:
    from croupier.runtime.events import MadeClaim
    from croupier.runtime.game import Value
    from croupier.runtime.machine import Frame, Machine
    from croupier.runtime.operations import Op
    from croupier.runtime.wording import WordedStatement
    from croupier.runtime.zone_contents import Items
    from croupier.semantics.program import VarDef

Words: TypeAlias = Callable[[], str]
Sentence: TypeAlias = Callable[[], "Text | None"]
"""The author's sentence about a decision, as `m.observer` reads it; `None` without one."""
Pick: TypeAlias = "tuple[int, Words, Sentence]"
"""A seat, the words of what it chose, and the author's sentence about that."""
Seats: TypeAlias = Callable[[], tuple[int, ...]]


class Audience(Enum):
    """Who learns of an answer, besides whoever gave it and the referee."""

    ALL = "all"
    KNOWING = "those who know what is on offer"
    UNKNOWING = "those who do not"
    NOBODY = "nobody else"


@dataclass(frozen=True, slots=True)
class Disclosure:
    """What others learn of an answer.

    `words` stand for those of the option. `component` is what was chosen, if no words of the rules say it; it
    `is_used`, or only picked. A refusal names what was not done. A `claim` is something said, instead of
    something decided. `picks` are the choices of all, if this was the last one of them.
    """

    audience: Audience = Audience.ALL
    words: Words | None = None
    component: int | None = None
    is_used: bool = False
    is_refusal: bool = False
    claim: MadeClaim | None = None
    picks: Sequence[Pick] = ()


class Reader(Protocol):
    """What one reader perceives of the statements that run."""

    statement: WordedStatement | None  # while a statement runs that has words of its own
    waiting: dict[int, WordedStatement]  # of such statements that wait, by their frames
    rolling: int  # the attribute that a roll is writing, or -1

    def worded(self, m: Machine, statement: WordedStatement, text: Words) -> None: ...

    def value_at(self, m: Machine, v: VarDef, i: int, value: Value, old: Value = None) -> None: ...


class Listener(Protocol):
    """Whoever is told of what happens: the recorder of one reader, or those of several (`each`).

    `seen` says of each whether its reader knew a component `before` it moved.
    """

    on_offer: str | None  # what a reader may choose from now, where that is known already

    @property
    def each(self) -> Sequence[Reader]: ...

    def offered(self, text: Callable[[], str | None]) -> None: ...

    def begin(self, fuel: int) -> None: ...

    def begin_game(self, m: Machine) -> None: ...

    def decided(
        self,
        m: Machine,
        seat: int,
        told: Disclosure,
        words: Words,
        sentence: Sentence,
        reaches: Callable[[int], bool],
    ) -> None: ...

    def decided_nothing(
        self, m: Machine, seat: int, words: Words, sentence: Sentence, reaches: Callable[[int], bool]
    ) -> None: ...

    def revealed(self, m: Machine, picks: Sequence[Pick]) -> None: ...

    def chance_drawn(
        self, m: Machine, words: Words, sentence: Sentence, reaches: Callable[[int | None], bool]
    ) -> None: ...

    def before(self, m: Machine, component: int) -> tuple[bool, ...]: ...

    def moved(
        self, m: Machine, component: int, source: int, z: int, seen: tuple[bool, ...], place: str = "top"
    ) -> None: ...

    def moved_all(
        self, m: Machine, source: int, z: int, items: Items, place: str = "top", *, exchanged: bool = False
    ) -> None: ...

    def shuffled(self, m: Machine, z: int) -> None: ...

    def shown(
        self, m: Machine, components: Seats, to: Seats, zone: Callable[[], int] | None = None
    ) -> None: ...

    def told(self, m: Machine, text: Words, to: Seats) -> None: ...

    def announced(self, m: Machine, text: Words) -> None: ...

    def claimed(self, m: Machine, seat: int, text: Words, claim: MadeClaim) -> None: ...

    def variable(self, m: Machine, index: int, old: Value, new: Value) -> None: ...

    def entered(self, m: Machine, target: int, outer: Sequence[Value]) -> None: ...

    def finished(self, m: Machine) -> None: ...


def no_sentence() -> Text | None:
    """The author has no sentence for a decision."""
    return None


def reaches(audience: Audience, op: Op, m: Machine, fr: Frame, who: int) -> bool:
    """Return whether a seat, or somebody at none, learns of the answer of another one."""
    match audience:
        case Audience.KNOWING:
            return op.is_open_to(m, fr, who)
        case Audience.UNKNOWING:
            return not op.is_open_to(m, fr, who)
    return audience is Audience.ALL


def tell_answer(m: Machine, op: Op, fr: Frame, seat: int, action: int) -> None:
    """Tell what a seat, or chance (-1), has chosen."""
    if seat < 0:
        tell_outcome(m, op, fr, action)
    else:
        tell_decision(m, op, fr, seat, action)


def tell_decision(m: Machine, op: Op, fr: Frame, seat: int, action: int) -> None:
    """Tell what a seat has chosen."""
    if m.recorder is None:
        return
    m.cites = op.cited_by(action)
    told, words = op.disclosure(m, fr, seat, action), partial(op.describe, m, fr, seat, action)
    if told is None:
        return
    if told.claim is not None:
        m.recorder.claimed(m, seat, words, told.claim)
        return
    sentence = partial(op.sentence, m, fr, seat, action)
    m.recorder.decided(
        m, seat, told, told.words or words, sentence, partial(reaches, told.audience, op, m, fr)
    )
    if told.picks:
        m.recorder.revealed(m, told.picks)


def tell_outcome(m: Machine, op: Op, fr: Frame, action: int, *, is_forced: bool = False) -> None:
    """Tell what chance has chosen, if the operation does not tell it by what it does.

    What was forced is an outcome for those alone who cannot work out that nothing else was possible; and for
    the referee, if there is such a seat. That no more is taken, because no more can be, is not told.
    """
    if m.recorder is None:
        return
    m.cites = op.cites
    told = op.disclosure(m, fr, -1, action)
    if told is None or (is_forced and told.audience is Audience.KNOWING):
        return
    audience = Audience.UNKNOWING if is_forced else told.audience

    def is_told(who: int | None) -> bool:
        if who is None and audience is Audience.UNKNOWING:
            return any(reaches(audience, op, m, fr, seat) for seat in range(m.game.players))
        return who is None or reaches(audience, op, m, fr, who)

    words, sentence = partial(op.describe, m, fr, -1, action), partial(op.sentence, m, fr, -1, action)
    m.recorder.chance_drawn(m, words, sentence, is_told)


def tell_no_choice(m: Machine, op: Op, fr: Frame, seat: int, words: Words, sentence: Sentence) -> None:
    """Tell that nothing is on offer in a choice that may be refused.

    A seat that cannot work that out reads the same as for a refusal: nobody is told whether there was a
    choice.
    """
    if m.recorder is not None:
        m.cites = op.cites
        unknowing = partial(reaches, Audience.UNKNOWING, op, m, fr)
        m.recorder.decided_nothing(m, seat, words, sentence, unknowing)
