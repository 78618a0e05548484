"""Expressions in words: `hand[p].size >= 3` is “the number of hand of p is at least 3”.

Names lose their underscores; what has no words of its own is shown as it is written.  Words must say neither more nor less than the expression
does: whatever could be read together with what stands beside it is put in brackets (`grouping.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from croupier.authoring.rulebook.grouping import closed
from croupier.authoring.rulebook.loops import aggregate, all_of, map_of
from croupier.authoring.rulebook.members import attribute, call, index
from croupier.authoring.rulebook.operators import binary, either, is_kind, missing, negated, unary
from croupier.authoring.rulebook.types import Types
from croupier.authoring.rulebook.vocabulary import STATES, WORDS, listed, quoted
from croupier.syntax import nodes as n

DEEPEST = 60


@dataclass(frozen=True)
class Phrases:
    """Puts expressions into words.  `types`: what is known of them; `owner`: what `owner` is called; `depth`: how many stand around this one.

    The words of the parts of one expression are kept in `known` while it is put into words: many sentences ask for those of a part twice, and
    each level would double the work.
    """

    types: Types = field(default_factory=Types)
    owner: str = WORDS["owner"]
    depth: int = 0
    known: dict[tuple[int, int, bool], tuple[n.Expr, str]] = field(default_factory=dict, compare=False, repr=False)

    def phrase(self, node: n.Expr | None) -> str:
        """An expression in words."""
        return "" if node is None else node.span.text if self.depth > DEEPEST else self._once(node, opposite=False)

    def _once(self, node: n.Expr, opposite: bool) -> str:
        """The words of an expression or of its opposite, worked out once within the outermost expression."""
        key = id(node), self.depth, opposite
        found = self.known.get(key) if self.depth else None
        if found is None:
            inner = replace(self, depth=self.depth + 1, known=self.known if self.depth else {})
            found = node, negated(inner, node) if opposite else inner._words(node)  # holds the node, too, so that its identity is not used again
            if self.depth:
                self.known[key] = found
        return found[1]

    def condition(self, node: n.Expr) -> str:
        """What must be so, in words: of a value that is yes or no, that it is yes."""
        words = self.phrase(node)
        match node:
            case n.Attr() if node.name not in STATES or self.types.has_fields(node.target):
                return f"{words} is yes"
            case n.Name() | n.Index():
                return f"{words} is yes"
        return words

    def negated(self, node: n.Expr) -> str:
        """The opposite of a condition in words."""
        return f"not {node.span.text}" if self.depth > DEEPEST else self._once(node, opposite=True)

    def template(self, node: n.Template) -> str:
        """A text of the game, its parts in angle quotes."""
        return "".join(part if isinstance(part, str) else f"‹{_bare(self.phrase(part))}›" for part in node.parts)

    def _words(self, node: n.Expr) -> str:
        match node:
            case n.Int():
                return str(node.value).replace("-", "−")
            case n.Bool():
                return "yes" if node.value else "no"
            case n.NoneLit():
                return "none"
            case n.Name(name="owner"):
                return self.owner
            case n.Name():
                return WORDS.get(node.name) or quoted(node.name)
            case n.Template():
                return self.template(node)
            case n.Certain():
                return self.phrase(node.value)
            case n.Attr():
                return attribute(self, node)
            case n.Index():
                return index(self, node)
            case n.Call():
                return call(self, node)
            case n.Unary():
                return unary(self, node)
            case n.Binary():
                return binary(self, node)
            case n.IsNone():
                return missing(self, node)
            case n.IsKind():
                return is_kind(self, node)
            case n.IfElse():
                return either(self, node)
        return self._collection(node)

    def _collection(self, node: n.Expr) -> str:
        """Lists and maps, and what is found in them."""
        match node:
            case n.Aggregate():
                return aggregate(self, node)
            case n.ListLit():
                several = len(node.items) > 1
                return listed([closed(i, self.phrase(i)) if several else self.phrase(i) for i in node.items]) or "nothing"
            case n.ListComp():
                return all_of(self, node)
            case n.MapLit():
                return "; ".join(f"{self.phrase(k)}: {self.phrase(v)}" for k, v in node.entries) or "nothing"
            case n.MapComp():
                return map_of(self, node)
        return node.span.text


PLAIN = Phrases()


def _bare(words: str) -> str:
    """Words without the quotes that hold all of them: angle quotes are enough."""
    inner = words[1:-1]
    return inner if words[:1] in "“‘" and words[-1:] in "”’" and not {"“", "‘"}.intersection(inner) else words
