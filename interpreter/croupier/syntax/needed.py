"""The things that a text needs next where something else stands, in plain words: at most three.

What comes in is what the parser accepts at that place; what goes out is a sentence, or `None` if there is
nothing short to say.
"""

from __future__ import annotations

from collections.abc import Collection

MOST = 3  # things that are named
_VALUES = {"NAME", "INT", "TRUE"}
_GOES_ON = {"SIGN", "MUL", "CMP", "AND", "OR", "IS"}  # signs and words between two values
_QUIET = {
    "SIGN", "MUL", "CMP", "AND", "OR", "IS", "IN", "NOT", "IF", "OTHERWISE", "BANG", "DOT", "LSQB", "LPAR",
    "LBRACE", "QMARK", "_INDENT", "_DEDENT",
    "$END", "AUGMENT", "TRUE", "FALSE", "NONE", "SUPPOSE", "NAME", "INT", "STRING", "_DOC",
}  # fmt: skip
_CALLED = {
    "_NL": "the end of the line", "COLON": "`:`", "RPAR": "`)`", "RSQB": "`]`", "RBRACE": "`}`",
    "COMMA": "`,`", "EQUAL": "`=`",
    "PLACE": "`top` or `bottom`", "AT_ONCE": "`at once`", "_ANY_TIME": "`at any time`",
    "ANY_ORDER": "`in any order`", "_GROUP": "`group`",
}  # fmt: skip
_KINDS = {"NAME": "a name", "INT": "a number", "STRING": 'a text in "…"'}
_CLAUSES = {"WHERE", "BY", "MERGING", "SUCH", "AS", "UNSEEN", "LEAKS"}
_CONDITIONS = ("if", "elif", "only", "repeat", "end", "watch", "where")
_STARTS = {"LET", "MOVE", "DRAW", "SHUFFLE"}  # accepted where a statement begins


def needed(accepted: Collection[str], word: str, before: str | None = None) -> str | None:
    """Say what comes next where the parser accepts these kinds of token, in a line that begins with `word`;
    `before` is what stands before it.
    """
    kinds = set(accepted)
    if kinds >= _STARTS:
        return "a statement begins here"
    behind = _behind(kinds)
    if kinds >= _VALUES:
        return _joined(
            "a value comes here: a name, a number or a text",
            [x for x in behind if x in ("`)`", "`]`", "`}`")],
        )
    if kinds & _GOES_ON or "OTHERWISE" in kinds:
        place = "here" if before is None else f"behind `{before}`"
        sign = (
            "a sign with another value, as in `+ 1`"
            if word not in _CONDITIONS
            else "a sign or a word with something else, as in `and …`"
        )
        if "`:`" in behind and word in _CONDITIONS:
            return f"{place} the condition ends with `:`, or {sign} comes"
        return f"{place} comes {_listed([*behind[: MOST - 1], sign])}"
    things = [*(called for kind, called in _KINDS.items() if kind in kinds), *behind]
    if not things:
        return None
    return f"{things[0]} is missing here" if len(things) == 1 else f"{_listed(things[:MOST])} comes here"


def _behind(kinds: set[str]) -> list[str]:
    """Return what may follow, without the signs and words that carry a value on; what is needed most often
    first.
    """
    quiet = _QUIET if kinds & _GOES_ON else _QUIET - {"IN", "IF"}
    words = sorted(kinds - quiet - set(_CALLED) - _CLAUSES)
    named = [f"`{kind.lower().lstrip('_')}`" for kind in words if kind.isalpha()]
    clauses = sorted(kinds & _CLAUSES)
    if len(clauses) == 1:
        named.append(f"`{clauses[0].lower()}`")
    elif clauses:
        named.append(
            "a clause such as `where` or `by`"
            if "WHERE" in clauses
            else " or ".join(f"`{kind.lower()}`" for kind in clauses[:2])
        )
    return [*named, *(called for kind, called in _CALLED.items() if kind in kinds)]


def _joined(first: str, others: list[str], verb: str = "") -> str:
    """A sentence that names at most two things more."""
    if not others:
        return first
    return f"{first}, or {_listed(others[: MOST - 1])}" + (f" {verb}" if verb else "")


def _listed(things: list[str]) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} or {things[-1]}"
