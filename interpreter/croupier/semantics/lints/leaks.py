"""Decisions that depend on what the one who decides may not see: an information leak, since the options offered give it away.

Proves: which options there are — a `where`, `only if`, `such that`, the `if` of an option or a reaction, a number of things to choose, the bounds
or the condition of what is chosen from, the condition of a claim or of a look-ahead — is computed from the contents or the number of things of
a zone, or from state, whose declared audience leaves the chooser out: nobody sees it, or only its owner does and it is that of another player
(of all of them, of the next one), or everybody but its owner does and the chooser owns it. And no statement of the ruleset ever shows
anything of that zone, or tells of that state. To be offered a component is to be shown it, so merely choosing from a hidden zone is no leak;
whether a decision takes place at all is not looked at.

`leaks "reason"` on the decision says that this is meant; where there is nothing of the kind, that is reported, so that it does not outlive its
reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose
from croupier.semantics.flow import operands, statements
from croupier.semantics.lints.reads import SOMEBODY, Frame, Read, Reader, Term, selection, with_items
from croupier.semantics.lints.walk import bodies
from croupier.semantics.program import Program
from croupier.semantics.tree import Choice, MenuData, S, X

WORDS = {"everybody": "everybody sees", "nobody": "nobody sees", "owner": "only its owner sees", "others": "everybody but its owner sees"}


@dataclass(frozen=True)
class Decision:
    """A decision: where it stands, who decides, what decides about its options, each with the place that a reader looks at."""

    span: Span
    chooser: Term
    reads: tuple[tuple[Read, Span], ...]


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """One report for each thing that one decision gives away; one for each `leaks` without a leak."""
    finder = _Finder(program)
    found: list[Diagnostic] = []
    leaking: set[Span] = set()
    for decision in finder.decisions():
        for read, place in finder.hidden(decision):
            leaking.add(decision.span)
            if decision.span not in program.leaks:
                found.append(finder.report(read, place))
    for span, clause in program.leaks.items():
        if span not in leaking:
            gone = Span(clause.source, clause.start - _blanks_before(clause), clause.end)
            found.append(diagnose("L031", clause, fix=Fix(gone, "", "leave it out")))
    return found


def _blanks_before(span: Span) -> int:
    before = span.source.text[: span.start]
    return len(before) - len(before.rstrip(" "))


class _Finder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.reader = Reader(program)
        told = [o for _, s in bodies(program) if s.op in ("show", "tell", "announce") for o in operands(s)]
        self.told = {y.data for x in told for y in x.walk() if y.op in ("zone", "zone_at", "state")}

    # ------------------------------------------------------------ every decision
    def decisions(self) -> Iterator[Decision]:
        for proc in self.program.procs:
            frame = None
            for s in statements(proc.body):
                if s.op in ("choose", "menu", "so_that"):
                    frame = frame or self.reader.frame(proc)
                    yield from self.decided(s, frame)
        for hook in self.program.hooks:
            if hook.kind == "reaction" and hook.guard is not None and hook.owner_slot is not None:
                frame = self.reader.frame(hook.proc)
                yield self.decision(hook.proc.span, ("local", hook.proc.index, hook.owner_slot), [hook.guard], frame)
        for claim in self.program.claims:
            if claim.condition is not None and claim.frame is not None:
                yield self.decision(claim.span, ("local", claim.frame.index, claim.slots[0]), [claim.condition], Frame(claim.frame))

    def decided(self, s: S, frame: Frame) -> Iterator[Decision]:
        if s.op == "choose":
            choice: Choice = s.data[0]
            if choice.chooser != "chance" and choice.by is not None:
                every = choice.chooser == "every" and choice.every is not None
                yield self.chosen(s, choice, ("local", frame.proc.index, choice.every) if every else self.reader.term(choice.by, frame), frame)
        elif s.op == "menu":
            yield self.menu(s, s.data, self.reader.term(s.args[0], frame), frame)
        else:
            for chooser in dict.fromkeys(self.choosers(s, frame)):
                yield self.decision(s.span, chooser, [s.args[0]], frame)

    def choosers(self, s: S, frame: Frame) -> Iterator[Term]:
        """Who decides in the block of a look-ahead, as far as it is said there."""
        for inner in s.blocks[0]:
            for x in inner.walk():
                if x.op == "choose" and x.data[0].chooser == "one" and x.data[0].by is not None:
                    yield self.reader.term(x.data[0].by, frame)
                elif x.op == "menu":
                    yield self.reader.term(x.args[0], frame)

    def chosen(self, s: S, choice: Choice, chooser: Term, frame: Frame) -> Decision:
        items = [(choice.item, choice.source), (choice.slot, choice.source)] if choice.many else [(choice.item, choice.source)]
        inner = with_items(self.reader, frame, items)
        asked = [x for x in (choice.where, choice.such_that, choice.low, choice.high, *(q.value for q in choice.conditions)) if x is not None]
        first = tuple((read, self.nearest(read, choice.source, frame)) for read in selection(self.reader, choice.source, frame))
        return Decision(s.span, chooser, (*first, *self.decision(s.span, chooser, asked, inner).reads))

    def menu(self, s: S, menu: MenuData, chooser: Term, frame: Frame) -> Decision:
        found: list[tuple[Read, Span]] = []
        for option in menu.options:
            inner = with_items(self.reader, frame, zip(option.slots, option.sources, strict=True))
            for source in option.sources:
                found += [(read, self.nearest(read, source, frame)) for read in selection(self.reader, source, frame)]
            asked = [x for x in (option.condition, *(q.value for q in option.conditions)) if x is not None]
            found += self.decision(s.span, chooser, asked, inner).reads
        return Decision(s.span, chooser, tuple(found))

    def decision(self, span: Span, chooser: Term, asked: list[X], frame: Frame) -> Decision:
        return Decision(span, chooser, tuple((read, self.nearest(read, x, frame)) for x in asked for read in self.reader.of(x, frame)))

    def nearest(self, read: Read, x: X, frame: Frame) -> Span:
        """The place of a read within an expression, or the call or local in it that leads there."""
        leading = [y for y in x.walk() if y.span == read.span or (y.op in ("call", "local") and read in self.reader.of(y, frame))]
        return leading[-1].span if leading else x.span

    # ------------------------------------------------------------ what is hidden
    def hidden(self, decision: Decision) -> Iterator[tuple[Read, Span]]:
        """What of it the chooser may not see: each thing once, in the order of the text."""
        seen: set[tuple[str, str]] = set()
        for read, place in sorted(decision.reads, key=lambda pair: (pair[1].start, pair[0].span.start, pair[0].kind)):
            if (read.kind, read.name) not in seen and read.name not in self.told and not self.visible(read, decision.chooser):
                seen.add((read.kind, read.name))
                yield read, place

    def visible(self, read: Read, chooser: Term) -> bool:
        if read.kind == "state":
            return self.admits(self.program.vars[read.name].seen_by, read.key, chooser)
        zone = self.program.zones[read.name]
        if self.admits(zone.seen_by, read.key, chooser):
            return True
        return read.kind == "count" and self.admits(zone.counted_by, read.key, chooser)

    def admits(self, audience: X, key: Term | None, chooser: Term) -> bool:
        """Might this audience hold the chooser, for some value of a parameter?"""
        if audience.op == "if":
            return any(self.admits(x, key, chooser) for x in audience.args[1:])
        if audience.op != "enum":
            return True
        match audience.data[1]:
            case "nobody":
                return False
            case "owner":
                return key is not None and (key == chooser or not _certainly_other(key, chooser))
            case "others":
                return key is not None and key != chooser
        return True

    def report(self, read: Read, place: Span) -> Diagnostic:
        thing = self.program.vars[read.name] if read.kind == "state" else self.program.zones[read.name]
        what = {"state": f"`{read.name}`", "zone": f"what lies in `{read.name}`", "count": f"how much lies in `{read.name}`"}[read.kind]
        labels = [Label(thing.span, f"declared here: {self.audience(thing.seen_by)} it")]
        if place != read.span:
            labels.insert(0, Label(read.span, "read here"))
        return diagnose("L030", place, what=what, name=read.name, labels=labels)

    def audience(self, x: X) -> str:
        if x.op == "enum":
            return WORDS[x.data[1]]
        return "by a parameter, not everybody sees"


def _certainly_other(key: Term, chooser: Term) -> bool:
    """Does a key certainly stand for others than the chooser too? Two names may stand for one player; a walk over players does not."""
    return key == SOMEBODY or (key[0] == "each" and key != chooser) or (key[0] == "other" and key[1] == chooser)
