"""The parts of a rule text that a variant can name, and what it says of them: which characters each takes up.

A *step* is a statement, an option, a condition of a choice (`only if`) or a `case`. It is named by a rule
that it cites, or by words: those of an option or a condition, the beginning of a statement. What a variant
changes within a definition or a phase is read here, too (`in def …`, `without`, `before`, `after`,
`instead of`). Reads the parser's trees, which know where everything ends; `resolve/revisions.py` changes the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lark import Token, Tree

from croupier.diagnostics import Span
from croupier.records import dataclass
from croupier.syntax.builder import STATEMENTS, TreeBuilder
from croupier.syntax.lines import TRIVIA, Positioned, without_trivia
from croupier.syntax.parser import parse_tree

_BLOCKS = ("suite", "documented", "option", "maychoose", "block")
_KINDS = {"option": "option", "group": "option", "only_if": "condition", "case": "case"}
LISTENERS = {"override", "trigger", "adjust", "reaction", "watch", "endwhen"}
_BEGINS = re.compile(
    r"^(?:in[ \t]+(?:def\b|phase[ \t]*\"|\")|without\b|(?:before|after|instead[ \t]+of)[ \t]*[:@\"])",
    re.MULTILINE,
)
CHANGES = {
    "step_without": "without",
    "step_before": "before",
    "step_after": "after",
    "step_instead": "instead of",
}


@dataclass(frozen=True)
class Step:
    """A statement, an option, a condition or a case: its words, the rules that it cites, and its characters
    without what follows on the line.
    """

    kind: str
    words: str
    cites: tuple[str, ...]
    start: int
    end: int
    is_alone: bool  # does its block hold nothing else, though it must hold something?
    owner: int  # where the `match` of a case begins


@dataclass(frozen=True)
class MatchPart:
    """A `match`: what is matched, its cases, each with its values (words, start, end)."""

    words: str
    start: int
    cases: tuple[tuple[Step, tuple[tuple[str, int, int], ...]], ...]


@dataclass(frozen=True)
class Part:
    """A definition, hook or watcher, or the rule text of a phase: its words before the colon, its characters,
    the steps in it.

    `name` is that of a definition or a window; `event` what a hook listens to; `replaces` is true if
    `replace` stands before it.
    """

    kind: str
    name: str
    words: str
    event: str
    replaces: bool
    start: int
    end: int
    steps: tuple[Step, ...]
    matches: tuple[MatchPart, ...]
    cites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Named:
    """The name that a variant gives a step: words, or the rules that it cites; with their span."""

    words: str | None
    cites: tuple[str, ...]
    span: Span


@dataclass(frozen=True)
class CaseValues:
    """The values of a case that a variant names, each with its words and span."""

    values: tuple[tuple[str, Span], ...]


@dataclass(frozen=True)
class StepChange:
    """One thing that a variant says of a part: `kind` is a value of `CHANGES`, or `case`, `replace case`,
    `without case`.

    `at` is where it begins in its text; `matched` is what stands behind `in match`, with its span; `lines`
    are the characters (start, end) of what is put there.
    """

    kind: str
    span: Span
    at: int
    step: Named | CaseValues
    matched: tuple[str, Span] | None
    lines: tuple[int, int] | None


@dataclass(frozen=True)
class RevisionPart:
    """The changes that a variant makes in one place: `place` is `def`, `phase`, `item` (by its words), or
    empty where it does not say.
    """

    place: str
    name: str
    name_span: Span
    changes: tuple[StepChange, ...]


def begins_revisions(text: str) -> bool:
    """Tell whether something in this text may change a part of the base.

    Whoever says no needs no parser.
    """
    return _BEGINS.search(text) is not None


def parts_of_module(text: Positioned) -> tuple[Part, ...] | None:
    """The definitions, windows, hooks and watchers of a text; `None` where it cannot be read."""
    reader = _Reader.of(text, "module")
    return (
        None
        if reader is None
        else tuple(reader.part(t) for t in reader.items() if t.data not in (*CHANGES, "revision"))
    )


def part_of_block(text: Positioned) -> Part | None:
    """The rule text of a phase; `None` where it cannot be read."""
    reader = _Reader.of(text, "block")
    return None if reader is None else reader.part(reader.tree)


def revisions_of(text: Positioned) -> tuple[RevisionPart, ...]:
    """Return the changes that a text of a variant makes to parts of its base; empty where it cannot be
    read.
    """
    reader = _Reader.of(text, "module") if begins_revisions(text.text) else None
    return () if reader is None else tuple(reader.revisions())


def normal(words: str) -> str:
    """Words without layout."""
    return " ".join(words.split())


@dataclass(frozen=True)
class _Reader:
    """The tree of one text."""

    text: Positioned
    code: str  # without comments and citations
    tree: Tree[Token]
    builder: TreeBuilder

    @classmethod
    def of(cls, text: Positioned, start: str) -> _Reader | None:
        tree, builder, found = parse_tree(text, start)
        if tree is None or found or tree.meta.empty and tree.children:
            return None
        return cls(text, without_trivia(text.text), tree, builder)

    def items(self) -> list[Tree[Token]]:
        return [t for t in self.tree.children if isinstance(t, Tree)]

    def end(self, t: Tree[Token] | Token) -> int:
        """Return where the characters of a tree end, without the comments, citations and line ends behind
        it.
        """
        last = t.end_pos if isinstance(t, Token) else t.meta.end_pos
        return len(self.code[: last or 0].rstrip(f" \t\n{TRIVIA}"))

    def words(self, start: int, end: int) -> str:
        return normal(self.code[start:end].replace(TRIVIA, " "))

    def head(self, t: Tree[Token]) -> str:
        """The words of the first line, up to the colon of what stands below."""
        suite = next(
            (
                k.meta.start_pos
                for k in t.children
                if isinstance(k, Tree) and k.data in ("suite", "documented")
            ),
            None,
        )
        end = suite if suite is not None else self.end(t)
        line_end = self.code.find("\n", t.meta.start_pos)
        is_open = line_end < 0 or suite is not None
        return self.words(t.meta.start_pos, end if is_open else min(end, line_end)).removesuffix(":")

    def cites(self, t: Tree[Token]) -> tuple[str, ...]:
        return tuple(i for cite in self.builder.owned(t) for i in (cite.first, cite.last) if i is not None)

    # ------------------------------------------------------------ parts
    def part(self, t: Tree[Token]) -> Part:
        kids = t.children
        name = (
            next((str(k) for k in kids if isinstance(k, Token) and k.type == "NAME"), "")
            if t.data in ("definition", "window")
            else ""
        )
        replaces = bool(kids) and isinstance(kids[0], Token) and kids[0].type == "REPLACE"
        words = "" if t.data == "block" else self.head(t).removeprefix("replace ")
        pattern = next((k for k in kids if isinstance(k, Tree) and k.data == "pattern"), None)
        event = "" if pattern is None else f"{words.split()[0]} {pattern.children[0]}"
        start = 0 if t.data == "block" else t.meta.start_pos
        end = len(self.code) if t.data == "block" else self.end(t)
        steps, matches = tuple(self.steps(t)), tuple(self.matches(t))
        return Part(t.data, name, words, event, replaces, start, end, steps, matches, self.cites(t))

    def steps(self, t: Tree[Token], owner: int = 0) -> Iterator[Step]:
        """The steps within a tree, an outer one before those in it."""
        alone = (
            t.data in _BLOCKS and sum(k.data in STATEMENTS for k in t.children if isinstance(k, Tree)) == 1
        )
        for k in t.children:
            if not isinstance(k, Tree) or k.data in ("suppose", "closure"):
                continue
            kind = "statement" if k.data in STATEMENTS else _KINDS.get(k.data)
            if kind is not None:
                yield Step(
                    kind,
                    self.step_words(k),
                    self.cites(k),
                    k.meta.start_pos,
                    self.end(k),
                    alone and kind == "statement",
                    owner,
                )
            yield from self.steps(k, k.meta.start_pos if k.data == "match_" else owner)

    def step_words(self, t: Tree[Token]) -> str:
        if t.data in ("option", "only_if"):
            quoted = next(k for k in t.children if isinstance(k, Token) and k.type == "STRING")
            return normal(str(quoted)[1:-1])
        return self.head(t)

    def matches(self, t: Tree[Token]) -> Iterator[MatchPart]:
        if t.data == "match_":
            value, *rows = [k for k in t.children if isinstance(k, Tree)]
            cases = tuple(self.case(c, t.meta.start_pos) for c in rows if c.data == "case")
            yield MatchPart(self.words(value.meta.start_pos, self.end(value)), t.meta.start_pos, cases)
        for k in t.children:
            if isinstance(k, Tree):
                yield from self.matches(k)

    def case(self, t: Tree[Token], owner: int) -> tuple[Step, tuple[tuple[str, int, int], ...]]:
        step = Step("case", self.head(t), (), t.meta.start_pos, self.end(t), False, owner)
        return step, tuple((self.words(*at), *at) for at in self.values(t))

    def values(self, t: Tree[Token]) -> list[tuple[int, int]]:
        """The characters of each value of a case."""
        values = [k for k in t.children if isinstance(k, Tree) and k.data != "suite"]
        return [(k.meta.start_pos, self.end(k)) for k in values]

    # ------------------------------------------------------------ what a variant says of them
    def revisions(self) -> Iterator[RevisionPart]:
        for t in self.items():
            if t.data in CHANGES:
                yield RevisionPart("", "", self.line(t), (self.change(t, None),))
            elif t.data == "revision":
                place, *changes = [k for k in t.children if isinstance(k, Tree)]
                named = place.children[0]
                assert isinstance(named, Token)
                word = place.data.removeprefix("in_")
                name = str(named) if word == "def" else normal(str(named)[1:-1])
                yield RevisionPart(word, name, self.token_span(named), tuple(self.changes(changes, None)))

    def changes(self, found: Sequence[Tree[Token]], matched: tuple[str, Span] | None) -> Iterator[StepChange]:
        for t in found:
            if t.data == "in_match":
                value, *inner = [k for k in t.children if isinstance(k, Tree)]
                at = value.meta.start_pos, self.end(value)
                yield from self.changes(inner, (self.words(*at), self.text.span(*at)))
            else:
                yield self.change(t, matched)

    def change(self, t: Tree[Token], matched: tuple[str, Span] | None) -> StepChange:
        span = self.line(t)
        if t.data in CHANGES:
            cites = self.builder.owned(t)
            span = span.to(cites[-1].span) if cites and cites[-1].span.start > span.start else span
            quoted = next((k for k in t.children if isinstance(k, Token) and k.type == "STRING"), None)
            words = None if quoted is None else normal(str(quoted)[1:-1])
            named = Named(words, self.cites(t), span if quoted is None else self.token_span(quoted))
            steps = next((k for k in t.children if isinstance(k, Tree) and k.data == "steps"), None)
            lines = None if steps is None else self.lines([k for k in steps.children if isinstance(k, Tree)])
            return StepChange(CHANGES[t.data], span, t.meta.start_pos, named, None, lines)
        values = CaseValues(tuple((self.words(*at), self.text.span(*at)) for at in self.values(t)))
        kind = {"case": "case", "replace_case": "replace case", "without_case": "without case"}[t.data]
        if kind == "without case":
            return StepChange(kind, span, t.meta.start_pos, values, matched, None)
        start = t.meta.start_pos if kind == "case" else self.code.index("case", t.meta.start_pos)
        return StepChange(kind, span, t.meta.start_pos, values, matched, (start, self.end(t)))

    def lines(self, steps: Sequence[Tree[Token]]) -> tuple[int, int]:
        return steps[0].meta.start_pos, self.end(steps[-1])

    def line(self, t: Tree[Token]) -> Span:
        """The first line, up to its colon, without what follows the code."""
        steps = next(
            (k.meta.start_pos for k in t.children if isinstance(k, Tree) and k.data in ("steps", "suite")),
            None,
        )
        end = self.end(t) if steps is None else steps
        line_end = self.text.text.find("\n", t.meta.start_pos)
        if 0 <= line_end < end:
            end = line_end
        return self.text.span(t.meta.start_pos, len(self.text.text[:end].rstrip()))

    def token_span(self, token: Token) -> Span:
        return self.text.span(token.start_pos or 0, token.end_pos or 0)
