"""Every decision of a program, with what its options depend on: conditions, bounds, numbers of things, guards of reactions and claims; and with
what their words show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.diagnostics import Span
from croupier.semantics.flow import statements
from croupier.semantics.lints.leaks.disclosed import Disclosures, Known
from croupier.semantics.lints.leaks.entries import frames
from croupier.semantics.lints.leaks.reads import Reader
from croupier.semantics.lints.leaks.terms import Frame, Read, Reads, Term, own, term
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, MenuData, Proc, S, X


@dataclass(frozen=True)
class Decision:
    """A decision: where it stands, who decides, what he was told before, what its options depend on with the place that a reader looks at."""

    span: Span
    chooser: Term
    known: Known
    reads: tuple[tuple[Read, Span], ...]
    words: tuple[tuple[Read, Span], ...] = ()
    """What the words of its options show, in the same way."""


class Decisions:
    """The decisions of a program."""

    def __init__(self, program: Program) -> None:
        self.program, self.reader, self.disclosures = program, Reader(program), Disclosures(program)
        self.frames = frames(program, self.reader, self.disclosures)
        self.plain: dict[int, Frame] = {}  # of procedures, with nothing known of what they are given

    def __iter__(self) -> Iterator[Decision]:
        for proc in self.program.procs:
            for s in statements(proc.body):
                if s.op in ("choose", "menu", "so_that"):
                    yield from self._decided(s, self.frames.get(proc.index) or self.reader.frame(proc))
        for hook in self.program.hooks:
            if hook.kind == "reaction" and hook.owner_slot is not None:
                frame = self.frames[hook.proc.index]
                guard = () if hook.guard is None else self._asked([hook.guard], frame, Known())
                words = () if hook.label is None else self._shown(hook.label, hook.proc, Known())
                yield Decision(hook.proc.span, own(hook.proc, hook.owner_slot), Known(), guard, words)
        for claim in self.program.claims:
            if claim.condition is not None and claim.frame is not None:
                frame = self.reader.frame(claim.frame)
                yield Decision(claim.span, own(claim.frame, claim.slots[0]), Known(), self._asked([claim.condition], frame, Known()))

    def _decided(self, s: S, frame: Frame) -> Iterator[Decision]:
        if s.op == "choose":
            choice: Choice = s.data[0]
            if choice.chooser != "chance" and choice.by is not None:
                every = choice.chooser == "every" and choice.every is not None
                yield self._chosen(s, choice, own(frame.proc, choice.every or 0) if every else term(choice.by, frame), frame)
        elif s.op == "menu":
            yield self._menu(s, s.data, term(s.args[0], frame), frame)
        else:
            for chooser in dict.fromkeys(_choosers(s, frame)):
                known = self.disclosures.before(frame, s, chooser)
                yield Decision(s.span, chooser, known, self._asked([s.args[0]], frame, known))

    def _chosen(self, s: S, choice: Choice, chooser: Term, frame: Frame) -> Decision:
        known = self.disclosures.before(frame, s, chooser)
        inner = frame.inner()
        for slot in (choice.item, choice.slot) if choice.many else (choice.item,):
            self.reader.bind(inner, slot, choice.source)
        asked = [x for x in (choice.where, choice.such_that, choice.low, choice.high, *(q.value for q in choice.conditions)) if x is not None]
        words = () if choice.label is None else self._shown(choice.label, frame.proc, known, (choice.item, choice.slot))
        return Decision(s.span, chooser, known, (*self._source(choice.source, frame, known), *self._asked(asked, inner, known)), words)

    def _menu(self, s: S, menu: MenuData, chooser: Term, frame: Frame) -> Decision:
        known = self.disclosures.before(frame, s, chooser)
        found: list[tuple[Read, Span]] = []
        words: list[tuple[Read, Span]] = []
        for option in menu.options:
            inner = frame.inner()
            for slot, source in zip(option.slots, option.sources, strict=True):
                found += self._source(source, inner, known)
                self.reader.bind(inner, slot, source)
            asked = [x for x in (option.condition, *(q.value for q in option.conditions)) if x is not None]
            found += self._asked(asked, inner, known)
            words += self._shown(option.label, frame.proc, known, option.slots)
        return Decision(s.span, chooser, known, tuple(found), tuple(words))

    def _source(self, x: X, frame: Frame, known: Known) -> tuple[tuple[Read, Span], ...]:
        told = _without(frame, known)
        return self._placed(x, told, self.reader.selection(x, told))

    def _asked(self, asked: list[X], frame: Frame, known: Known) -> tuple[tuple[Read, Span], ...]:
        told = _without(frame, known)
        return tuple(pair for x in asked for pair in self._placed(x, told, self.reader.of(x, told)))

    def _shown(self, label: X, proc: Proc, known: Known, offered: Sequence[int] = ()) -> tuple[tuple[Read, Span], ...]:
        """What words show beside what is offered: to be offered something is to be shown it. What a definition or a hook was given is its to show."""
        if not label.args:
            return ()
        if proc.index not in self.plain:
            self.plain[proc.index] = self.reader.frame(proc)
        return self._asked([label], _without(self.plain[proc.index], Known({*known.slots, *offered})), known)

    def _placed(self, x: X, frame: Frame, reads: Reads) -> tuple[tuple[Read, Span], ...]:
        """Reads with their places within an expression, or those of the call or local in it that leads there."""
        found = []
        for read in reads:
            leading = [y for y in x.walk() if y.span == read.span or (y.op in ("call", "local") and read in self.reader.of(y, frame))]
            found.append((read, leading[-1].span if leading else x.span))
        return tuple(found)


def _without(frame: Frame, known: Known) -> Frame:
    """The frame, where the locals that the chooser knows read nothing."""
    told = frame.inner()
    for slot in known.slots:
        told.reads.pop(slot, None)
        told.selects.pop(slot, None)
    return told


def _choosers(s: S, frame: Frame) -> Iterator[Term]:
    """Who decides in the block of a look-ahead, as far as it is said there."""
    for inner in s.blocks[0]:
        for x in inner.walk():
            if x.op == "choose" and x.data[0].chooser == "one" and x.data[0].by is not None:
                yield term(x.data[0].by, frame)
            elif x.op == "menu":
                yield term(x.args[0], frame)
