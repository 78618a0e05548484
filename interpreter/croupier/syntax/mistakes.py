"""What the parser stumbled over, in words, and where the cause of it stands.

First what the shape of the lines shows (an empty block, a bracket or a text never closed), then habits from other languages (`habits.py`),
then words in the wrong place; what nothing explains is worded by what the parser expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token, UnexpectedCharacters, UnexpectedInput

from croupier.diagnostics import Diagnostic, Fix, diagnose, did_you_mean
from croupier.syntax.hints import STATEMENT_HINTS, STATEMENTS, find_hint, help_for
from croupier.syntax.lines import CITATION, PARTNER, Lines, Positioned, SourceLine, goes_on

LAYOUT = ("_NL", "_INDENT", "_DEDENT", "$END")
BELONGS = {
    "else": "put it directly below the block of an `if` or a `choose`, in the column of that word; in a `match`, below the cases",
    "elif": "put it directly below the block of an `if`, in the column of that word",
    "case": "put it below a `match …:`, indented", "option": "put it below a `choose by p:`, indented",
    "group": "put it below a `choose by p:`, indented",
    "only": "put it below a `choose` or an option, indented",
}
CLAUSES = ("where", "by", "merging", "as", "such")
NO_BLOCK = "the indentation fits no block"
CARRIED_ON = "a statement goes on in the next line only inside brackets: put `(` and `)` around what is broken"
CLAUSE = "the clauses of a choice stand on its line: `choose c from … where … by …`"
WORDS = {
    "NAME": "a name", "INT": "a number", "STRING": 'a text in "…"', "_NL": "the end of the line", "COLON": "`:`", "LPAR": "`(`", "RPAR": "`)`",
    "LSQB": "`[`", "RSQB": "`]`", "COMMA": "`,`", "EQUAL": "`=`", "CMP": "a comparison", "DOT": "`.`", "BANG": "`!`", "AUGMENT": "`+=`",
    "RBRACE": "`}`", "QMARK": "`?`", "REPLACE": "`replace`", "VAR": "`var`", "_GROUP": "`group`", "_DOC": "`doc`", "PLACE": "`top` or `bottom`",
    "AT_ONCE": "`at once`",
}  # fmt: skip
QUIET = {
    "SIGN", "MUL", "BANG", "DOT", "LSQB", "LPAR", "LBRACE", "CMP", "AND", "OR", "IS", "_INDENT", "_DEDENT", "AUGMENT", "$END",
}  # fmt: skip
MAX_EXPECTED = 9
OPENS = re.compile(
    r"\s*(?:if|elif|else|for|repeat|match|case|def|replace|may|choose\s+by|option|group|so\s+that|secretly|instead|before|after|adjust"
    r"|in|watch|end\s+when)\b"
)


BRACKETED = re.compile(r"(?:\bof|\bper|:|->|\bis)\s*(\()((?:[^\W\d]\w*\s+or\s+)+[^\W\d]\w*\s*)\)\s*\Z")
ITEM = re.compile(r"\s*(?:replace\s+)?(?:def|window|watch|instead\s+of|end\s+when|(?:adjust|before|after|in)\s+\w+\s*\()")


@dataclass(frozen=True)
class Mistake:
    """The diagnostic, the offset of the statement to leave out, and whether that is out of line."""

    diagnostic: Diagnostic
    at: int
    misaligned: bool = False


def describe_mistake(text: Positioned, lines: Lines, offset: int, error: Exception, start: str) -> Mistake:
    """The mistake that made the parser give up at `offset`; `start` is the kind of text that was parsed."""
    return _Description(text, lines, offset, error, start).mistake()


class _Description:
    def __init__(self, text: Positioned, lines: Lines, offset: int, error: Exception, start: str) -> None:
        self.text, self.lines, self.error, self.start = text, lines, error, start
        self.offset = max(0, min(offset, len(text.text)))
        self.token: Token | None = getattr(error, "token", None)
        self.kind = self.token.type if self.token is not None else ""
        self.line = lines.at(self.offset)
        self.at_end = self.kind in LAYOUT or self.offset >= self.line.end

    def mistake(self) -> Mistake:
        if not isinstance(self.error, UnexpectedInput):
            line = self.lines.all[self.lines.source.count("\n", 0, self.offset)]
            return Mistake(diagnose("P004", self.text.span(line.first, max(line.first, line.end)), problem=NO_BLOCK), line.first, misaligned=True)
        return (
            self.empty_block() or self.open_bracket() or self.open_text() or self.carried_on() or self.habit() or self.no_colon()
            or self.wrong_place() or self.unknown_statement() or self.indented() or self.character() or self.bracketed_type() or self.unexpected()
        )  # fmt: skip

    def say(self, code: str, start: int, end: int, fix: str | None = None, safe: bool = True, help: str | None = None, **args: object) -> Mistake:
        """The diagnostic for the characters between two offsets; `word` is what stands there."""
        span = self.text.span(start, end)
        change = None if fix is None else Fix(span, fix, f"write `{fix.strip()}`" if fix else "leave it out", safe)
        found = diagnose(code, span, fix=change, help=help, **{"word": self.text.text[start:end], **args})  # type: ignore[arg-type]
        return Mistake(found, start if start < end else max(0, start - 1))

    # ------------------------------------------------------------ what the lines show
    def empty_block(self) -> Mistake | None:
        """A line ends with `:` and the next one is not deeper."""
        if self.kind in ("_INDENT", ""):
            return None
        first_of_line = self.kind not in LAYOUT and self.offset == self.line.first
        head = self.lines.before(self.line) if first_of_line else self.line if self.at_end else None
        if head is None or not head.code.endswith(":") or (first_of_line and self.line.indent > head.indent):
            return None
        below = self.lines.after(head)
        if below is not None and below.indent > head.indent:
            return None
        return self.say("P017", head.end - 1, head.end)

    def open_bracket(self) -> Mistake | None:
        begin, _ = self.lines.statement(self.line)
        previous = self.lines.before(begin)
        if previous is not None:  # a bracket left open swallows the line break, and the parser stumbles in the next statement
            left = self.lines.opened(self.lines.statement(previous)[0].start, previous.end)
            if left:
                return self.say("P008", left[-1][0], left[-1][0] + 1, bracket=left[-1][1])
        opened = self.lines.opened(begin.start, self.line.end if self.kind in LAYOUT else self.offset)
        here = "" if self.at_end else self.text.text[self.offset : self.offset + 1]
        at, bracket = opened[-1] if opened else (0, "")
        head = self.kind == "COLON" and self.offset == self.line.end - 1 and bracket != "{"
        if opened and (self.at_end or head or (here in PARTNER.values() and PARTNER[bracket] != here)):
            return self.say("P008", at, at + 1, bracket=bracket)
        if here and here in PARTNER.values() and not opened:
            return self.say("P010", self.offset, self.offset + 1, bracket=here)
        return None

    def open_text(self) -> Mistake | None:
        if self.line.code.count('"') % 2 == 0:
            return None
        at = self.line.start + self.line.code.rfind('"')
        return self.say("P007", at, self.line.start + len(self.line.text.rstrip()))

    def carried_on(self) -> Mistake | None:
        """A statement that goes on in the next line without brackets."""
        above, below = self.lines.before(self.line), self.lines.after(self.line)
        if (self.at_end or self.kind == "_INDENT") and below is not None and goes_on(self.line, below):
            first, second = self.line, below
        elif self.offset == self.line.first and above is not None and goes_on(above, self.line):
            first, second = above, self.line
        else:
            return None
        found = diagnose("P004", self.text.span(second.first, second.end), problem="this goes on with the line above", help=CARRIED_ON)
        return Mistake(found, self.lines.statement(first)[0].first)

    # ------------------------------------------------------------ words
    def habit(self) -> Mistake | None:
        found = find_hint(self.line.code, self.offset - self.line.start)
        if found is None:
            return None
        start = self.line.start
        change = found.habit.replacement
        if found.habit.rewrite is not None:
            change = found.habit.rewrite(self.text.text[start + found.start : start + found.end])
        help = f"write `{change}`" if found.habit.code == "P037" else None
        if found.habit.code == "P060" and self.line.word == "option":
            help = 'write it on the next line, indented: `only if "words": …`; or `if …` on this line'
        return self.say(found.habit.code, start + found.start, start + found.end, change, found.habit.safe, help)

    def no_colon(self) -> Mistake | None:
        line = self.line
        opens = OPENS.match(line.code) is not None
        if opens and self.kind in LAYOUT and "COLON" in self.expected():
            return self.say("P006", line.end, line.end, ":")
        if not opens and self.kind == "COLON" and self.offset == line.end - 1 and line.word in STATEMENTS:
            return self.say("P018", self.offset, self.offset + 1, "")
        return None

    def wrong_place(self) -> Mistake | None:
        line = self.line
        if re.match(r'\s*only\s+if\s+(?!possible\s*")[^\s"]', line.code) and self.offset > line.first:
            at = line.start + line.code.index("if") + 2
            rest = line.code.lstrip()
            possible = re.match(r"only\s+if\s+possible\b", rest)
            return self.say("P015", at, at, help='write `only if possible "…": condition`' if possible else None)
        end, head = line.first + len(line.word), self.lines.before(line)
        if self.kind in LAYOUT or self.lines.code[end : self.offset].strip():
            return None
        if line.word == "option" and (self.token or "").isidentifier() and self._above(line, "choose"):
            help = 'the words of an option stand in quotes, what it is about in braces: `option "take {c}" for c in …:`'
            return self.say("P001", self.offset, self.offset + len(self.token or ""), help=help, found=f"`{self.token}`")
        if line.word == "group" and self.kind == "NAME" and self._above(line, "choose"):
            help = "behind `group` stands what its options share: `group for c in …:` or `group if …:`"
            return self.say("P001", self.offset, self.offset + len(self.token or ""), help=help, found=f"`{self.token}`")
        if line.word == "only" and (self._above(line, "option") or self._above(line, "group") or self._above(line, "choose")):
            return self.say("P016", line.first, line.first + len("only"), to="conditions stand first: put it above the statements of its block")
        if line.word in BELONGS:
            word = re.match(r"only\s+if|\w+", line.code.lstrip())
            return self.say("P016", line.first, line.first + len(word.group()) if word else end, to=BELONGS[line.word])
        if ITEM.match(line.code) and (self.start == "block" or line.indent > 0):
            return self.say("P013", line.first, end, word=line.word)
        while head is not None and head.indent >= line.indent:
            head = self.lines.before(head)
        if self.offset == line.first and head is not None and head.word == "choose":
            if self.kind == "STRING" and head.code.endswith(":"):
                return self.say("P065", line.first, line.first + len(self.token or ""), f"option {self.token}")
            return self.say("P014", line.first, end, help=CLAUSE if line.word in CLAUSES else None)
        return None

    def _above(self, line: SourceLine, word: str) -> bool:
        """Does the line that this one stands below, deeper, begin so?"""
        head = self.lines.before(line)
        while head is not None and head.indent >= line.indent:
            head = self.lines.before(head)
        return head is not None and head.word == word

    def unknown_statement(self) -> Mistake | None:
        """A line that begins like no statement."""
        line = self.line
        if self.start not in ("module", "block") or not line.word:
            return None
        end = line.first + len(line.word)
        if self.start == "module" and line.indent == 0 and self.offset == line.first and not ITEM.match(line.code):
            return self.say("P012", line.first, end, word=line.word)
        could_follow = r"\w|\"|:" if line.word.casefold() in STATEMENT_HINTS else r"\w|\""
        follows = re.match(could_follow, self.text.text[self.offset : self.offset + 1]) and not self.lines.code[end : self.offset].strip()
        if line.word in STATEMENTS or self.offset < end or not follows or self.lines.statement(line)[0] is not line:
            return None
        near = STATEMENT_HINTS.get(line.word.casefold()) or did_you_mean(line.word, STATEMENTS)
        before = self.lines.before(line)
        while before is not None and before.word in CLAUSES:
            before = self.lines.before(before)
        if line.word in CLAUSES and before is not None and before.word in ("choose", "may"):
            help: str | None = CLAUSE
        else:
            help = None if near is None else f"did you mean `{near}`?"
        return Mistake(diagnose("P011", self.text.span(line.first, end), word=line.word, help=help), line.first)

    # ------------------------------------------------------------ the rest
    def indented(self) -> Mistake | None:
        if self.kind != "_INDENT":
            return None
        below = self.lines.after(self.line) or self.line
        found = self.say("P004", below.first, below.end, problem=NO_BLOCK)
        return Mistake(found.diagnostic, self.line.first)

    def character(self) -> Mistake | None:
        if not isinstance(self.error, UnexpectedCharacters):
            return None
        return self.say("P009", self.offset, self.offset + 1, character=self.text.text[self.offset : self.offset + 1])

    def bracketed_type(self) -> Mistake | None:
        """A type in brackets, `list of (A or B)`, which reads like a number until its end."""
        before = self.text.text[self.line.start : self.offset]
        found = BRACKETED.search(before)
        if found is None or self.token is None:
            return None
        at = self.line.start + found.start(1)
        help = f"types take no brackets: write `{found.group(2).strip()}`"
        return Mistake(diagnose("P001", self.text.span(at, at + 1), found="`(`", help=help), self.offset)

    def unexpected(self) -> Mistake:
        words = sorted({WORDS.get(x, f"`{x.lower()}`") for x in self.expected() if x not in QUIET and not x.startswith(("__", "LOST"))})
        notes = (f"here could stand: {', '.join(words)}",) if 0 < len(words) <= MAX_EXPECTED else ()
        if self.token is None or self.kind in LAYOUT:
            span = self.text.span(self.line.end, self.line.end)
            help = help_for(self.line.code.rstrip(), None)
            return Mistake(diagnose("P001", span, found="the end of the line", notes=() if help else notes, help=help), self.line.first)
        span = self.text.span(self.offset, self.offset + len(self.token))
        if self.kind == "COMMA" and re.search(rf"{CITATION}$", self.text.text[self.line.start : self.offset].rstrip()):
            return self.say("P048", self.offset, self.line.start + len(self.line.text.rstrip()))
        help = help_for(self.line.code, self.offset - self.line.start)
        return Mistake(diagnose("P001", span, found=f"`{self.token}`", notes=() if help else notes, help=help), self.offset)

    def expected(self) -> set[str]:
        """The kinds of token that could have stood there."""
        return set(getattr(self.error, "accepts", None) or getattr(self.error, "expected", None) or getattr(self.error, "allowed", None) or ())
