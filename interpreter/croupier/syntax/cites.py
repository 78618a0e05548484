"""Citations: where they stand in a rule text, and which node each belongs to.

A citation belongs to the citable node (statement, `elif`, option, condition, definition, hook) that began last before it, so it may stand at
the end of any line and inside brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from lark import Token, Tree

from croupier.syntax.lines import CITATION
from croupier.syntax.nodes import Cite
from croupier.syntax.positions import Positioned

TOKEN = re.compile(rf'"[^"\n]*"|#[^\n]*|({CITATION})')
PART = re.compile(r"([A-Z]*[0-9]+[a-z]?)(?:\.\.([A-Z]*[0-9]+[a-z]?))?")
CITABLE = {
    "definition", "window", "override", "trigger", "adjust", "reaction", "watch", "endwhen", "let", "assign", "callstmt", "return_", "break_",
    "continue_", "pass_", "if_", "elif_", "for_", "repeat", "match_", "move", "draw", "shuffle", "roll", "swap", "add", "remove", "show", "reveal",
    "tell", "announce", "open_", "claim_", "finish", "choose_line", "maychoose", "only_if", "menu", "option", "sothat", "secretly", "lost",
}  # fmt: skip


def find_cites(text: Positioned) -> list[tuple[int, Cite]]:
    """Every citation of a rule text with its offset."""
    found = []
    for m in TOKEN.finditer(text.text):
        if m.group(1) is None:
            continue
        prefix = m.group(1)[1 : m.group(1).index("-") + 1]
        start = m.start(1) + 1 + len(prefix)
        for part in PART.finditer(text.text, start, m.end(1)):
            last = part.group(2)
            found.append((m.start(1), Cite(text.span(part.start(), part.end()), prefix + part.group(1), None if last is None else prefix + last)))
    return found


def cites_by_owner(text: Positioned, tree: Tree[Token]) -> dict[int, tuple[Cite, ...]]:
    """Citations by the start offset of the node that owns them."""
    cites = find_cites(text)
    if not cites:
        return {}
    starts = sorted({t.meta.start_pos for t in tree.iter_subtrees() if t.data in CITABLE and not t.meta.empty})
    owned: dict[int, tuple[Cite, ...]] = {}
    for at, cite in cites:
        i = bisect_left(starts, at) - 1
        if i >= 0:
            owned[starts[i]] = (*owned.get(starts[i], ()), cite)
    return owned
