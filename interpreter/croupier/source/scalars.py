"""What YAML takes a plain scalar for: the core schema of YAML 1.2, without fractions and with 64-bit numbers."""

from __future__ import annotations

import re

from croupier.diagnostics import Diagnostic, Fix, Span, diagnose

_WORDS: dict[str, None | bool] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_DECIMAL = re.compile(r"[-+]?[0-9]+\Z", re.ASCII)
_OCTAL = re.compile(r"0o[0-7]+\Z", re.ASCII)
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+\Z", re.ASCII)
_FRACTION = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z|[-+]?\.(inf|Inf|INF)\Z|\.(nan|NaN|NAN)\Z", re.ASCII)
_WHOLE = re.compile(r"([-+]?[0-9]+)\.0*\Z", re.ASCII)
_MOST_DIGITS = 30  # more than any number of 64 bits has, in each of the three bases


def resolve(text: str, span: Span) -> tuple[None | bool | int | str, Diagnostic | None]:
    """The value of a plain scalar, and a diagnostic where it is a fraction or a number of more than 64 bits (then the text)."""
    if text in _WORDS:
        return _WORDS[text], None
    for pattern, base, skip in ((_DECIMAL, 10, 0), (_OCTAL, 8, 2), (_HEXADECIMAL, 16, 2)):
        if pattern.match(text):
            digits = text[skip:].lstrip("+-").lstrip("0") or "0"
            if len(digits) > _MOST_DIGITS:
                return text, diagnose("Y305", span)
            number = -int(digits, base) if text[0] == "-" else int(digits, base)
            return (number, None) if -(2**63) <= number < 2**63 else (text, diagnose("Y305", span))
    if _FRACTION.match(text):
        whole = _WHOLE.match(text)  # nothing else is proposed: whether a number or a text was meant is not known here
        return text, diagnose("Y304", span, text=text, fix=Fix(span, whole[1], f"write `{whole[1]}`", safe=False) if whole is not None else None)
    return text, None
