"""Reading each rule text once, and giving back the changed tree of one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from croupier.authoring.mutate.operators import Key, Mutant
from croupier.authoring.mutate.rewriting import rewritten
from croupier.syntax import parse_binding, parse_block, parse_declaration, parse_expression, parse_module
from croupier.syntax.positions import Positioned

Parse = Callable[[Positioned], tuple[Any, list[Any]]]
PARSERS: dict[str, Parse] = {
    "module": parse_module,
    "block": parse_block,
    "expression": parse_expression,
    "declaration": parse_declaration,
    "binding": parse_binding,
}


class Texts:
    """The nodes of every rule text that was read; `mutant` says which of them is to be given changed."""

    def __init__(self) -> None:
        self._read: dict[Key, tuple[Any, list[Any]]] = {}
        self.mutant: Mutant | None = None

    def key(self, parse: Parse, text: Positioned) -> Key:
        span = text.span(0, len(text.text))
        return getattr(parse, "__name__", ""), span.source.name, span.start, span.end

    def read(self, parse: Parse, text: Positioned) -> tuple[Any, list[Any]]:
        """The nodes of a text, as written."""
        key = self.key(parse, text)
        if key not in self._read:
            self._read[key] = parse(text)
        return self._read[key]

    def __call__(self, parse: Parse, text: Positioned) -> tuple[Any, list[Any]]:
        """The nodes of a text, changed if it is the mutant's."""
        node, found = self.read(parse, text)
        mutant = self.mutant
        if mutant is not None and mutant.text is not None and mutant.text == self.key(parse, text):
            return rewritten(node, mutant.node, mutant.new), found
        return node, found
