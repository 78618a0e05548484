"""The tokens of a rule text without mistakes, as the parser reads them: what is a name and what a keyword depends on the place."""

from __future__ import annotations

from dataclasses import dataclass

from lark import UnexpectedInput

from croupier.limits import MAX_RULE_TEXT
from croupier.syntax.lines import without_trivia
from croupier.syntax.parser import Misaligned, lark_parser

INDENT, DEDENT = "_INDENT", "_DEDENT"
LAYOUT = {"_NL", INDENT, DEDENT}
LINE_WISE = ("module", "block")


@dataclass(frozen=True, slots=True)
class CodeToken:
    """A token: its kind in the grammar (`NAME`, `SIGN`, `IF` …), its text, its offset, and how many blocks it stands in."""

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


def code_tokens(text: str, start: str) -> list[CodeToken] | None:
    """The tokens of a text that stands in a place of kind `start`, without line ends, comments and citations; None if there are mistakes in it."""
    tokens, whole = tokens_until_mistake(text, start)
    return tokens if whole else None


def tokens_until_mistake(text: str, start: str) -> tuple[list[CodeToken], bool]:
    """The tokens of a text up to its first mistake, and whether the text ends without one."""
    if len(text) > MAX_RULE_TEXT:
        return [], False
    source = text.rstrip() + "\n" if start in LINE_WISE else text
    tokens: list[CodeToken] = []
    depth = 0
    try:
        reading = lark_parser().parse_interactive(without_trivia(source), start=start)
        for token in reading.iter_parse():
            depth += {INDENT: 1, DEDENT: -1}.get(token.type, 0)
            if token.type not in LAYOUT:
                tokens.append(CodeToken(token.type, str(token), token.start_pos or 0, depth))
        reading.feed_eof()  # type: ignore[no-untyped-call]
    except (UnexpectedInput, Misaligned):
        return tokens, False
    return tokens, True


def accepted(text: str, start: str) -> frozenset[str] | None:
    """The kinds of token that may follow a text in a place of kind `start`; None if there is a mistake in it."""
    if len(text) > MAX_RULE_TEXT:
        return None
    try:
        reading = lark_parser().parse_interactive(without_trivia(text), start=start)
        line_end = "."
        for token in reading.iter_parse():
            if token.type == DEDENT and not token and not line_end.endswith("\n"):  # blocks that end only because the text goes no further
                break
            if token.type != DEDENT:
                line_end = str(token) if token.type == "_NL" else "."
    except (UnexpectedInput, Misaligned):
        return None
    return frozenset(reading.accepts())  # type: ignore[no-untyped-call]
