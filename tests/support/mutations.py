"""Texts with tokens and lines deleted, doubled, swapped and replaced: what strangers and tired authors
write.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st

from findings import ROOT

TOKEN = re.compile(r"\w+|[^\w\s]+|\n\s*|[^\S\n]+")
TEXTS = {
    p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8")
    for p in sorted((ROOT / "rulesets").rglob("ruleset.yaml"))
}
WORDS = sorted({t for text in TEXTS.values() for t in TOKEN.findall(text) if not t.isspace()} | {
    "none", "[]", "{}", "()", "..", "-1", "9" * 20, '"{', '"', "!", "?", "@WB-1", "per", "list of",
    "otherwise", "==", "=", "self", "owner",
    "original()",
    "nested 3", "is none", "\n", "    ", "\t", ":", "#", "&a", "*a", "<<",
})  # fmt: skip

KINDS = ["delete", "double", "swap", "replace", "insert", "delete line", "double line"]
change = st.tuples(st.sampled_from(KINDS), st.integers(0, 10**6), st.integers(0, 10**6))


def mutate(text: str, changes: list[tuple[str, int, int]]) -> str:
    """The text after some changes, each of a token or a line."""
    for kind, at, other in changes:
        parts = text.splitlines(keepends=True) if kind.endswith("line") else TOKEN.findall(text)
        if not parts:
            break
        i = at % len(parts)
        match kind.split()[0]:
            case "delete":
                del parts[i]
            case "double":
                parts.insert(i, parts[i])
            case "swap":
                j = other % len(parts)
                parts[i], parts[j] = parts[j], parts[i]
            case "replace":
                parts[i] = WORDS[other % len(WORDS)]
            case "insert":
                parts.insert(i, WORDS[other % len(WORDS)])
        text = "".join(parts)
    return text
