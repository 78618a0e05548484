"""Operators that make mistakes in a ruleset: candidates for `tests/data/mistakes`, to be judged by hand.

In comes the text of a ruleset, out come rows as they stand in those files. Each operator changes one line in
one way: it misspells a word of the language or a name, leaves a sign out, writes a word of another language
or a character that looks like another, moves a line, or doubles it. What the first message should name is
known by the kind of change. Which candidates are taken is drawn by a seed: the same seed proposes the same
rows.

A candidate may be no mistake at all (a line that may stand twice), or one that should be told in other words:
that is for whoever reads them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

WORDS = (
    *(
        "adjust",
        "after",
        "announce",
        "before",
        "break",
        "case",
        "choose",
        "continue",
        "def",
        "draw",
        "elif",
        "else",
        "finish",
        "for",
        "from",
        "if",
    ),
    *(
        "instead",
        "let",
        "match",
        "move",
        "not",
        "only",
        "option",
        "otherwise",
        "players",
        "repeat",
        "return",
        "reveal",
        "roll",
        "show",
        "shuffle",
    ),
    *("swap", "tell", "until", "var", "where", "with"),
)
"""Words of the language that are misspelt: at the beginning of statements and inside of them."""
FOREIGN = {
    "and": ("&&", "AND"),
    "or": ("||", "OR"),
    "not": ("NOT",),
    "none": ("None", "null"),
    "true": ("True", "TRUE"),
    "false": ("False",),
    "elif": ("else if", "elseif", "elsif"),
    "==": ("===",),
    "!=": ("<>",),
    "mod": ("%",),
    "def": ("function", "fn"),
    "break": ("exit",),
    "option": ("opt",),
}
"""The words of other languages that people write instead."""
LOOK_ALIKE = {
    " ": "\u00a0",
    '"': "\u201d",
    "-": "\u2013",
    ">=": "\u2265",
    "<=": "\u2264",
    "!=": "\u2260",
    "->": "\u2192",
    "*": "\u00d7",
    "..": "\u2026",
}
"""Characters that word processors and web pages put in the place of others."""


@dataclass(frozen=True)
class Line:
    """A line of a ruleset: `number` from 0, and whether it is rule text."""

    number: int
    text: str
    is_rule: bool


@dataclass(frozen=True)
class Change:
    """Another text for a line (which may be several lines), what that is in words, and what the first message
    should name.
    """

    line: Line
    text: str
    what: str
    says: str


Operator: TypeAlias = Callable[[Line, random.Random], Iterator[Change]]


def lines_of(text: str) -> list[Line]:
    """The lines of a ruleset that say something, without prose and comments.

    Rule text is what stands deeper than a line that ends with `|`.
    """
    found = []
    block: int | None = None  # the indentation of the line that began the block
    is_prose = False  # the block, or the line alone
    for number, line in enumerate(text.splitlines()):
        indent = len(line) - len(line.lstrip())
        if block is not None and line.strip() and indent <= block:
            block, is_prose = None, False
        is_said = line.strip() and not line.lstrip().startswith(("#", "doc", "title:"))
        if is_said and not is_prose:
            found.append(Line(number, line, block is not None))
        if re.search(r":\s*[|>]-?\s*$", line):
            block, is_prose = indent, line.lstrip().startswith("doc") or line.rstrip().endswith((">", ">-"))
    return found


# ---------------------------------------------------------------- operators
def misspelt(word: str, rng: random.Random) -> str:
    """The word with two neighbouring letters in the other order, a letter left out, or one doubled."""
    place = rng.randrange(1, len(word) - 1)
    match rng.randrange(3):
        case 0 if word[place] != word[place + 1]:
            return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
        case 1:
            return word[:place] + word[place + 1 :]
        case _:
            return word[:place] + word[place] + word[place:]


def code_of(line: Line) -> str:
    """The line without its texts, comments and citations, which are blanked."""
    return re.sub(r'"[^"]*"|#.*|@[A-Z].*', lambda found: " " * len(found.group()), line.text)


def misspell_word(line: Line, rng: random.Random) -> Iterator[Change]:
    """A word of the language misspelt."""
    for found in re.finditer(r"[a-z]+", code_of(line)):
        if line.is_rule and found.group() in WORDS and len(found.group()) > 2:
            wrong = misspelt(found.group(), rng)
            yield Change(
                line,
                _with(line, found, wrong),
                f"{found.group()} misspelt as {wrong}",
                f"`{found.group()}`|`[^`]*{found.group()} [^`]*`",
            )


def misspell_name(line: Line, rng: random.Random) -> Iterator[Change]:
    """A name misspelt: a longer word that is none of the language."""
    for found in re.finditer(r"(?<![.\w])[a-z_]{4,}\b(?!\()", code_of(line)):
        if (
            line.is_rule
            and found.group() not in WORDS
            and not line.text.lstrip().startswith(("def ", "let ", "var ", "choose "))
        ):
            wrong = misspelt(found.group(), rng)
            yield Change(
                line, _with(line, found, wrong), f"the name {found.group()} misspelt", f"`{found.group()}`"
            )


def leave_sign_out(line: Line, rng: random.Random) -> Iterator[Change]:
    """A sign left out."""
    says = {
        ":": "`:`|colon",
        ",": "`,`|comma",
        ")": r"`\)`|`\(`|bracket",
        "]": r"`\]`|`\[`|bracket",
        "}": r"`\}`|`\{`|brace",
        '"': "quot",
    }
    for found in re.finditer(r'[:,)\]}"]', line.text.split("  @")[0].split("#")[0]):
        sign = found.group()
        if sign != ":" or found.end() == len(line.text.rstrip()) or not line.is_rule:
            yield Change(line, _with(line, found, ""), f"`{sign}` left out", says[sign])


def assign_for_compare(line: Line, rng: random.Random) -> Iterator[Change]:
    """`=` for `==`."""
    for found in re.finditer(r"==", code_of(line)):
        yield Change(line, _with(line, found, "="), "= for ==", "`==`")


def foreign_word(line: Line, rng: random.Random) -> Iterator[Change]:
    """A word or sign of another language."""
    for word, others in FOREIGN.items() if line.is_rule else ():
        pattern = rf"\b{word}\b" if word.isalpha() else re.escape(word)
        for found in re.finditer(pattern, code_of(line)):
            other = rng.choice(others)
            # "a block of a `def`" names another
            says = "write `def|did you mean `def|begins with `def" if word == "def" else f"`{word}`"
            yield Change(line, _with(line, found, other), f"{other} for {word}", says)


def look_alike(line: Line, rng: random.Random) -> Iterator[Change]:
    """A character that looks like another."""
    found = [(sign, place) for sign in LOOK_ALIKE for place in _places(sign, line)] if line.is_rule else []
    signs = sorted({sign for sign, _ in found})
    if signs:
        sign = rng.choice(signs)  # first the sign: spaces are everywhere
        place = rng.choice([place for one, place in found if one == sign])
        other = LOOK_ALIKE[sign]
        new = line.text[:place] + other + line.text[place + len(sign) :]
        yield Change(
            line,
            new,
            f"U+{ord(other):04X} for {sign!r}",
            f"U\\+{ord(other):04X}|looks? like|typographic|no-?n?-?break",
        )


def indent(line: Line, rng: random.Random) -> Iterator[Change]:
    """A line indented otherwise."""
    begin = len(line.text) - len(line.text.lstrip())
    by = rng.choice((-2, -1, 1, 2))
    if line.text.strip() and begin + by > 0:
        how = "too far" if by > 0 else "too little"
        says = "indent|further (right|left)|between two|column|inside"
        yield Change(line, " " * (begin + by) + line.text.lstrip(), f"indented {abs(by)} {how}", says)


def tab(line: Line, rng: random.Random) -> Iterator[Change]:
    """A tab for the spaces before a line."""
    begin = len(line.text) - len(line.text.lstrip())
    if begin >= 2:
        yield Change(line, "\t" + line.text.lstrip(), "a tab before the line", r"\btab\b")


def double(line: Line, rng: random.Random) -> Iterator[Change]:
    """An entry that stands twice."""
    if not line.is_rule and re.match(r"\s+\w+: \{.*\}$", line.text):
        yield Change(line, f"{line.text}\n{line.text}", "an entry doubled", "twice|already|again")


def glue(line: Line, rng: random.Random) -> Iterator[Change]:
    """A space left out between a word of the language and a name."""
    for found in re.finditer(r"\b(?:and|or|not|to|from|in|by|if|for|move|draw|return) (?=\w)", code_of(line)):
        if line.is_rule:
            yield Change(
                line,
                _with(line, found, found.group().strip()),
                f"no space behind {found.group().strip()}",
                f"space|`{found.group().strip()}`",
            )


OPERATORS: dict[str, Operator] = {
    "misspell a word": misspell_word,
    "misspell a name": misspell_name,
    "leave a sign out": leave_sign_out,
    "= for ==": assign_for_compare,
    "a foreign word": foreign_word,
    "a look-alike": look_alike,
    "indent": indent,
    "a tab": tab,
    "double": double,
    "glue": glue,
}


def _places(sign: str, line: Line) -> list[int]:
    """Return the places of a sign in a line, behind its indentation and outside of texts; of quotes those
    that begin one.
    """
    begin = len(line.text) - len(line.text.lstrip())
    searched = line.text if sign == '"' else code_of(line).rstrip()
    return [
        found.start()
        for found in re.finditer(rf"(?<![=<>.-]){re.escape(sign)}(?![=>.])", searched)
        if found.start() >= begin
    ]


def _with(line: Line, found: re.Match[str], new: str) -> str:
    return line.text[: found.start()] + new + line.text[found.end() :]


# ---------------------------------------------------------------- rows
def propose(text: str, ruleset: str, seed: int, each: int = 1) -> list[dict[str, str]]:
    """Rows for a ruleset, `each` of every operator as far as there are so many, in the order of the
    operators.
    """
    rng = random.Random(f"{ruleset} {seed}")
    lines = lines_of(text)
    rows = []
    for operator in OPERATORS.values():
        changes = [change for line in lines for change in operator(line, rng)]
        for change in rng.sample(changes, min(each, len(changes))):
            row = row_of(change, text, ruleset)
            if row is not None:
                rows.append(row)
    return rows


def row_of(change: Change, text: str, ruleset: str) -> dict[str, str] | None:
    """The row of a change.

    Where the line stands more than once, the next ones tell which it is; `None` where three do not.
    """
    lines = text.splitlines(keepends=True)
    begin = change.line.number
    for more in range(3):
        behind = "".join(lines[begin + 1 : begin + 1 + more])
        old = lines[begin] + behind
        if text.count(old) == 1:
            return {
                "what": change.what,
                "in": ruleset,
                "old": old,
                "new": f"{change.text}\n{behind}",
                "says": change.says,
            }
    return None
