"""Between which tokens of the rule language a space stands: `score[p] += f(a, b=-1) * (2..n).size`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from croupier.syntax.lines import CITATION
from croupier.syntax.parser import CodeToken, code_tokens

OPEN, CLOSE = "([{", ")]}"
_VALUES = {"NAME", "INT", "STRING", "TRUE", "FALSE", "NONE"}
_TIGHT = {".", ".."}  # on both sides
_BEHIND = {",", ":", "!", "?", *CLOSE}  # what stands close behind the token before it


class Spacing:
    """Walks the tokens of one text in order and tells for each whether a space stands before it (if it does
    not begin a line).
    """

    def __init__(self) -> None:
        self.before: CodeToken | None = None
        self.unary = False  # was the token before a sign that belongs to the number after it?
        self.typed = [False]  # for each open bracket: was a type written since the last comma?

    def step(self, token: CodeToken) -> bool:
        """Tell whether a space stands before this token, and go on to the next one."""
        spaced = self._spaced(token)
        self.unary = token.kind == "SIGN" and not self._ends_value(self.before)
        if token.text in OPEN:
            self.typed.append(False)
        elif token.text in CLOSE and len(self.typed) > 1:
            self.typed.pop()
        elif token.text in (",", ":"):
            self.typed[-1] = token.text == ":"
        self.before = token
        return spaced

    def _spaced(self, token: CodeToken) -> bool:
        before = self.before
        if before is None or self.unary or before.text in OPEN or token.text in _BEHIND:
            return False
        if token.text in _TIGHT or before.text in _TIGHT:
            return False
        if "=" in (token.text, before.text) and len(self.typed) > 1:
            return self.typed[-1]
        if token.text in ("(", "["):
            return not (before.kind == "NAME" or before.text in (")", "]", "!"))
        return True

    @staticmethod
    def _ends_value(token: CodeToken | None) -> bool:
        return token is not None and (token.kind in _VALUES or token.text in (*CLOSE, "!"))


# ---------------------------------------------------------------- rules
STEP = 4
MARGIN = 75  # the column, from 0, of citations and comments behind code
TAB = 10  # behind longer code they stand in one of the columns MARGIN + 10, MARGIN + 20 …
_TRIVIA = re.compile(rf"#[^\n]*|{CITATION}")


def comment(text: str) -> str:
    """A comment with a space after its sign."""
    text = text.rstrip()
    return f"# {text[1:]}" if re.match(r"#\w", text) else text


def margin(width: int, base: int) -> int:
    """Return the column of a citation behind `width` columns of code, in a text whose columns begin at column
    `base` of the file.
    """
    column = MARGIN - base
    while column < width + 1:
        column += TAB
    return column


@dataclass
class RuleLine:
    """One line of the text: what stands in it, with offsets; then its layout."""

    number: int
    tokens: list[CodeToken] = field(default_factory=list)
    trivia: list[tuple[int, str]] = field(default_factory=list)
    column: int = 0  # of the first sign, as the author has it
    depth: int = 0  # in blocks
    carried: bool = False  # it goes on inside of a bracket
    blank_before: bool = False
    indent: int = 0
    text: str = ""


def format_rules(text: str, start: str, base: int) -> list[str] | None:
    """The lines of a rule text in the canonical layout, not indented; `None` if there are mistakes in it.

    `start` is the kind of place that it stands in, `base` the column of the file where its lines begin.
    """
    tokens = code_tokens(text, start)
    if tokens is None:
        return None
    lines = _lines(text, tokens)
    _place_comments(lines)
    _write(lines, base)
    _blank_lines(lines, start)
    out: list[str] = []
    for line in lines:
        out += ["", line.text] if line.blank_before and out else [line.text]
    return out


def _lines(text: str, tokens: Sequence[CodeToken]) -> list[RuleLine]:
    """The lines that hold anything, with what they hold."""
    starts = [0, *(m.end() for m in re.finditer("\n", text))]
    lines = [RuleLine(number) for number in range(len(starts))]
    number = 0
    for token in tokens:
        while number + 1 < len(starts) and starts[number + 1] <= token.start:
            number += 1
        lines[number].tokens.append(token)
    taken = [(t.start, t.end) for t in tokens if t.kind == "STRING"]
    number = at = 0
    for found in _TRIVIA.finditer(text):
        while at < len(taken) and taken[at][1] <= found.start():
            at += 1
        if at < len(taken) and taken[at][0] < found.start():
            continue  # inside of a text
        while number + 1 < len(starts) and starts[number + 1] <= found.start():
            number += 1
        lines[number].trivia.append((found.start(), found.group()))
    kept: list[RuleLine] = []
    for line in lines:
        first = min([t.start for t in line.tokens[:1]] + [at for at, _ in line.trivia[:1]], default=None)
        if first is not None:
            line.column = first - starts[line.number]
            line.blank_before = bool(kept) and kept[-1].number < line.number - 1
            kept.append(line)
    _find_depths(kept)
    return kept


def _find_depths(lines: Sequence[RuleLine]) -> None:
    open_brackets = 0
    for line in lines:
        line.carried = open_brackets > 0
        if line.tokens:
            line.depth = line.tokens[0].depth
        open_brackets += sum((t.text in OPEN) - (t.text in CLOSE) for t in line.tokens)


def _place_comments(lines: Sequence[RuleLine]) -> None:
    """A line of comments belongs to the block that the author indented it for, if that block is open
    there.
    """
    columns: dict[int, int] = {}
    last = 0
    for index, line in enumerate(lines):
        if line.tokens:
            if not line.carried:
                last = line.depth
                columns[last] = line.column
            continue
        if line.carried:
            continue
        after = next((x.depth for x in lines[index + 1 :] if x.tokens), 0)
        fitting = [d for d in range(after, last + 1) if columns.get(d, 0) <= line.column]
        line.depth = max(fitting, default=after)


@dataclass
class _Bracket:
    column: int  # of the bracket
    indent: int  # of its line
    last: bool  # does it end its line?


def _write(lines: Sequence[RuleLine], base: int) -> None:
    """The text of each line, from the first to the last: where a line in brackets begins depends on those
    before it.
    """
    spacing = Spacing()
    brackets: list[_Bracket] = []
    for line in lines:
        line.indent = _indent(line, brackets)
        code_end = line.tokens[-1].end if line.tokens else -1
        inner = [piece for piece in line.trivia if piece[0] < code_end]
        text = ""
        for index, token in enumerate(line.tokens):
            spaced = spacing.step(token)
            while inner and inner[0][0] < token.start:  # a citation in the middle of a line stays where it is
                text += f" {inner.pop(0)[1]}"
                spaced = token.text != ":"
            text += " " * spaced + token.text if text else token.text
            if token.text in OPEN:
                brackets.append(
                    _Bracket(line.indent + len(text.lstrip()) - 1, line.indent, index == len(line.tokens) - 1)
                )
            elif token.text in CLOSE and brackets:
                brackets.pop()
        behind = [piece for at, piece in line.trivia if at >= code_end]
        while behind and _names_a_step(line.tokens) and not behind[0].startswith("#"):
            text += f" {behind.pop(0)}"
        line.text = _with_trivia(" " * line.indent + text.lstrip(), behind, base)


def _names_a_step(tokens: Sequence[CodeToken]) -> bool:
    """Tell whether the citation behind these words names a step for a variant (`without @WB-14`)."""
    kinds = [token.kind for token in tokens]
    return (
        bool(tokens) and tokens[0].text == "without" and kinds[0] != "NAME" and kinds[1:] in ([], ["STRING"])
    )


def _with_trivia(text: str, trivia: Sequence[str], base: int) -> str:
    """The code with the citations and the comment behind it."""
    if trivia and text.strip():
        text = text.ljust(margin(len(text), base))
    for index, piece in enumerate(trivia):
        if index:
            text += "  " if piece.startswith("#") else " "
        text += comment(piece) if piece.startswith("#") else piece
    return text


def _indent(line: RuleLine, brackets: Sequence[_Bracket]) -> int:
    if not line.carried or not brackets:
        return STEP * line.depth
    closers = 0
    for token in line.tokens:
        if token.text not in CLOSE:
            break
        closers += 1
    inner = brackets[-max(1, closers)]
    if closers:
        return inner.indent if inner.last else inner.column
    return inner.indent + STEP if inner.last else inner.column + 1


def _blank_lines(lines: Sequence[RuleLine], start: str) -> None:
    """Set the blank lines: at most one in a row, none at the beginning of a block, one around definitions of
    several lines.
    """
    depth = 0
    held: list[RuleLine] = []  # lines of comments since the last line of code
    for line in lines:
        held.append(line)
        if line.tokens:
            if not line.carried:
                if line.depth > depth:
                    for first in held:
                        first.blank_before = (
                            first.blank_before and first is not held[0] and first.depth == line.depth
                        )
                depth = line.depth
            held = []
    if start == "module":
        _around_items(lines)


def _around_items(lines: Sequence[RuleLine]) -> None:
    heads = [i for i, line in enumerate(lines) if line.tokens and not line.carried and line.depth == 0]
    ends = [*heads[1:], len(lines)] if heads else []
    several = [
        any(x.tokens and x.depth > 0 and not x.carried for x in lines[at:end])
        for at, end in zip(heads, ends, strict=True)
    ]
    for k in range(1, len(heads)):
        if several[k - 1] or several[k]:
            first = heads[k]
            while (
                not lines[first].blank_before
                and first - 1 > heads[k - 1]
                and not lines[first - 1].tokens
                and lines[first - 1].depth == 0
            ):
                first -= 1
            lines[first].blank_before = True
