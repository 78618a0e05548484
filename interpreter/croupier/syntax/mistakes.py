"""Descriptions of syntax errors: what is wrong, and where its cause is.

The shape of the lines is checked first (an empty block, a bracket or a text never closed), then syntax of
other languages (`HINTS`), then words in the wrong place. If nothing explains the error, the diagnostic names
what the parser expected.

`HINTS` maps patterns to codes: syntax of other languages, and words that rulebooks use but this language does
not. Of the rows that match a line with an error, the cause is the one that begins last before the parser's
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from dataclasses import dataclass, replace

from lark import Token, UnexpectedCharacters, UnexpectedInput

from croupier.diagnostics import Diagnostic, Fix, Label, Span, diagnose, did_you_mean
from croupier.source.indentation import beside_the_lines_below, out_of_line
from croupier.source.statement_words import STATEMENT_WORDS
from croupier.syntax.lines import CITATION, PARTNER, Lines, Positioned, SourceLine, continues
from croupier.syntax.needed import needed
from croupier.syntax.spelling import WORDS, Proposal, Trial, misspelt

# ------------------------------------------------------------ what people write who know other languages
Rewrite = Callable[[str], str | None]


@dataclass(frozen=True)
class Hint:
    """`pattern` finds it in a line of code; its group `at`, or the whole match, is the span; `replacement` is
    the fix.

    `rewrite` computes the fix from the text of the span.
    An `exact` hint is the cause only if the parser's error is at the beginning of the span.
    """

    pattern: re.Pattern[str]
    code: str
    replacement: str | None = None
    safe: bool = True
    exact: bool = False
    rewrite: Rewrite | None = None


def _hint(
    pattern: str,
    code: str,
    replacement: str | None = None,
    *,
    safe: bool = True,
    exact: bool = False,
    rewrite: Rewrite | None = None,
) -> Hint:
    return Hint(re.compile(pattern), code, replacement, safe, exact, rewrite)


def _once(text: str) -> str:
    """A sign or a word that stands twice, once."""
    half = text[: len(text) // 2].strip()
    return half if text.replace(half, "").strip() == "" else text.split()[0]


def _double_quotes(text: str) -> str | None:
    """A text in single quotes in double ones, if it is closed and holds nothing that would mean something
    there.
    """
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
    if compared is not None and not words and not set('"{') & set(condition):
        return f"{compared[1]} {_OPPOSITE[compared[2]]} {compared[3]}"
    bare = condition.removeprefix("not ").strip()
    if words == ["not"] and condition.startswith("not ") and not set("=<>") & set(condition):
        return bare[1:-1].strip() if _is_bracketed(bare) else bare
    if words == ["is"] and condition.endswith(" is none"):
        return condition.removesuffix(" none") + " not none"
    if words == ["is", "not"] and condition.endswith(" is not none"):
        return condition.removesuffix(" not none") + " none"
    one = _is_bracketed(condition[_CALLED.match(condition).end() :])  # type: ignore[union-attr]
    return (
        f"not {condition}" if one or not words and not set("=<>") & set(condition) else f"not ({condition})"
    )


def _is_bracketed(text: str) -> bool:
    """Tell whether one pair of round brackets holds the whole text."""
    depth = 0
    for at, sign in enumerate(text):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return at == len(text) - 1 and text.startswith("(")
    return False


LONGEST_TEXT = 40  # characters of a line that help repeats
_GIVEN_OTHERWISE = re.compile(r"(?P<name>\w+)\s*(?::|\bbe\b|\bis\b|\bto\b)\s*(?P<value>[^\s=:#@][^=:#@]*)")
_COMPARISON = "(?:==|!=|<=|>=|<|>)"
_CHOOSE = r"^\s*(?:may\s+)?choose\b(?:[^\[\](){}]|\[[^\[\]]*\]|\([^()]*\)|\{[^{}]*\})*?"
_OPERAND = r'(?=\s*[\w("])(?:(?!\b(?:and|or|if|else|for|in)\b)(?:[^=!<>",()\[\]:]|\[[^\[\]]*\]|\([^()]*\)))+?'


HINTS: tuple[Hint, ...] = (
    _hint(r"^\s*(?P<at>//|/\*|--\s)", "P073", exact=True),
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
    _hint(r"(?P<at>'[^']*')(?!\w)", "P025", rewrite=_double_quotes),
    _hint(r"'.*'?", "P025", rewrite=_double_quotes),
    _hint(
        r"^\s*(?:if|elif|match|group if|repeat until|only if (?:possible )?\"x*\":|end "
        r"when)\b[^=!<>\":]*[^=!<>:](?P<at>=)(?![=<>])",
        "P026",
        "==",
    ),
    _hint(
        r"^\s*(?:return\b|option\b|group\b|(?:for|before|after|adjust|instead|in|watch)\b.*?\sif\b|(?:may\s+)?choose\b|(?:(?:let|var)\s+)?[\w.\[\]]+\s*[+-]?=(?!=)).*?(?<![=<>!+-])(?P<at>=)(?![=<>])",
        "P026",
        "==",
        exact=True,
    ),
    _hint(r"\b[fFrRbB](?=\")", "P027", ""),
    _hint(r'^\s*(?P<at>print|log)(?=\s+")', "P028", "announce"),
    _hint(r"^\s*(?P<at>print|log)\b", "P028"),
    _hint(r"%", "P029", "mod"),
    _hint(r"(?<!/)/(?!/)", "P030", "//", safe=False),
    _hint(
        r"\b(?P<at>is\s+(?:==|!=|<=|>=|<|>))", "P031", rewrite=lambda text: text.removeprefix("is").strip()
    ),
    _hint(r"\b(?P<at>is\s+not\s+(?:==|=))(?!=)", "P031", "!="),
    _hint(r"\b(?P<at>is\s+not\s+(?:!=|<=|>=|<|>))", "P031", "!=", safe=False),
    _hint(r"\b(?P<at>is\s+not)\s+(?![^\W\d]|[=!<>])", "P031", "!="),
    _hint(r"\b(?P<at>is)\s+(?![^\W\d]|[=!<>])", "P031", "=="),
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
    _hint(
        r"(?P<at>(->|\+=|-=|==|:|,|\b(?:from|to|in|by|if|where|and|or|not|for|with|at|as|is)\b)\s*\2)(?![\w=])",
        "P080",
        rewrite=_once,
    ),
    _hint(r"\+==|-==", "P080", rewrite=lambda text: text[:2]),
    _hint(r"->", "P071"),
    _hint(r"^\s*(?:replace\s+)?def\s+\w+\s*\([^()]*\)(?P<at>\s*:)\s*\w[^:]*:", "P071"),
    _hint(r"\.\.\.", "P077", ".."),
    _hint(r"\bin\s+\d+(?P<at>\.)\d+", "P077", "..", safe=False),
    _hint(r"\s(?P<at>//)(?=\s*[a-z]+\s+[a-z]+)", "P073"),
    _hint(r":=", "P072", "=", exact=True),
    _hint(r"\s*(?P<at>\{)\s*$", "P074", ":", exact=True),
    _hint(r"^\s*(?P<at>only-if)\b", "P068", "only if"),
    _hint(r"^\s*(?P<at>else)\s+(?!if\b)[^:\s].*:", "P034", "elif", safe=False),
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
    _hint(r"^\s*for\s+(?P<at>each\s+)\w+\s+in\b", "P049", ""),
    _hint(r"^\s*for\s+\(\s*(?:let\s+|var\s+)?\w+\s*(?P<at>=)(?!=)", "P049"),
    _hint(r"^\s*for\s+(?:\w+\s*)?(?P<at>=|of|each|from)(?![\w=])", "P049"),
    _hint(r"^\s*(?:may\s+)?(?P<at>choose)\b(?!.*\bfrom\b)(?!\s+by\b)", "P040"),
    _hint(r"^\s*(?P<at>draw)\b(?!.*\bfrom\b)", "P041"),
    _hint(r"^\s*[\w.\[\]()]+\s*(?P<at>==)", "P053", "=", exact=True),
    _hint(r"^\s*(?:let|var)\s+(?P<at>\w+)[^=]*$", "P042"),
    _hint(r"^\s*(?:def|window)\s+(?P<at>\w+)\s*(?:[^(\s\w].*)?$", "P043"),
    _hint(
        r"^\s*(?:replace\s+)?(?:def|window)\s+\w+\s*\((?:[^,()]*:[^,()]*,)*\s*(?:var\s+)?(?P<at>\w+)\s*[,)=]",
        "P050",
    ),
)


FUNCTIONS = "abs|max|min|count|sum|any|all|next|previous|others|clockwise|turns|sorted|best|worst"
ONE_OF_TWO = "one of two values is written `a if c else b`"
ONE_LOSES = "where one player loses, the others win: `finish win others(<who>)`; nobody wins: `finish lose`"

# help for constructs without a code of their own; the parser's error is at the group `at` of the pattern, or
# at its `end`
_HELP: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), help)
    for pattern, help in (
        (
            r"^\s*for\s+(?P<who>\w+)\s+(?P<at>at\s+once)\s+in\s+(?P<of>[^\s:]+)",
            "`at once` stands behind the players: `for <who> in <of> at once`",
        ),
        (
            r"\bby\s+every\s+(?!\w+\s+in\b)\w+\s*(?P<end>)$",
            "a name for each player is missing behind `every`: `by every p in players`",
        ),
        (
            r"^\s*announce\s+(?P<at>[^\W\d]\w*)(?P<rest>\s[^\"]*)$",
            'a text stands in quotation marks: `announce "<at> <rest>"`',
        ),
        (r"^\s*(?P<n>\w+)\s*(?P<at><)-\s*(?P<v>.+)$", "a new value is given with `=`: `<n> = <v>`"),
        (
            r"(?P<s>[-+*/<>=]|\b(?:and|or|not|mod))\s*(?P<end>)$",
            "a value is missing behind `<s>`: write a name or a number there",
        ),
        (
            r"\bif\s+(?P<a>\w+)(?P<at>,)(?P<b>[^\W\d]\w*)\s*(?:==|!=|<|>|in\b|is\b)",
            "a full stop, `.`, stands between a thing and its attribute: `<a>.<b>`",
        ),
        (
            r"^\s*per\s+(?P<at>[A-Z]\w*)\s+(?P<t>[^=]+?)\s*(?:=.*)?$",
            "the type stands before `per`: `<t> per <at>`",
        ),
        (
            r"^\s*(?:\S+\.\.\S+|\w+)\s+(?P<at>each|for)\s+(?P<k>[A-Z]\w*)",
            "for each of several is written `per <k>`",
        ),
        (
            r"^\s*repeat\s+(?P<at>while)\b",
            "`repeat` says when it ends, not how long it goes on: `repeat until …`, with the opposite "
            "condition",
        ),
        (r"^\s*(?P<at>is)\s+(?P<v>[^:]+):", "each of the cases begins with `case`: `case <v>:`"),
        (r"^\s*tell\s+to\s+(?P<at>\w+)", "leave out `to`: `tell <at> that …`"),
        (
            r"^\s*.*?\bswap\s+(?P<a>\S+)\s+and\s+(?P<b>.+?)\s+(?P<at>as)\b",
            "`with` stands between the two: `swap <a> with <b>`",
        ),
        (
            r"^\s*.*?\bswap\s+(?P<a>\S+)\s+and\s+(?P<b>\S+)\s*(?P<end>)$",
            "`with` stands between the two: `swap <a> with <b>`",
        ),
        (r"(?P<x>[\w.\[\]]+)\s+not\s+(?P<at>empty)\b", "write `not <x>.empty`"),
        (
            r"^\s*(?:replace\s+)?def\s+\w+\([^)]*?\b(?P<t>[A-Z]\w*)\s+(?P<at>\w+)",
            "the name stands first, then what it is: `<at>: <t>`",
        ),
        (
            r"^\s*(?P<a>[A-Za-z]\w*)(?P<at>,)(?P<rest>[\w\s,]*)$",
            "several words stand in brackets: `[<a>, <rest>]`",
        ),
        (
            r"^\s*option\s+\"x*\":\s*if\s+(?P<at>\w+)",
            'the condition stands before the colon: `option "…" if …:`',
        ),
        (
            r"^\s*only\s+if\s+(?:possible\s+)?\"x*\"\s*(?P<end>)$",
            'a `:` and the condition come next: `only if "…": …`',
        ),
        (
            r"^\s*(?:before|after|in|adjust|instead\s+of)\s+\w+\([^)]*?\w+\s*(?P<at>:)",
            "the parameters stand here without their types: `before turn(p)`",
        ),
        (
            r"^\s*(?:before|after|adjust|instead\s+of)\s+\w+\s*(?P<at>:)",
            "brackets are missing behind the name: write `before turn(_):`, where `_` stands for any value",
        ),
        (r"\]\s*\[[^\]]*?(?P<at>,)", "a comma is missing between the two lists"),
        (
            r"[\w\])]\[(?:[^\[\]()]|\([^()]*\))*?(?P<at>,)",
            "every pair of brackets takes one key: `a[i][j]`; the cell of a row and a column is "
            "`board.at(row, column)!`",
        ),
        (
            r"(?:\b(?:and|or|not|otherwise|in)\b|[-+*/<>])\s*suppose\s+(?P<at>\w+)",
            "within another expression a supposition stands in brackets: `… and (suppose … gives …)`",
        ),
        (
            r"^\s*for\s+\((?P<x>\w+)\s+in\s+(?P<xs>.+)\)\s*(?P<at>:)",
            "a loop has no brackets: `for <x> in <xs>:`",
        ),
        (
            r"^\s*for\s+(?P<n>\w+)\s+(?P<at>sec|secs|s|minutes?|mins?|milliseconds?|ms)\b",
            "the time of a block is given in seconds: `for <n> seconds:`",
        ),
        (
            r"^\s*for\s+(?P<n>.+?\s+seconds?\s+otherwise)\b\s*(?P<at>:|\w+)",
            "`otherwise` says what is chosen for who is late: `for <n> first:` or `for <n> random:`",
        ),
        (
            r"^\s*for\s+\w+\s*(?P<at>,)",
            "a `for` goes through one thing at a time; where it stands among others is `xs.position(x)`",
        ),
        (
            r"\bonly if (?:possible )?\"x*\":[^,]*(?P<at>,)",
            "join conditions with `and`, or give each an `only if` of its own",
        ),
        (
            r"(?<!\w)\([^()]*?(?P<at>,)",
            "there are no pairs: a list is `[a, b]`, the cell of a row and a column `board.at(row, column)`",
        ),
        (
            r"\b\d+(?P<at>d\d+)\b",
            "dice are components with a face: `Die: {mutable: {face: 1..6 = 1}, count: 2}`; `roll` takes "
            "those in a zone",
        ),
        (
            r"(?<![\w.])\d+(?P<at>[^\W\d]\w*)",
            "a number is written with digits only, and a space stands before the word behind it",
        ),
        (r"^\s*(?:may\s+)?choose\s+from\s+(?P<at>\w+)", "what is chosen needs a name: `choose c from …`"),
        (
            r"^\s*(?:may\s+)?choose\s+(?P<at>\[)",
            "the number of things to choose has no brackets: `choose 1..3 cs from …`",
        ),
        (
            r"^\s*(?:option|group|case|for|if|elif|else|otherwise|secretly|so\s+that)\b.*:\s*(?:choose|if|for|match|repeat)\s+(?P<at>\w+)",
            "what has a block or asks stands on a line of its own below this one, indented",
        ),
        (
            r"^\s*(?:option|group)\b.*\s(?P<at>where)\b",
            'an option that is not there is left out with `if`: `option "…" for c in … if …:`',
        ),
        (
            r"^\s*repeat\s+(?P<at>\S+).*\btimes\b",
            "a loop that runs so many times goes through numbers: `for n in 1..<at>:`",
        ),
        (r"^\s*draw\s+from\s+(?P<at>\w+)", "it is not said how many: `draw 1 from …`"),
        (
            r"^\s*deal\s+each\s+(?P<at>\d+)\b",
            "how many each player gets stands first: `deal <at> each from … to …`",
        ),
        (
            r"^\s*deal\s+(?P<n>\d+)\s+(?P<at>(?!each\b)\w+)",
            "how many, for each, from where, to where: `deal <n> each from … to …`; for one player `draw`",
        ),
        (
            r"^\s*deal\s+\S+\s+(?P<at>to|from|cards)\b",
            "how many, for each, from where, to where: `deal 5 each from … to …`; for one player `draw`",
        ),
        (
            r"^\s*deal\s+(?P<n>\S+)\s+each\s+(?P<at>to)\b",
            "where it comes from stands before where it goes: `deal <n> each from … to …`",
        ),
        (
            r"^\s*deal\s+.*\bfrom\s+(?P<a>[^\s:]+)\s*(?P<end>)$",
            "where it goes is not said: `from <a> to hand`, a zone for each player",
        ),
        (
            r"^\s*deal\s+.*\s(?P<at>for)\s+\w+\s+in\s+(?P<ps>.+)$",
            "which players, and in which order, stands behind `in`: `to … in <ps>`",
        ),
        (
            r"^\s*deal\s+.*\s(?P<at>at)\s+(?:top|bottom)\b",
            "what is dealt comes from the top; from the bottom each player draws: `for p in players: draw …`",
        ),
        (r"\bseen(?P<at>_by)\b", "on one line it is `seen by`; `seen_by:` is a key"),
        (
            r"^\s*finish\s+win(?:\s+if\s+(?P<at>\w+).*|(?P<end>)\s*$)",
            "say who wins: `finish win p`; nobody does: `finish lose`; only then: `if …: finish win p`",
        ),
        (r"^\s*finish\s+lose\s+(?P<at>(?!(?:as|if|unless|when|for|with)\b))(?P<who>\S+)", ONE_LOSES),
        (r"^\s*finish\s+lose(?P<at>s)\s+(?P<who>\S+)", ONE_LOSES),
        (
            r"^\s*finish\s+draw\s+(?P<at>[\w\[])",
            "`finish draw` names nobody; where several win, say who: `finish win [p, q]`",
        ),
        (r"^\s*(?:let|var|return)\b(?!.*\belse\b).*\sif\s.*(?P<end>)$", ONE_OF_TWO),
        (r"[=(,]\s*if\s+(?P<at>\w+)", ONE_OF_TWO),
        (r"(?P<at>\?)\s[^:]+:\s*\S", ONE_OF_TWO),
        (r"[\w)\]](?P<at>\?)", "a value that may be none is taken with `!`, or compared with `none`"),
        (r"\w\.(?P<end>)$", "a full stop stands at the end of the line: leave out the `.`"),
        (
            r"^\s*\w.*\sif\s(?!.*\belse\b).*(?P<end>)$",
            "the condition stands before what it decides: `if n > 2: …`",
        ),
        (
            r"^\s*\d+\s*-\s*\d+\s*(?:(?P<end>)$|(?P<at>=|[a-z]+).*)",
            "the numbers from one to another are written with two dots: `0..99`",
        ),
        (
            r"\bby\s+each\s+(?P<at>\w+)\s+in\b",
            "each for themselves, all at once: `choose … by every p in players`",
        ),
        (
            r"^\s*for\b.*\sif\b.*?\s(?P<at>at\s+once)\b",
            "`at once` stands before `if`: `for p in players at once if …:`",
        ),
        (
            r"^\s*roll\s+\d+\s+(?P<at>\w+)",
            "`roll` takes one thing or a zone, not a number: `roll d`, `roll tray`",
        ),
        (r"\bnext\s+(?P<at>\w+)", "the next of the players is `next(p)`, the one before `previous(p)`"),
        (
            r"\bprevious\s+(?P<at>\w+)",
            "the one of the players before is `previous(p)`, the next one `next(p)`",
        ),
        (
            r"^\s*finish\s+\w+\b.*?\s(?P<at>with)\b",
            "points are given to `finish rank`, without `with`: `finish rank {p: score[p] for p in players}`",
        ),
        (r"\b(?P<at>between)\s+\S+\s+and\b", "there is no `between`: write `n in 2..4`"),
        (r"\bin\s+not\s+(?P<at>\w+)", "`not` stands before `in`: `x not in xs`"),
        (r"\w\s+not\s+(?P<at>none)\b", "`is` is missing before `not none`: `x is not none`"),
        (
            r"^\s*choose\s+by\s+\w+\s+(?P<at>\w+)\s+from\b",
            "the player who chooses stands at the end: `choose c from … by p`",
        ),
        (
            r"^\s*(?:may\s+)?choose\s+(?:one|two|three|four|five|six)\s+(?P<at>\w+)",
            "a number is written with digits: `choose 3 cs from …`",
        ),
        (
            r"^\s*(?:may\s+)?choose\s+up\s+(?P<at>to)\b",
            "the least and the most are written with two dots: `choose 0..3 cs from …`",
        ),
        (r"^\s*finish\s*(?P<at>\()", "`finish` has no brackets: `finish win p`"),
        (r"^\s*for\s*(?P<at>\()", "a loop is written `for n in 1..13:`"),
        (r"^\s*(?:if|elif|repeat\s+until)\s*(?P<at>:)", "a condition stands before the `:`"),
        (
            r"^\s*(?:announce|tell\s+\w+\s+that)\b.*(?P<at>,)",
            'a value stands in braces within the text: `announce "… {p}"`',
        ),
        (
            r"^\s*(?:announce|move|draw|shuffle|reveal|roll|show|tell)\s*(?P<at>\()",
            'a statement has no brackets: `announce "…"`',
        ),
        (r"^\s*announce\s.*\s(?P<at>to)\b", 'one player alone is told with `tell p that "…"`'),
        (
            r"[\[(].*\bfor\b.*\s(?P<at>where)\b",
            "inside brackets, write `if` in place of `where`: `[c for c in … if …]`",
        ),
        (
            r"\[\w+\s+in\b.*?\sif\s.*?(?P<at>\])",
            "in brackets, a name and `for` stand first: `[c for c in … if …]`",
        ),
        (r"\bin\s+every\s+(?P<at>\w+)", "a loop has no `every`: `for p in players`"),
        (r"^\s*doc(?P<at>:)", 'in a definition `doc` has no colon: `doc "…"`'),
        (r"^\s*-?\d+\s+(?P<at>\d+)\s*$", "a comma stands between the items of a list"),
        (
            r"^\s*finish\s*(?P<end>)$",
            "say how it ends: `finish win p`, `finish rank {…}`, `finish lose` or `finish draw`",
        ),
        (
            rf"\b(?P<f>{FUNCTIONS})\s+(?P<at>\w+)",
            "a function needs brackets: `FUNCTION(…)`",
        ),
        (
            r"^\s*[\w.\[\]()]+\s*(?P<at>[-+])(?![=+-])",
            "a value changes with `+=` or `-=`, and gets a new one with `=`",
        ),
        (r"^\s*else\s+(?P<at>[^:\s]+).*:", "`else` takes no condition: write `elif` where there is one"),
        (
            r"^\s*for\b.*\s(?P<at>where)\b",
            "a loop has no `where`, but an `if`: `for x in xs if …:`",
        ),
        (
            r"^\s*for\s+\w+\s+in\s+(?P<a>\w+)\s+(?P<at>to)\s+(?P<b>\w+)",
            "the numbers from one to another are written with two dots: `<a>..<b>`",
        ),
        (r"^\s*for\s+\w+\s+in\s.*?\s(?P<at>to)\b", "the numbers from one to another are `1..5`"),
        (
            r"\bcount\(\w+\s+in\b.*?\sif\s.*?(?P<at>\))",
            "`count(x.a == b for x in xs)` counts for how many something holds",
        ),
        (
            r"\(\w+\s+in\b.*?\sif\s.*?(?P<at>\))",
            "`for` is missing: `any(x.a == b for x in xs)`, `max(x.n for x in xs if …)`",
        ),
        (
            r"\bis\s+(?:not\s+)?\w+(?P<at>[.\[(])",
            "`is` asks of which kind something is, or for `none`; values are compared with `==` and `!=`",
        ),
        (r"^\s*draw\s+\S+\s+(?P<at>\w+)\s+from\b", "only a number stands before `from`: `draw 5 from …`"),
    )
)


def explained(span: Span, cause: str) -> Diagnostic:
    """`P001` where the cause is known: `cause: form` as the problem and, as its help, the form
    to write.
    """
    problem, colon, form = cause.partition(": ")
    if not colon or problem.count("`") % 2 == 1:
        return diagnose("P001", span, problem=cause)
    written = f"write {form}" if form.startswith("`") else form
    return diagnose("P001", span, problem=problem, help=written)


def _with_words(help: str, found: re.Match[str]) -> str:
    """The help with what an author has written in place of `<group>`."""
    for name, words in found.groupdict().items():
        help = help.replace(f"<{name}>", (words or "").strip())
    return help


def fallback_help(code: str, at: int | None) -> str | None:
    """The help where nothing else explains an error at column `at` (from 0) of a masked line, or at its end
    (`None`).
    """
    group = "end" if at is None else "at"
    rows = ((pattern, help) for pattern, help in _HELP if group in pattern.groupindex)
    return next(
        (
            _with_words(help.replace("FUNCTION", m["f"]) if "f" in pattern.groupindex else help, m)
            for pattern, help in rows
            for m in pattern.finditer(code)
            if m[group] is not None and at in (None, m.start(group))
        ),
        None,
    )


@dataclass(frozen=True)
class HintMatch:
    """A hint that matches a line, with the columns where the match begins and ends."""

    hint: Hint
    start: int
    end: int


def find_hint(code: str, at: int, without: Container[str] = ()) -> HintMatch | None:
    """The hint that explains an error at column `at` (from 0) of a masked line; `None` if no row matches, but
    those with codes `without`.
    """
    found: list[HintMatch] = []
    for hint in HINTS:
        if hint.code in without:
            continue
        for m in hint.pattern.finditer(code):
            group = "at" if "at" in hint.pattern.groupindex else 0
            if m.start(group) == at or (m.start(group) < at and not hint.exact):
                found.append(HintMatch(hint, m.start(group), m.end(group)))
    return max(found, key=lambda f: f.start, default=None)


# words that begin a line of a rulebook, and the statement of this language
STATEMENT_HINTS = {
    "ask": "choose", "chooses": "choose", "deals": "deal", "discard": "move", "each": "for",
    "end": "finish", "every": "for",
    "foreach": "for", "forever": "repeat", "give": "move", "log": "announce", "loop": "repeat",
    "loses": "finish lose", "pick": "choose",
    "place": "move", "play": "move", "print": "announce", "put": "move", "raise": "finish", "say": "announce",
    "select": "choose", "set": "let",
    "stop": "break", "switch": "match", "take": "draw", "throw": "roll", "unless": "if not …",
    "until": "repeat until", "win": "finish win",
    "wins": "finish win",
}  # fmt: skip
AFTER_A_PLAYER = {
    "wins": "finish win {who}", "loses": "finish win others({who})", "chooses": "choose … from … by {who}",
    "picks": "choose … from … by {who}",
    "may": "may choose … from … by {who}:", "draws": "draw … from … to …[{who}]",
    "takes": "move … to …[{who}]", "gets": "move … to …[{who}]",
    "moves": "move … to …", "rolls": "roll …", "reveals": "reveal …", "shows": "show … to …",
    "says": "claim by {who}",
}  # fmt: skip
"""Verbs after a player in a rulebook, and the statement of this language: `p wins`."""
REPHRASED = (
    (re.compile(r"set\s+(\S+)\s+to\s+(.+)"), r"write `\1 = \2`"),
    (re.compile(r"(?:increase|increment|raise|add)\s+(\S+)\s+by\s+(.+)"), r"write `\1 += \2`"),
    (re.compile(r"(?:decrease|decrement|reduce|lower)\s+(\S+)\s+by\s+(.+)"), r"write `\1 -= \2`"),
    (re.compile(r"replace\s+(\w+\s*\(.*)"), "say what is replaced: `replace def …`"),
    (re.compile(r"instead\s+(\w+\s*\(.*)"), r"write `instead of \1`"),
    (
        re.compile(r"at\s+once\s+(for\s+\w+\s+in\s+\S+).*"),
        r"`at once` stands behind what is gone through: `\1 at once …:`",
    ),
)
"""Sentences of a rulebook, and how they are written here."""
STATEMENTS = STATEMENT_WORDS


# ------------------------------------------------------------ what went wrong, in words
LAYOUT = ("_NL", "_INDENT", "_DEDENT", "$END")
BELONGS = {
    "else": "put it directly below the lines that belong to an `if` or a `choose`, in the column of that "
    "word; in a `match`, below the cases",
    "elif": "put it directly below the lines that belong to an `if`, in the column of that word",
    "case": "put it below a `match …:`, indented",
    "option": "put it below a `choose by p:`, indented",
    "group": "put it below a `choose by p:`, indented",
    "only": "put it below a `choose` or an option, indented",
}
BELOW = {"option": "choose", "group": "choose", "case": "match"}
"""Words that begin a part of a statement, and the word of that statement."""
MOST_ABOVE = 12  # lines above a mistake of indentation that may be its cause
STEP = 4  # spaces of one more block
SECTION = re.compile(
    r"\s*(?:types|parameters|components|zones|boards|state|definitions|claims|phases|scoring|invariants|policies|measures|table):\s*(?:\|[-+]?)?$"
)
COMPONENTS = re.compile(r"(?m)^components:\s*\n(?:\s*#[^\n]*\n)*\s+([A-Z]\w*):")
"""The first class of components that a ruleset declares."""
COUNTING = ("n", "i", "k", "m", "count", "number", "amount", "points", "most", "least")
ARTICLES = ("the", "a", "an")
CLAUSES = ("where", "by", "merging", "as", "told", "such")
INDENTED = "this begins further right than the definition above"
CARRIED_ON = (
    "write all of it in one line; or in brackets, which may go on in the next line: `(` before it, "
    "`)` at its end"
)
CLAUSE = "the clauses of a choice stand on its line: `choose c from … where … by …`"
MEANT_RESULTS = {
    "winner": "win", "winners": "win", "wins": "win", "ranking": "rank", "ranks": "rank", "payout": "pay",
    "pays": "pay", "loser": "lose",
    "losers": "lose", "loses": "lose", "drawn": "draw", "tie": "draw",
}  # fmt: skip
LOOPS = {
    "each": "leave out `each`: `for … in …:`",
    "from": "the numbers from one to another: `for n in 1..13:`",
}
MISSING = {
    "COLON": ":",
    "TO": "to",
    "FROM": "from",
    "IN": "in",
    "": "->",
    "THAT": "that",
    "WITH": "with",
    "COMMA": ",",
    "EQUAL": "=",
}
"""What is often left out before a word, by the kind of its token (that of `->` has no name)."""
OPENS = re.compile(
    r"\s*(?:if|elif|else|for|repeat|match|case|def|replace|may|choose\s+by|option|group|so\s+that|secretly|instead|before|after|adjust"
    r"|in|watch|end\s+when|at\s+any\s+time)\b"
)


BRACKETED = re.compile(r"(?:\bof|\bper|:|->|\bis)\s*(\()((?:[^\W\d]\w*\s+or\s+)+[^\W\d]\w*\s*)\)\s*\Z")
DEFINITION = re.compile(r"\s*(?:replace\s+)?(?:def|window)\s+\w")
ITEM = re.compile(
    r"\s*(?:replace\s+)?(?:def|window|watch|instead\s+of|end\s+when|at\s+any\s+time|(?:adjust|before|after|in)\s+\w+\s*\()"
)


@dataclass(frozen=True)
class Mistake:
    """The diagnostic, the offset of the statement to leave out, whether that is out of line, whether nothing
    below is rule text, the offsets of other statements to leave out, what the first word of the statement is
    meant to be, whether its block is left out, too, and the numbers of lines of which nothing is left.
    """

    diagnostic: Diagnostic
    at: int
    misaligned: bool = False
    ends_text: bool = False
    others: tuple[int, ...] = ()
    meant: str = ""
    whole: bool = False
    gone: tuple[int, ...] = ()


def describe_mistake(
    text: Positioned,
    lines: Lines,
    offset: int,
    error: Exception,
    start: str,
    first_mistake: Callable[[str], int],
) -> Mistake:
    """The description of the parser's error at `offset`; `start` is the kind of text that was parsed.

    `first_mistake` gives the offset of the first mistake of another text of this kind: a fix is tried before
    it is proposed.
    """
    return _Description(text, lines, offset, error, start, first_mistake).mistake()


class _Description:
    def __init__(
        self,
        text: Positioned,
        lines: Lines,
        offset: int,
        error: Exception,
        start: str,
        first_mistake: Callable[[str], int],
    ) -> None:
        self.text, self.lines, self.error, self.start = text, lines, error, start
        self.offset = max(0, min(offset, len(text.text)))
        self.token: Token | None = getattr(error, "token", None)
        self.kind = self.token.type if self.token is not None else ""
        self.line = lines.at(self.offset)
        self.at_end = self.kind in LAYOUT or self.offset >= self.line.end
        self.trial = Trial(lines, self.offset, first_mistake)

    def mistake(self) -> Mistake:
        first = self.section() or self.tab()
        if first is not None:
            return first
        if not isinstance(self.error, UnexpectedInput):
            line = self.lines.all[self.lines.source.count("\n", 0, self.offset)]
            above = self.first_of_block(line)
            if above is not None:
                return above
            return Mistake(self.out_of_line(line), line.first, misaligned=True)
        return (
            self.indented_item() or self.empty_block() or self.doubled() or self.open_bracket()
            or self.open_text() or self.glued() or self.equal_sign() or self.spelling()
            or self.unopened() or self.carried_on() or self.hint() or self.no_colon()
            or self.wrong_place() or self.unknown_statement() or self.indented() or self.character()
            or self.bracketed_type() or self.unexpected()
        )  # fmt: skip

    def say(
        self,
        code: str,
        start: int,
        end: int,
        fix: str | None = None,
        safe: bool = True,
        help: str | None = None,
        **args: object,
    ) -> Mistake:
        """The diagnostic for the characters between two offsets; `word` is what stands there."""
        span = self.text.span(start, end)
        change = None
        if fix is not None:
            change = Fix(span, fix, f"write `{fix.strip()}`" if fix else "leave it out", safe)
        words = {"word": self.text.text[start:end], "wrong": "is not a word of the language"}
        found = diagnose(code, span, fix=change, help=help, **{**words, **args})  # type: ignore[arg-type]
        return Mistake(found, start if start < end else max(0, start - 1))

    # ------------------------------------------------------------ what the lines show
    def section(self) -> Mistake | None:
        """A section of the ruleset that is read as rule text, because it is indented like that."""
        for line in self.lines.all[: self.lines.source.count("\n", 0, self.offset) + 2]:
            found = SECTION.match(line.code)
            if found is not None and self.start in ("module", "block"):
                span = self.text.span(line.first, line.first + len(line.word))
                row, _ = span.source.position(span.start)
                before = Span(span.source, span.source.line_start(row), span.start)
                fix = Fix(before, "", f"move `{line.word}` to the first column")
                return Mistake(diagnose("P076", span, name=line.word, fix=fix), line.first, ends_text=True)
        return None

    def tab(self) -> Mistake | None:
        """A tab in the indentation of the line, or of the one above it, with whose spaces the line can be
        read.
        """
        here = self.lines.all[self.lines.source.count("\n", 0, self.offset)]
        deeper = self.lines.after(here) if self.kind == "_INDENT" else None
        for line in (deeper, here, self.lines.before(here)):
            if line is None or "\t" not in line.text[: line.indent]:
                continue
            around = [
                x
                for x in (self.lines.after(line), self.lines.before(line))
                if x is not None and "\t" not in x.text[: x.indent]
            ]
            for width in [*(x.indent for x in around), *(x.indent + STEP for x in around)]:
                if self.trial.reads_line(line.start, line.first, " " * width):
                    span = self.text.span(line.start, line.first)
                    found = diagnose(
                        "P075", span, fix=Fix(span, " " * width, f"write {width} spaces, as beside it")
                    )
                    return Mistake(found, line.first, misaligned=True)
        return None

    def empty_block(self) -> Mistake | None:
        """A line ends with `:` and the next one is not indented more."""
        if self.kind in ("_INDENT", ""):
            return None
        first_of_line = self.kind not in LAYOUT and self.offset == self.line.first
        if first_of_line:
            head = self.lines.before(self.line)
        else:
            head = self.line if self.at_end else None
        if head is None or not head.code.endswith(":") or (first_of_line and self.line.indent > head.indent):
            return None
        below = self.lines.after(head)
        if below is not None and below.indent > head.indent:
            return None
        found = self.say("P017", head.end - 1, head.end)
        if below is None or below.indent != head.indent:
            return found
        if below.word in BELOW and BELOW[below.word] in head.code:
            return self.parts_beside(head, below)
        second = self.lines.after(below)
        if (
            second is not None and second.indent > below.indent and not below.code.endswith(":")
        ):  # the first line of the block alone stands too far left
            return replace(found, others=(below.first,))
        return found

    def indented_item(self) -> Mistake | None:
        """A definition that is indented like the block of the one above it."""
        line = (self.lines.after(self.line) or self.line) if self.kind == "_INDENT" else self.line
        is_later = self.kind != "_INDENT" and self.offset > line.first
        if self.start != "module" or line.indent == 0 or is_later or not DEFINITION.match(line.code):
            return None
        beside = []
        below = self.lines.after(line)
        while below is not None and below.indent > 0:
            beside.append(below)
            below = self.lines.after(below)
        span = self.text.span(line.first, max(line.first, line.end))
        fix = Fix(
            self.text.span(line.start, line.first),
            "",
            "begin it in the column of the other definitions",
            safe=False,
        )
        gone = (line.number, *(x.number for x in beside))
        return Mistake(
            diagnose(
                "P004",
                span,
                problem=INDENTED,
                help="begin it in the column of the other definitions",
                fix=fix,
            ),
            line.first,
            gone=gone,
        )

    def first_of_block(self, line: SourceLine) -> Mistake | None:
        """The first line of the block above, where that stands in another column than this line and the rest
        of the block.
        """
        above = self.lines.before(line)
        while above is not None and above.indent > line.indent:
            above = self.lines.before(above)
        candidates = [x for x in self.lines.all[: line.number] if not x.blank and x.indent != line.indent]
        for first in reversed(candidates[-MOST_ABOVE:]):
            head = self.lines.before(first)
            if head is None or head.indent >= min(first.indent, line.indent) or not head.code.endswith(":"):
                continue
            block = self.trial.mistake_with(first.start, first.first, " " * line.indent, self.lines.all[-1])
            alone = self.trial.mistake_with(line.start, line.first, " " * first.indent, self.lines.all[-1])
            if block > max(line.end, alone):
                span = self.text.span(first.first, max(first.first, first.end))
                before = self.text.span(first.start, first.first)
                fix = Fix(before, " " * line.indent, f"write {line.indent} spaces, as below it", safe=False)
                found = beside_the_lines_below(
                    span.source, span.line, self.text.span(line.first, line.first).line
                )
                return Mistake(
                    diagnose(
                        "P004", span, problem=found.problem, labels=found.labels, help=found.help, fix=fix
                    ),
                    head.first,
                    whole=True,
                )
        return None

    def parts_beside(self, head: SourceLine, below: SourceLine) -> Mistake:
        """Options in the column of their `choose`, or cases in that of their `match`, all of which are left
        out.
        """
        beside = [below]
        line = self.lines.after(below)
        while line is not None and line.indent >= head.indent:
            if line.indent == head.indent:
                if line.word not in (below.word, "else"):
                    break
                beside.append(line)
            line = self.lines.after(line)
        problem = f"this `{below.word}` belongs to the `{BELOW[below.word]}` above"
        span = self.text.span(below.first, below.first + len(below.word))
        found = diagnose(
            "P004", span, problem=problem, help=f"indent it deeper than the `{BELOW[below.word]}`"
        )
        return Mistake(found, head.first, others=tuple(x.first for x in beside))

    def unclosed(self, at: int, bracket: str, end: int) -> Mistake:
        """A bracket that is never closed, and behind what the other one would make it readable."""
        before = re.search(r"[\w.]*$", self.text.text[self.text.text.rfind("\n", 0, at) + 1 : at])
        called = before.group() if before is not None else ""
        held = self.text.text[at - len(called) : end].strip()
        first = re.match(r"[\w.]+\[[\w.]+", held)
        # a key, most often a single word
        held = first.group() if first is not None and bracket == "[" else held
        simple = len(held) <= LONGEST_TEXT and re.fullmatch(r"[\w.]*[\[({][\w.,:()\[\] ]+", held)
        help = f"write `{PARTNER[bracket]}` behind `{held}`" if simple else None
        return self.say("P008", at, at + 1, help=help, bracket=bracket, closing=PARTNER[bracket])

    def open_bracket(self) -> Mistake | None:
        begin, _ = self.lines.statement(self.line)
        previous = self.lines.before(begin)
        # a bracket left open swallows the line break, and the parser stumbles in the next statement
        if previous is not None:
            left = self.lines.open_brackets(self.lines.statement(previous)[0].start, previous.end)
            if left:
                return self.unclosed(left[-1][0], left[-1][1], previous.end)
        opened = self.lines.open_brackets(begin.start, self.line.end if self.kind in LAYOUT else self.offset)
        here = "" if self.at_end else self.text.text[self.offset : self.offset + 1]
        at, bracket = opened[-1] if opened else (0, "")
        head = self.kind == "COLON" and self.offset == self.line.end - 1 and bracket != "{"
        mismatched = here in PARTNER.values() and bool(opened) and PARTNER[bracket] != here
        if mismatched:
            inner = set("([{") & set(self.text.text[at + 1 : self.offset])
            write = f"write `{PARTNER[bracket]}`, or open it with the other bracket"
            if inner:
                word = re.match(r"\s*\w+", self.text.text[at + 1 : self.offset])
                name = word.group().strip() if word is not None else "…"
                write = (
                    f"a `{PARTNER[bracket]}` is missing between the two, perhaps behind `{name}`: "
                    f"`{bracket}{name}{PARTNER[bracket]}`"
                )
            return self.say(
                "P079",
                self.offset,
                self.offset + 1,
                opened=bracket,
                help=write,
                labels=(Label(self.text.span(at, at + 1), "opened here"),),
            )
        if opened and (
            self.at_end or head or self.trial.reads_line(self.offset, self.offset, f"{PARTNER[bracket]} ")
        ):
            return self.unclosed(at, bracket, self.offset)
        if here and here in PARTNER.values() and not opened:
            return self.say("P010", self.offset, self.offset + 1, bracket=here, help=self.opening(here))
        return None

    def opening(self, closing: str) -> str | None:
        """Help where the bracket behind the name of a function was forgotten (`next p)`), or where the line
        can be read without the last one.
        """
        found = (
            re.search(rf"\b({FUNCTIONS})\s+(\w+\([^()]*\)|\w+)\s*\)", self.line.code)
            if closing == ")"
            else None
        )
        if found is not None:
            return f"write `{found[1]}({found[2]})`, or leave the last bracket out"
        at = self.line.start + self.line.code.rfind(closing)
        return "leave it out, or open a bracket before it" if self.trial.reads_line(at, at + 1, "") else None

    def unopened(self) -> Mistake | None:
        """A closing bracket further on in the line that nothing opened, or another kind of bracket."""
        open_brackets: list[int] = []
        if self.lines.statement(self.line)[0] is not self.line:
            return None
        for at in range(self.line.start, self.line.end):
            sign = self.lines.code[at]
            if sign in PARTNER:
                open_brackets.append(at)
            elif sign in PARTNER.values() and not open_brackets:
                return (
                    self.say("P010", at, at + 1, bracket=sign, help=self.opening(sign))
                    if at > self.offset
                    else None
                )
            elif sign in PARTNER.values():
                begun = open_brackets.pop()
                opened = self.lines.code[begun]
                if PARTNER[opened] != sign and at > self.offset:
                    write = f"write `{PARTNER[opened]}`, or open it with the other bracket"
                    return self.say(
                        "P079",
                        at,
                        at + 1,
                        opened=opened,
                        help=write,
                        labels=(Label(self.text.span(begun, begun + 1), "opened here"),),
                    )
        return None

    def open_text(self) -> Mistake | None:
        if self.line.code.count('"') % 2 == 0:
            return None
        at = self.line.start + self.line.code.rfind('"')
        end = self.line.start + len(self.line.text.rstrip())
        before = self.line.text[: at - self.line.start].split(maxsplit=1)
        if at < end - 1 or len(before) < 2 or '"' in before[1]:
            return self.say("P007", at, end, problem="this text has no closing quotation mark")
        problem = "this line has only one quotation mark, where a text ends"
        return self.say(
            "P007",
            at,
            end,
            problem=problem,
            help=f'write one where the text begins, too: `{before[0]} "{before[1]}"`',
        )

    def carried_on(self) -> Mistake | None:
        """A statement that continues in the next line without brackets."""
        above, below = self.lines.before(self.line), self.lines.after(self.line)
        if (self.at_end or self.kind == "_INDENT") and below is not None and continues(self.line, below):
            first, second = self.line, below
        elif self.offset == self.line.first and above is not None and continues(above, self.line):
            first, second = above, self.line
        else:
            return None
        found = diagnose(
            "P004",
            self.text.span(second.first, second.end),
            problem="this goes on with the line above",
            help=CARRIED_ON,
        )
        return Mistake(found, self.lines.statement(first)[0].first)

    # ------------------------------------------------------------ words
    def doubled(self) -> Mistake | None:
        """A sign or a word that stands twice."""
        column = self.offset - self.line.start
        for hint in (hint for hint in HINTS if hint.code == "P080"):
            for found in hint.pattern.finditer(self.line.code):
                start, end = found.span("at" if "at" in hint.pattern.groupindex else 0)
                if start <= column <= end and hint.rewrite is not None:
                    change = hint.rewrite(self.line.code[start:end])
                    start, end = start + self.line.start, end + self.line.start
                    return self.say(
                        "P080",
                        start,
                        end,
                        change,
                        safe=bool(change) and self.trial.reads_on(start, end, change or ""),
                    )
        return None

    def glued(self) -> Mistake | None:
        """Two words without a space between them, one of which is a word of the language, or a number."""
        before = getattr(self.error, "before", None)
        if before is None or self.token is None:
            return None
        start = before.start_pos or 0
        end = self.offset + len(self.token)
        if self.trial.reads_on(start, end, f"{before} {self.token}"):
            return self.say("P070", start, end, f"{before} {self.token}", first=before, second=self.token)
        return None

    def equal_sign(self) -> Mistake | None:
        """`=` where the text goes on with `==`: in a condition, or in what is compared."""
        before = self.text.text[self.line.start : self.offset]
        if self.line.word == "for" and not re.search(r"\bin\b", before):
            return None  # `for n = 1`, as other languages write a loop
        if self.kind == "EQUAL" and self.trial.reads_on(self.offset, self.offset + 1, "=="):
            return self.say("P026", self.offset, self.offset + 1, "==")
        return None

    def spelling(self) -> Mistake | None:
        """A word that is nearly one of the language, or one of another language, with which the line can be
        read.
        """
        found = misspelt(self.trial, self.line)
        if found is None:
            return None
        if (
            self.line.word == "finish"
            and not self.text.text[self.line.first + len("finish") : found.start].strip()
        ):
            return None  # how a game ends: P057 says which ways there are
        described = self.misspelt(found)
        return (
            replace(described, meant=found.instead.split()[0])
            if found.start == self.line.first
            else described
        )

    def misspelt(self, found: Proposal) -> Mistake:
        if found.kind == "capitals":
            return self.say("P069", found.start, found.end, found.instead, instead=found.instead)
        if found.kind == "glued":
            first, second = found.instead.split()
            # what follows these is a new name, of which nobody knows whether it is meant
            safe = found.is_only and first not in ("let", "var")
            return self.say("P070", found.start, found.end, found.instead, safe, first=first, second=second)
        if found.start == self.line.first and found.instead in STATEMENTS:
            return self.say(
                "P011",
                found.start,
                found.end,
                found.instead,
                found.is_only,
                help=f"did you mean `{found.instead}`?",
            )
        wrong = "is not a word of the language"
        if found.word in WORDS:
            wrong = "does not begin a line" if found.start == self.line.first else "does not stand here"
        return self.say(
            "P068",
            found.start,
            found.end,
            found.instead,
            found.is_only,
            help=f"did you mean `{found.instead}`?",
            wrong=wrong,
        )

    def hint(self) -> Mistake | None:
        found = find_hint(self.line.code, self.offset - self.line.start)
        if found is not None and found.hint.code in ("P037", "P071") and self.described(found) is None:
            found = find_hint(self.line.code, self.offset - self.line.start, without=("P037", "P071"))
        return None if found is None else self.described(found)

    def described(self, found: HintMatch) -> Mistake | None:
        """The mistake that a hint explains; `None` if no change of the line can be read."""
        start, end = self.line.start + found.start, self.line.start + found.end
        code, change = found.hint.code, found.hint.replacement
        if found.hint.rewrite is not None:
            change = found.hint.rewrite(self.text.text[start:end])
        if code == "P071" and self.text.text[start:end].strip() == ":":
            return (
                self.say(code, start, end, " ->", help="the result of a definition is written `->`")
                if self.trial.reads_on(start, end, " ->")
                else None
            )
        if "=>" == self.text.text[start:end] or code == "P071":
            return self.arrow(start, end)
        if code == "P074":
            return self.braces(start, end)
        help = f"write `{change}`" if code in ("P031", "P037") or (code == "P025" and change) else None
        written = self.text.text[start : self.line.end]
        if code == "P034":
            words = self.text.text[start:end]
            problem = (
                "an `else` has no condition of its own: with one it is `elif`"
                if words == "else"
                else f"`{words}` is written `elif`"
            )
            return self.say(code, start, end, change, found.hint.safe, problem=problem)
        if code == "P042" and (given := _GIVEN_OTHERWISE.fullmatch(written)):
            help = f"a value is given with `=`: `{self.line.word} {given['name']} = {given['value'].strip()}`"
        if code == "P020":
            ends = change or _repeat_until(written)
            help = f"write when it ends: `{ends}:`" if ends != "repeat" else "write `repeat:`"
        if code == "P061" and (
            joined := re.search(
                r'"([^"{}]*)"\s*\+\s*([^\W\d][\w.\[\]]*)\s*$', self.text.text[self.line.start : self.line.end]
            )
        ):
            help = f'write one text with the value in braces: `"{joined[1]}{{{joined[2]}}}"`'
        if code == "P049" and self.text.text[start:end].strip() in LOOPS:
            help = LOOPS[self.text.text[start:end].strip()]
        if code == "P050":
            help = self.types_of(self.text.text[start:end])
        if code == "P053" and self.start == "module":
            help = "write `=`, or `return` before it if it is the result"
        if code == "P039":
            return self.semicolon(start, end, change)
        if code == "P057" and (meant := MEANT_RESULTS.get(self.text.text[start:end])):
            help, change = f"write `finish {meant}`", meant
        if code == "P060" and self.line.word == "option":
            help = 'write it on the next line, indented: `only if "words": …`; or `if …` on this line'
        if change:
            change = self.spaced(change, start, end)
        if (
            code == "P053"
            and self.gives_result()
            and self.trial.reads_line(self.line.first, self.line.first, "return ")
        ):
            return self.result(start, end)
        safe = found.hint.safe and (
            not change
            or self.trial.reads_on(start, end, change)
            or self.text.text[end:].lstrip().startswith("!")
        )
        if code == "P031":
            word = "is not" if "not" in self.text.text[start:end] else "is"
            return self.say(code, start, end, change, safe, help, word=word)
        return self.say(code, start, end, change, safe, help)

    def types_of(self, name: str) -> str:
        """Help for a parameter without a type: what it may be, the likeliest first."""
        kinds = COMPONENTS.search(self.text.span(0, 0).source.text)
        things = ["Player", kinds[1] if kinds is not None else "Card", "1..6"]
        if name[:1] == things[1][:1].casefold():
            first = 1
        else:
            first = 2 if name in COUNTING else 0
        likely = [things[first], *(kind for kind in things if kind != things[first])]
        return (
            "say what it is: "
            + ", ".join(f"`{name}: {kind}`" for kind in likely[:2])
            + f" or `{name}: {likely[2]}`"
        )

    def semicolon(self, start: int, end: int, change: str | None) -> Mistake:
        """A semicolon between two statements, or between the items of a list."""
        opened = self.lines.open_brackets(self.line.start, start)
        if not opened:
            return self.say("P039", start, end, change, problem="a line ends a statement: there is no `;`")
        whole = self.text.text[opened[-1][0] : self.line.end].replace(";", ",")
        is_table = self.text.span(start, end).source.name.casefold().endswith(".csv")
        help = (
            f'write `"{whole}"`, in quotation marks, because it has a comma in it'
            if is_table
            else "write `,`"
        )
        fix = None if is_table else ","
        return self.say(
            "P039",
            start,
            end,
            fix,
            safe=False,
            help=help,
            problem="between the items of a list stands a comma, not `;`",
        )

    def result(self, start: int, end: int) -> Mistake:
        """A comparison as a statement of a definition with a result: that it is the result is not said."""
        found = self.say("P053", start, end, help="a new value is given with `=`, the result with `return`")
        fix = Fix(
            self.text.span(self.line.first, self.line.first),
            "return ",
            "write `return` before it",
            safe=False,
        )
        return replace(found, diagnostic=replace(found.diagnostic, fix=fix))

    def gives_result(self) -> bool:
        """True if the line stands in a definition with a result, where a `return` may be missing."""
        above = self.lines.before(self.line)
        while above is not None and above.word not in ("def", "replace"):
            above = self.lines.before(above)
        return above is not None and above.indent < self.line.indent and "->" in above.code

    def arrow(self, start: int, end: int) -> Mistake | None:
        """`=>` or `->`: where something is moved to, the result of a definition, the colon behind a case, or
        a comparison.
        """
        to = self.spaced("to", start, end)
        if self.line.word in ("move", "draw", "deal") and self.trial.reads_line(start, end, to):
            return self.say("P071", start, end, to, help="where it goes is written `to`")
        meant = (
            (">=", "P037", "write `>=`"),
            ("->", "P071", "the result of a definition is written `->`"),
            (":", "P071", "write `:`"),
        )
        for reads in (self.trial.reads_line, self.trial.reads_on):
            for change, code, help in meant:
                if self.text.text[start:end] == "->" and change != ":":
                    continue
                if change != self.text.text[start:end] and reads(start, end, change):
                    return self.say(code, start, end, change, reads == self.trial.reads_line, help=help)
        return None

    def braces(self, start: int, end: int) -> Mistake:
        """A block in braces: the fix writes `:` for the first one, and leaves out the line of the last one,
        if nothing else stands in it.
        """
        found = self.say("P074", start, end)
        head = self.line.start + len(self.text.text[self.line.start : start].rstrip())
        place, change = self.text.span(head, end), ":"
        last = self.closing_brace()
        if last is not None:
            if last.text.strip() != "}":
                return found
            place = self.text.span(head, last.end)
            change = ":" + place.text[end - head : -1].rstrip()
        fix = Fix(place, change, "write `:`, and no braces", self.trial.reads_on(start, end, ":"))
        return replace(found, diagnostic=replace(found.diagnostic, fix=fix))

    def closing_brace(self) -> SourceLine | None:
        """The line in the column of this one, or further to the left, that begins with a closing brace, if no
        other line stands there before it.
        """
        line = self.lines.after(self.line)
        while line is not None and line.indent > self.line.indent:
            line = self.lines.after(line)
        return line if line is not None and line.text.lstrip().startswith("}") else None

    def spaced(self, change: str, start: int, end: int) -> str:
        """A word as a replacement, with the spaces that keep it apart from its neighbours."""
        before, after = self.text.text[:start][-1:], self.text.text[end : end + 1]
        joined_before = change[:1].isalnum() and bool(before.strip()) and before not in PARTNER
        joined_after = (
            change[-1:].isalnum() and bool(after.strip()) and after not in (*PARTNER.values(), ",", ":", ".")
        )
        return " " * joined_before + change + " " * joined_after

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
            return self.say(
                "P015", at, at, help='write `only if possible "…": condition`' if possible else None
            )
        end, head = line.first + len(line.word), self.lines.before(line)
        if self.kind in LAYOUT or self.lines.code[end : self.offset].strip():
            return None
        if line.word == "option" and (self.token or "").isidentifier() and self._above(line, "choose"):
            help = 'the words of an option stand in quotation marks: `option "<word>":`'.replace(
                "<word>", self.token or ""
            )
            place = self.text.span(self.offset, self.offset + len(self.token or ""))
            return Mistake(explained(place, help), self.offset)
        if line.word == "group" and self.kind == "NAME" and self._above(line, "choose"):
            help = "behind `group` stands what its options share: `group for c in …:` or `group if …:`"
            place = self.text.span(self.offset, self.offset + len(self.token or ""))
            return Mistake(explained(place, help), self.offset)
        if line.word == "only" and (
            self._above(line, "option") or self._above(line, "group") or self._above(line, "choose")
        ):
            return self.say(
                "P016",
                line.first,
                line.first + len("only"),
                to="conditions stand first: put it above the statements of its block",
            )
        if line.word in ("else", "elif") and (owner := self._if_further_left(line)) is not None:
            spaces = line.indent - owner.indent
            found = self.say(
                "P016",
                line.first,
                end,
                to=f"it stands {spaces} space{'s' * (spaces != 1)} too far right: write it exactly below the "
                f"`{owner.word}` of line {self.text.span(owner.first, owner.first).line}",
            )
            label = Label(
                self.text.span(owner.first, owner.first + len(owner.word)),
                f"the `{owner.word}` begins here",
            )
            return replace(found, diagnostic=replace(found.diagnostic, labels=(label,)))
        if line.word in BELONGS:
            word = re.match(r"only\s+if|\w+", line.code.lstrip())
            return self.say(
                "P016", line.first, line.first + len(word.group()) if word else end, to=BELONGS[line.word]
            )
        if ITEM.match(line.code) and (self.start == "block" or line.indent > 0):
            return self.say("P013", line.first, end, word=line.word)
        while head is not None and head.indent >= line.indent:
            head = self.lines.before(head)
        if self.offset == line.first and head is not None and head.word == "choose":
            if self.kind == "STRING" and head.code.endswith(":"):
                return self.say(
                    "P065", line.first, line.first + len(self.token or ""), f"option {self.token}"
                )
            between = (
                "between the options of a choice stands nothing else: put it below an `option`, or "
                "above the `choose`"
            )
            if line.word in CLAUSES:
                advice: str | None = CLAUSE
            else:
                advice = between if head.code.endswith(":") else None
            return self.say("P014", line.first, end, help=advice)
        return None

    def _if_further_left(self, line: SourceLine) -> SourceLine | None:
        """The nearest `if` or `elif` above that begins further left, with only its own lines in between."""
        above = self.lines.before(line)
        least = line.indent
        while above is not None and least > 0:
            if above.word in ("if", "elif") and above.indent < least:
                return above
            least = min(least, above.indent)
            above = self.lines.before(above)
        return None

    def _above(self, line: SourceLine, word: str) -> bool:
        """Tell whether the line that owns the block of this line begins with this word."""
        head = self.lines.before(line)
        while head is not None and head.indent >= line.indent:
            head = self.lines.before(head)
        return head is not None and head.word == word

    def unknown_statement(self) -> Mistake | None:
        """A line whose first word begins no statement."""
        line = self.line
        if self.start not in ("module", "block") or not line.word:
            return None
        end = line.first + len(line.word)
        if (
            self.start == "module"
            and line.indent == 0
            and self.offset == line.first
            and not ITEM.match(line.code)
        ):
            return self.say("P012", line.first, end, word=line.word)
        could_follow = r"\w|\"|:" if line.word.casefold() in STATEMENT_HINTS else r"\w|\""
        follows = (
            re.match(could_follow, self.text.text[self.offset : self.offset + 1])
            and not self.lines.code[end : self.offset].strip()
        )
        if (
            line.word in STATEMENTS
            or self.offset < end
            or not follows
            or self.lines.statement(line)[0] is not line
        ):
            return None
        near = STATEMENT_HINTS.get(line.word.casefold()) or did_you_mean(line.word, STATEMENTS)
        before = self.lines.before(line)
        while before is not None and before.word in CLAUSES:
            before = self.lines.before(before)
        if line.word in CLAUSES and before is not None and before.word in ("choose", "may"):
            help: str | None = CLAUSE
        else:
            help = None if near is None else f"did you mean `{near}`?"
        said = line.code.strip()
        help = next(
            (pattern.sub(written, said) for pattern, written in REPHRASED if pattern.fullmatch(said)), help
        )
        acts = AFTER_A_PLAYER.get((re.match(r"\s+(\w+)", self.lines.code[end:]) or [None, ""])[1] or "")
        if acts is not None and near is None:
            help = f"a line begins with what happens: `{acts.format(who=line.word)}`"
        return Mistake(
            diagnose("P011", self.text.span(line.first, end), word=line.word, help=help), line.first
        )

    # ------------------------------------------------------------ the rest
    def indented(self) -> Mistake | None:
        if self.kind != "_INDENT":
            return None
        below = self.lines.after(self.line) or self.line
        return Mistake(self.out_of_line(below), self.line.first)

    def out_of_line(self, line: SourceLine) -> Diagnostic:
        """A line that begins in a column where no other one does."""
        span = self.text.span(line.first, max(line.first, line.end))
        found = out_of_line(span.source, span.line)
        return diagnose("P004", span, problem=found.problem, labels=found.labels, help=found.help)

    def character(self) -> Mistake | None:
        if not isinstance(self.error, UnexpectedCharacters):
            return None
        return self.say(
            "P009", self.offset, self.offset + 1, character=self.text.text[self.offset : self.offset + 1]
        )

    def bracketed_type(self) -> Mistake | None:
        """A type in brackets, `list of (A or B)`, which reads like a number until its end."""
        before = self.text.text[self.line.start : self.offset]
        found = BRACKETED.search(before)
        if found is None or self.token is None:
            return None
        at = self.line.start + found.start(1)
        help = f"types take no brackets: write `{found.group(2).strip()}`"
        return Mistake(explained(self.text.span(at, at + 1), help), self.offset)

    def missing(self) -> str | None:
        """The one word or sign with which the line can be read if it stands before what is there; `None` if
        there is none, or several.
        """
        expected = self.expected()
        able = [
            word
            for kind, word in MISSING.items()
            if kind in {"", *expected} and (kind != "IN" or "SIGN" not in expected or self.line.word == "for")
        ]
        found = [word for word in able if self.trial.reads_line(self.offset, self.offset, f"{word} ")]
        return found[0] if len(found) == 1 or found == [",", "="] else None

    def unexpected(self) -> Mistake:
        sentence = needed(self.expected(), self.line.word, self.word_before())
        notes = () if sentence is None else (sentence,)
        if self.token is None or self.kind in LAYOUT:
            span = self.text.span(self.line.end, self.line.end)
            help = fallback_help(self.line.code.rstrip(), None)
            return Mistake(self.unexplained(span, "the end of the line", help, notes), self.line.first)
        found = re.match(r"\w+", self.text.text[self.offset :])  # `form`, of which the parser took `for`
        end = self.offset + max(len(self.token), found.end() if found else 0)
        span = self.text.span(self.offset, end)
        if self.kind == "COMMA" and re.search(
            rf"{CITATION}$", self.text.text[self.line.start : self.offset].rstrip()
        ):
            return self.say("P048", self.offset, self.line.start + len(self.line.text.rstrip()))
        article = self.article()
        if article is not None:
            return article
        help = fallback_help(self.line.code, self.offset - self.line.start)
        missing = None if help else self.missing()
        if missing is not None:
            help = f"`{missing}` is missing before `{span.text}`"
        return Mistake(self.unexplained(span, f"`{span.text}`", help, notes), self.offset)

    @staticmethod
    def unexplained(span: Span, found: str, help: str | None, notes: tuple[str, ...]) -> Diagnostic:
        """A word that does not fit: the cause if it is known, otherwise what stands there and what the
        sentence needs.
        """
        if help is not None:
            return explained(span, help)
        return diagnose("P001", span, problem=f"{found} cannot stand here", notes=notes)

    def article(self) -> Mistake | None:
        """An article before a name, which rulebooks have and rules have not."""
        found = re.search(r"\b(\w+)\s+$", self.text.text[self.line.start : self.offset])
        if (
            found is None
            or found[1].casefold() not in ARTICLES
            or self.line.word in ("draw", "move")
            and found[1].casefold() != "the"
        ):
            return None  # `draw a card`: that says how many
        start, end = self.line.start + found.start(1), self.offset
        if not self.trial.reads_on(start, end, ""):
            return None
        mended = (self.text.text[self.line.first : start] + self.text.text[end : self.line.end]).strip()
        help = f"there is no `{found[1]}` in rules: write `{mended}`"
        said = Mistake(explained(self.text.span(start, start + len(found[1])), help), start)
        fix = Fix(self.text.span(start, end), "", "leave it out", safe=False)
        return replace(said, diagnostic=replace(said.diagnostic, fix=fix))

    def word_before(self) -> str | None:
        """The word or the bracket before the mistake; `None` if there is none on the line."""
        found = re.search(r"([^\W\d]\w*|\d+|\S)\s*$", self.text.text[self.line.start : self.offset])
        return None if found is None else found[1]

    def expected(self) -> set[str]:
        """The kinds of token that could have stood there."""
        return set(
            getattr(self.error, "accepts", None)
            or getattr(self.error, "expected", None)
            or getattr(self.error, "allowed", None)
            or ()
        )
