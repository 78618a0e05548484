"""Which blocks control never comes out of at the end: every way through them returns, ends the game, or leaves the loop around them.

A decision without an option is a fault, or `else`: nothing behind it goes on because nobody could choose. So a menu is left for good if each of
its options is, and its `else` if it has one. A reaction that a menu offers (`with`) ends the menu, and what follows it goes on.
"""

from __future__ import annotations

from croupier.semantics.narrowing import breaks
from croupier.syntax import nodes as n


def leaves(body: n.Block) -> bool:
    """Does control surely not come out at the end of this block?"""
    return any(never_passed(s) for s in body)


def never_passed(s: n.Stmt) -> bool:
    """Does control surely not come out behind this statement?"""
    match s:
        case n.Return() | n.Finish() | n.Simple(word="break" | "continue"):
            return True
        case n.If():
            return leaves(s.then) and leaves(s.other)
        case n.Match():
            return bool(s.cases) and all(leaves(c.body) for c in s.cases) and (s.other is None or leaves(s.other))
        case n.Repeat():
            return s.until is None and not breaks(s.body)
        case n.ForStmt(source=n.Call(target=n.Name(name="turns")), condition=None):
            return not breaks(s.body)
        case n.Menu():
            return s.window is None and bool(s.options) and all(leaves(o.body) for o in s.options) and (s.other is None or leaves(s.other))
        case n.Choose(optional=True) | n.SoThat():
            return leaves(s.body) and s.other is not None and leaves(s.other)
        case n.Secretly():
            return leaves(s.body)
    return False
