"""Typical mistakes in rule text, in words.

A table of habits from other languages; the first row whose pattern fits the line with the mistake gives the wording. What no row knows is
worded by what the parser expected.
"""

from __future__ import annotations

import re

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from croupier.diagnostics import Diagnostic, Fix, diagnose
from croupier.syntax.positions import Positioned

# pattern on the line, code, replacement of the matched text (or None)
HABITS: tuple[tuple[str, str, str | None], ...] = (
    (r"^\s*while\b", "P020", None),
    (r"\blambda\b", "P021", None),
    (r"&&", "P022", "and"),
    (r"\|\|", "P023", "or"),
    (r"\+\+|--(?!\w)", "P024", None),
    (r"'[^']*'", "P025", None),
    (r"^\s*(if|elif|repeat until)\b[^=!<>\"]*[^=!<>]=(?!=)", "P026", None),
    (r"\bf\"", "P027", '"'),
    (r"^\s*(print|log)\b", "P028", None),
    (r"%", "P029", "mod"),
    (r"(?<![/])/(?![/])", "P030", "//"),
    (r"\bis\s+not\s+(?!none)|\bis\s+(?!none|not)", "P031", None),
    (r"\*\*", "P032", None),
    (r"\bthen\b", "P033", None),
    (r"\belse\s+if\b", "P034", "elif"),
    (r"\?\?", "P035", "otherwise"),
    (r"\bwith\s+probability\b", "P036", None),
    (r"<>|=!|=<|=>", "P037", None),
    (r"[0-9]+\.[0-9]+", "P038", None),
    (r";", "P039", None),
    (r"^\s*(may\s+)?choose\b(?!.*\bfrom\b)(?!\s+by\b)", "P040", None),
    (r"^\s*draw\b(?!.*\bfrom\b)", "P041", None),
    (r"^\s*(let|var)\s+\w+[^=]*$", "P042", None),
    (r"^\s*(def|window)\s+\w+\s*[^(\s\w]", "P043", None),
)
BLOCKS = re.compile(r"^\s*(if|elif|else|for|repeat|match|case|def|may|choose by|option|so that|secretly|instead|before|after|adjust|in|watch|end when)\b")


def word_mistake(text: Positioned, offset: int, error: Exception) -> Diagnostic:
    """The diagnostic for what the parser stumbled over at `offset`."""
    source = text.text
    offset = max(0, min(offset, len(source)))
    start = source.rfind("\n", 0, offset) + 1
    end = source.find("\n", offset)
    end = len(source) if end < 0 else end
    if offset == end and offset > start and not source[start:end].strip():
        return diagnose("P001", text.span(offset, offset), found="the end of the line")
    line = re.sub(r"\s@[A-Z]+-\S+", lambda m: " " * len(m.group()), source[start:end])
    line = re.sub(r"#.*", lambda m: " " * len(m.group()), line)
    if not isinstance(error, UnexpectedInput):
        return diagnose("P004", text.span(offset, max(offset, start + len(source[start:end].rstrip()))))
    quoteless = re.sub(r'"[^"\n]*"', lambda m: '"' + "x" * (len(m.group()) - 2) + '"', line)
    for pattern, code, replacement in HABITS:
        m = re.search(pattern, quoteless)
        if m:
            span = text.span(start + m.start() + (len(m.group()) - len(m.group().lstrip())), start + m.start() + len(m.group().rstrip()))
            fix = None if replacement is None else Fix(span, replacement, f"write `{replacement}`")
            return diagnose(code, span, fix=fix)
    bare = quoteless.rstrip()
    following = source[end + 1 :].split("\n", 1)[0] if end < len(source) else ""
    indented = len(following) - len(following.lstrip()) > len(line) - len(line.lstrip())
    if BLOCKS.match(bare) and not bare.endswith(":") and offset >= start + len(bare) and (indented or re.match(r"^\s*(else|repeat)$", bare)):
        at = text.span(start + len(bare), start + len(bare))
        return diagnose("P006", at, fix=Fix(at, ":", "add `:`"))
    if quoteless.count('"') % 2:
        at_quote = start + quoteless.rfind('"')
        return diagnose("P007", text.span(at_quote, end))
    opened = [(i, c) for i, c in _brackets(source[:end])]
    if opened and isinstance(error, UnexpectedToken) and error.token.type in ("_NL", "$END"):
        i, c = opened[-1]
        return diagnose("P008", text.span(i, i + 1), bracket=c)
    if isinstance(error, UnexpectedToken) and error.token.type in ("_INDENT", "_DEDENT"):
        at_line = end + 1 if end < len(source) and error.token.type == "_INDENT" else start
        stop = source.find("\n", at_line)
        word = source[at_line : len(source) if stop < 0 else stop]
        return diagnose("P004", text.span(at_line, at_line + len(word.rstrip())))
    if isinstance(error, UnexpectedCharacters):
        return diagnose("P009", text.span(offset, min(offset + 1, len(source))), character=source[offset : offset + 1] or "end")
    token = getattr(error, "token", None)
    found = "the end of the line" if token is None or token.type in ("_NL", "$END", "_DEDENT") else f"`{token}`"
    length = 0 if token is None or token.type in ("_NL", "$END", "_DEDENT") else len(token)
    expected = _expected(error)
    notes = (f"here could stand: {expected}",) if expected else ()
    if found == "the end of the line":
        offset = start + len(bare)
    return diagnose("P001", text.span(offset, offset + length), found=found, notes=notes)


def _brackets(source: str) -> list[tuple[int, str]]:
    opened: list[tuple[int, str]] = []
    for m in re.finditer(r'"[^"\n]*"|#[^\n]*|[(\[{]|[)\]}]', source):
        c = m.group()
        if c in "([{":
            opened.append((m.start(), c))
        elif c in ")]}" and opened:
            opened.pop()
    return opened


WORDS = {
    "NAME": "a name", "INT": "a number", "STRING": 'a text in "…"', "_NL": "the end of the line", "COLON": "`:`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`",
    "RSQB": "`]`", "COMMA": "`,`", "EQUAL": "`=`", "CMP": "a comparison", "DOT": "`.`", "BANG": "`!`", "AUGMENT": "`+=`", "__ANON_0": "`->`", "RBRACE": "`}`",
}  # fmt: skip
QUIET = {"BROKEN", "CITE", "COMMENT", "SIGN", "MUL", "BANG", "DOT", "LSQB", "LPAR", "LBRACE", "CMP", "AND", "OR", "IS", "_INDENT", "_DEDENT", "AUGMENT"}


def _expected(error: Exception) -> str:
    names = set(getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", None) or ())
    words = sorted({WORDS.get(x, f"`{x.lower()}`") for x in names if x not in QUIET and not x.startswith("__")})
    if not words or len(words) > 9:
        return ""
    return ", ".join(words)
