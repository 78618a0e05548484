"""Habits from other languages, and words that rulebooks use but this language does not: a table from patterns to codes.

Of the rows that fit a line with a mistake, the one that begins last before the place where the parser stumbled is the cause.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Rewrite = Callable[[str], str | None]


@dataclass(frozen=True)
class Hint:
    """`pattern` finds it in a line of code; its group `at`, or the whole match, is the place; `replacement` mends it.

    `rewrite` makes the replacement of what stands there, where it is always the same change but not the same text.
    An `exact` habit is the cause only if the parser stumbled at the beginning of that place.
    """

    pattern: re.Pattern[str]
    code: str
    replacement: str | None = None
    safe: bool = True
    exact: bool = False
    rewrite: Rewrite | None = None


def _hint(
    pattern: str, code: str, replacement: str | None = None, *, safe: bool = True, exact: bool = False, rewrite: Rewrite | None = None
) -> Hint:
    return Hint(re.compile(pattern), code, replacement, safe, exact, rewrite)


def _double_quotes(text: str) -> str | None:
    """A text in single quotes in double ones, if it is closed and holds nothing that would mean something there."""
    closed = len(text) > 1 and text.endswith("'")
    return f'"{text[1:-1]}"' if closed and not set('"{}') & set(text) else None


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ONE_COMPARISON = re.compile(r"([^=!<>]*[^=!<>\s])\s*(==|!=|<=|>=|<|>)\s*([^=!<>\s][^=!<>]*)")
_CALLED = re.compile(r"[\w.]*")
_OPERATORS = re.compile(r"\b(?:and|or|not|if|else|for|in|is)\b")


def _repeat_until(text: str) -> str:
    """`while condition` as a `repeat` that ends when the condition does not hold."""
    condition = text.removeprefix("while").strip()
    return "repeat" if condition == "true" else f"repeat until {negated(condition)}"


def negated(condition: str) -> str:
    """The opposite of a condition as it is written, without `not` where there is a simpler way to say it."""
    words = _OPERATORS.findall(condition)
    compared = _ONE_COMPARISON.fullmatch(condition)
    if compared is not None and not words and not set("\"{") & set(condition):
        return f"{compared[1]} {_OPPOSITE[compared[2]]} {compared[3]}"
    bare = condition.removeprefix("not ").strip()
    if words == ["not"] and condition.startswith("not ") and not set("=<>") & set(condition):
        return bare[1:-1].strip() if _is_bracketed(bare) else bare
    if words == ["is"] and condition.endswith(" is none"):
        return condition.removesuffix(" none") + " not none"
    if words == ["is", "not"] and condition.endswith(" is not none"):
        return condition.removesuffix(" not none") + " none"
    one = _is_bracketed(condition[_CALLED.match(condition).end() :])  # type: ignore[union-attr]
    return f"not {condition}" if one or not words and not set("=<>") & set(condition) else f"not ({condition})"


def _is_bracketed(text: str) -> bool:
    """Does one pair of round brackets hold all of it?"""
    depth = 0
    for at, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return at == len(text) - 1 and text.startswith("(")
    return False


_COMPARISON = "(?:==|!=|<=|>=|<|>)"
_CHOOSE = r"^\s*(?:may\s+)?choose\b(?:[^\[\](){}]|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\})*?"
_OPERAND = r'(?=\s*[\w("])(?:(?!\b(?:and|or|if|else|for|in)\b)[^=!<>",()\[\]:])+?'


HINTS: tuple[Hint, ...] = (
    _hint(r"^\s*(?P<at>while)\b(?!.*:\s*$)", "P020"),
    _hint(r"^\s*(?P<at>while\b.*\S)\s*:\s*$", "P020", rewrite=_repeat_until, safe=False),
    _hint(r"^\s*finish\s+(?:rank|pay)\b.*?\s(?P<at>by)\b", "P056", exact=True),
    _hint(r"^\s*finish\s+(?P<at>winners?|wins|ranking|payout|losers?|drawn)\b", "P057"),
    _hint(r"^\s*finish\s+(?P<at>(?!(?:win|rank|pay|lose|draw)\b)\w+)", "P057", exact=True),
    _hint(r"^\s*\w+\s*=\s*(?P<at>choose|roll)\b", "P045"),
    _hint(r"\blambda\b", "P021"),
    _hint(r"&&", "P022", "and"),
    _hint(r"\|\|", "P023", "or"),
    _hint(r"^\s*\w[\w.\[\]]*(?P<at>\s*\+\+)\s*$", "P024", " += 1"),
    _hint(r"^\s*\w[\w.\[\]]*(?P<at>\s*--)\s*$", "P024", " -= 1"),
    _hint(r"\+\+|--(?!\s*[\w(])", "P024"),
    _hint(r"'[^']*'?", "P025", rewrite=_double_quotes),
    _hint(r"^\s*(?:if|elif|match|group if|repeat until|only if (?:possible )?\"x*\":|end when)\b[^=!<>\":]*[^=!<>:](?P<at>=)(?![=<>])", "P026", "=="),
    _hint(
        r"^\s*(?:return\b|option\b|group\b|(?:may\s+)?choose\b|(?:(?:let|var)\s+)?[\w.\[\]]+\s*[+-]?=(?!=)).*?(?<![=<>!+-])(?P<at>=)(?![=<>])",
        "P026", "==", exact=True,
    ),
    _hint(r"\b[fFrRbB](?=\")", "P027", ""),
    _hint(r'^\s*(?P<at>print|log)(?=\s+")', "P028", "announce"),
    _hint(r"^\s*(?P<at>print|log)\b", "P028"),
    _hint(r"%", "P029", "mod"),
    _hint(r"(?<!/)/(?!/)", "P030", "//", safe=False),
    _hint(r"\b(?P<at>is\s+not)\s+(?![^\W\d])", "P031", "!="),
    _hint(r"\b(?P<at>is)\s+(?![^\W\d])", "P031", "=="),
    _hint(r"\*\*|\^", "P032"),
    _hint(r"^\s*(?:if|elif)\b.*?(?P<at>\s+then\s*:?)(?=\s|$)", "P033", ":"),
    _hint(r"^\s*finish\s+(?:rank|pay)\b.*?(?P<at>\bthen)\b", "P066"),
    _hint(r"^(?!\s*(?:if|elif)\b)(?:.*\s)?(?P<at>then)\b", "P033"),
    _hint(r"\belse\s+if\b|\belsif\b|\belseif\b", "P034", "elif"),
    _hint(r"\?\?", "P035", "otherwise"),
    _hint(r"\bwith\s+probability\b", "P036"),
    _hint(r"===", "P037", "=="),
    _hint(r"!==|<>|=!", "P037", "!="),
    _hint(r"=<", "P037", "<="),
    _hint(r"=>", "P037", ">="),
    _hint(r"(?<![\w.])[0-9]+\.[0-9]+", "P038"),
    _hint(r"(?P<at>\s*;)\s*$", "P039", ""),
    _hint(r";", "P039"),
    _hint(rf"{_COMPARISON}{_OPERAND}(?P<at>{_COMPARISON})", "P044", exact=True),
    _hint(r"\b(?:let|var)\s+\w+\s*=\s*(?P<at>choose)\b", "P045"),
    _hint(r"^\s*move\b(?!\s+(?:\d+|an?)\b).*?\s(?P<at>from)\b", "P046", exact=True),
    _hint(r"^\s*move\s+(?P<at>(?:\d+|an?)(?:\s+\w+)?\s+from)\b", "P058"),
    _hint(_CHOOSE + r"(?<!only)\s(?P<at>if)\b(?!.*\belse\b)", "P059", "where"),
    _hint(_CHOOSE + r"\s(?P<at>only\s+if)\b", "P060"),
    _hint(r"^\s*option\b.*\s(?P<at>only\s+if)\b", "P060"),
    _hint(r"\"x*\"\s*(?P<at>\+)", "P061", exact=True),
    _hint(r"^\s*finish\s+\w+\b.*?\s(?P<at>where|for)\b", "P062", exact=True),
    _hint(r"(?P<at>!)(?=[\w(])", "P047", "not ", exact=True),
    _hint(r"@\S*", "P048"),
    _hint(r"^\s*for\s+(?:\w+\s*)?(?P<at>=|of|each|from)(?![\w=])", "P049"),
    _hint(r"^\s*(?:may\s+)?(?P<at>choose)\b(?!.*\bfrom\b)(?!\s+by\b)", "P040"),
    _hint(r"^\s*(?P<at>draw)\b(?!.*\bfrom\b)", "P041"),
    _hint(r"^\s*[\w.\[\]()]+\s*(?P<at>==)", "P053", "=", exact=True),
    _hint(r"^\s*(?:let|var)\s+(?P<at>\w+)[^=]*$", "P042"),
    _hint(r"^\s*(?:def|window)\s+(?P<at>\w+)\s*(?:[^(\s\w].*)?$", "P043"),
    _hint(r"^\s*(?:replace\s+)?(?:def|window)\s+\w+\s*\((?:[^,()]*:[^,()]*,)*\s*(?:var\s+)?(?P<at>\w+)\s*[,)=]", "P050"),
)


ONE_OF_TWO = "one of two values is written `a if c else b`"

# what says here what stands in a line where the parser stumbled, at the place called `at` or at its `end`; for what has no code of its own
_HELP: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), help)
    for pattern, help in (
        (
            r"[\w\])]\[(?:[^\[\]()]|\([^()]*\))*?(?P<at>,)",
            "every pair of brackets takes one key: `a[i][j]`; the cell of a row and a column is `board.at(row, column)!`",
        ),
        (r"^\s*for\s+\w+\s*(?P<at>,)", "a `for` goes through one thing at a time; where it stands among others is `xs.position(x)`"),
        (r"\bonly if (?:possible )?\"x*\":[^,]*(?P<at>,)", "join conditions with `and`, or give each an `only if` of its own"),
        (r"(?<!\w)\([^()]*?(?P<at>,)", "there are no pairs: a list is `[a, b]`, the cell of a row and a column `board.at(row, column)`"),
        (r"\b\d+(?P<at>d\d+)\b", "dice are components with a face: `Die: {mutable: {face: 1..6 = 1}, count: 2}`; `roll` takes those in a zone"),
        (r"^\s*(?:may\s+)?choose\s+from\s+(?P<at>\w+)", "what is chosen needs a name: `choose c from …`"),
        (r"^\s*(?:may\s+)?choose\s+(?P<at>\[)", "how many stands without brackets: `choose 1..3 cs from …`"),
        (
            r"^\s*(?:option|group|case|for|if|elif|else|otherwise)\b.*:\s*(?:choose|if|for|match|repeat)\s+(?P<at>\w+)",
            "what has a block or asks stands on a line of its own below this one, indented",
        ),
        (r"^\s*(?:option|group)\b.*\s(?P<at>where)\b", "an option that is not there is left out with `if`: `option \"…\" for c in … if …:`"),
        (r"^\s*repeat\s+(?P<at>\S+).*\btimes\b", "so many times is a loop over numbers: `for n in 1..4:`"),
        (r"^\s*draw\s+from\s+(?P<at>\w+)", "say how many: `draw 1 from …`"),
        (r"\bseen(?P<at>_by)\b", "on one line it is `seen by`; `seen_by:` is a key"),
        (
            r"^\s*finish\s+win(?:\s+if\s+(?P<at>\w+).*|(?P<end>)\s*$)",
            "say who wins: `finish win p`; nobody does: `finish lose`; only then: `if …: finish win p`",
        ),
        (r"^\s*(?:let|var|return)\b(?!.*\belse\b).*\sif\s.*(?P<end>)$", ONE_OF_TWO),
        (r"[=(,]\s*if\s+(?P<at>\w+)", ONE_OF_TWO),
        (r"(?P<at>\?)", ONE_OF_TWO),
        (r"^\s*\w.*\sif\s(?!.*\belse\b).*(?P<end>)$", "what happens only if something holds stands behind that: `if n > 2: …`"),
        (r"^\s*\d+\s*-\s*\d+\s*(?:(?P<end>)$|(?P<at>=|[a-z]+).*)", "the numbers from one to another are written with two dots: `0..99`"),
        (r"^\s*for\b.*\s(?P<at>where)\b", "some of them only are gone through with `if`: `for x in xs if …:`"),
        (r"^\s*for\s+\w+\s+in\s.*?\s(?P<at>to)\b", "the numbers from one to another are `1..5`"),
        (r"\bcount\(\w+\s+in\b.*?\sif\s.*?(?P<at>\))", "`count(x.a == b for x in xs)` counts for how many something holds"),
        (r"\(\w+\s+in\b.*?\sif\s.*?(?P<at>\))", "what is gone through stands behind `for`: `any(x.a == b for x in xs)`, `max(x.n for x in xs if …)`"),
        (r"\bis\s+(?:not\s+)?\w+(?P<at>[.\[(])", "`is` asks of which kind something is, or for `none`; values are compared with `==` and `!=`"),
        (r"^\s*draw\s+\S+\s+(?P<at>\w+)\s+from\b", "how many stands alone: `draw 5 from …`"),
    )
)


def help_for(code: str, at: int | None) -> str | None:
    """What helps where nothing else explains why the parser stumbled at column `at` (from 0) of a masked line, or at its end (none)."""
    group = "end" if at is None else "at"
    rows = ((pattern, help) for pattern, help in _HELP if group in pattern.groupindex)
    return next((help for pattern, help in rows for m in pattern.finditer(code) if m[group] is not None and at in (None, m.start(group))), None)


@dataclass(frozen=True)
class Found:
    """A habit in a line: the characters from `start` to `end`."""

    habit: Hint
    start: int
    end: int


def find_hint(code: str, at: int) -> Found | None:
    """The habit that made the parser stumble at column `at` (from 0) of a masked line, if any row of the table fits."""
    found: list[Found] = []
    for habit in HINTS:
        for m in habit.pattern.finditer(code):
            group = "at" if "at" in habit.pattern.groupindex else 0
            if m.start(group) == at or (m.start(group) < at and not habit.exact):
                found.append(Found(habit, m.start(group), m.end(group)))
    return max(found, key=lambda f: f.start, default=None)


# words that begin a line of a rulebook, and the statement that says it here
STATEMENT_HINTS = {
    "ask": "choose", "chooses": "choose", "deal": "draw", "deals": "draw", "discard": "move", "each": "for", "end": "finish", "every": "for",
    "foreach": "for", "forever": "repeat", "give": "move", "log": "announce", "loop": "repeat", "loses": "finish lose", "pick": "choose",
    "place": "move", "play": "move", "print": "announce", "put": "move", "raise": "finish", "say": "announce", "select": "choose", "set": "let",
    "stop": "break", "switch": "match", "take": "draw", "throw": "roll", "unless": "if not …", "until": "repeat until", "win": "finish win",
    "wins": "finish win",
}  # fmt: skip
STATEMENTS = (
    "let", "var", "return", "break", "continue", "pass", "if", "for", "repeat", "match", "move", "draw", "shuffle", "roll", "swap", "add", "remove",
    "show", "reveal", "tell", "announce", "open", "claim", "finish", "choose", "may", "so", "secretly",
)  # fmt: skip
