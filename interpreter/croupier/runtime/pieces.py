"""The components of a game: from rows, products of attributes or counts to numbered pieces with labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any

from croupier.diagnostics import RulesetError, diagnose
from croupier.limits import MAX_COMPONENTS
from croupier.runtime.callables import Run
from croupier.runtime.compiler import Compiler
from croupier.runtime.game import Piece, Value
from croupier.runtime.rows import ROWS
from croupier.runtime.setup_values import Values
from croupier.semantics import types as t
from croupier.semantics.program import ClassDef, Program
from croupier.semantics.tree import X


class Pieces(Values):
    """Makes the components, class by class."""

    def __init__(self, program: Program, players: int) -> None:
        super().__init__(program, players)
        self.later: list[tuple[dict[str, Value], str, X]] = []

    def pieces(self, k: ClassDef) -> None:
        game = self.game
        first = len(game.pieces)
        self.not_yet(k)
        rows: list[tuple[str | None, dict[str, Value]]] = [(i, self.attributes(cells)) for i, cells, _ in k.rows]
        if k.each:
            n = 1
            for e in k.each:
                n *= game.domain(k.attributes[e])[1]
            self.limit("G014", k.span, k.name, n, MAX_COMPONENTS - first)
            rows = [(None, dict(zip(k.each, values, strict=True))) for values in product(*(game.values(k.attributes[e]) for e in k.each))]
        elif not rows:
            rows = [(None, {})]
        pieces: list[tuple[str | None, dict[str, Value]]] = []
        for i, values in rows:
            n = 1 if k.copies is None else self.copies(k, values, i)
            self.limit("G014", k.span, k.name, len(pieces) + n, MAX_COMPONENTS - first)
            pieces.extend([(i, values)] * n)
        if not k.each and not k.rows and k.copies is None:
            pieces = []
        alike: dict[str, tuple[str | None, dict[str, Value]]] = {}
        for index, (i, values) in enumerate(pieces):
            label = self.label(k, values, i, index, len(pieces))
            number = first + index
            if alike.setdefault(label, (i, values)) != (i, values) and k.name not in game.labels:
                where = next((span for other, _, span in k.rows if other == i), k.span)
                raise RulesetError((diagnose("G018", where, label=label),))
            game.pieces.append(Piece(number, k.name, index, values, label, i))
            if i is not None:
                game.by_id.setdefault((k.name, i), number)
            game.by_label.setdefault(label, []).append(number)
        game.kinds[k.name] = (first, len(pieces))

    def attributes(self, cells: Mapping[str, X]) -> dict[str, Value]:
        """The attributes of a row. Those that name components of classes further down are filled in when all components are there."""
        values: dict[str, Value] = {}
        for a, x in cells.items():
            if self.comes_later(x):
                values[a] = None
                self.later.append((values, a, x))
            else:
                values[a] = self.value(x)
        return values

    def comes_later(self, x: X) -> bool:
        """Does a cell name a component that is not there yet?"""
        missing = {"component": lambda key: key not in self.game.by_id, "column": lambda key: key not in self.game.columns}
        return any(y.op in missing and missing[y.op](y.data) for y in x.walk())

    def not_yet(self, k: ClassDef) -> None:
        """How many there are and what they are called cannot depend on attributes that name components which come later."""
        for whole in (k.copies, k.label):
            if whole is not None:
                self.early_columns(whole)
        late = {a for _, cells, _ in k.rows for a, x in cells.items() if self.comes_later(x)}
        for x in (y for whole in (k.copies, k.label) if whole is not None and late for y in whole.walk()):
            if x.op == "local" and k.frame is not None and x.data < len(k.frame.slots) and k.frame.slots[x.data] in late:
                name = k.frame.slots[x.data]
                raise RulesetError((diagnose("G017", x.span, reason=f"`{name}` names components, which are not there yet"),))

    def named(self) -> None:
        """Attributes that name components."""
        for values, a, x in self.later:
            values[a] = self.value(x)

    def locals_of(self, k: ClassDef, values: dict[str, Value], id: str | None) -> list[Value]:
        names = k.frame.slots if k.frame is not None else []
        return [values.get(n, id if n == "id" else None) for n in names] + [None] * 8

    def copies(self, k: ClassDef, values: dict[str, Value], id: str | None) -> int:
        assert k.copies is not None
        n = Compiler(self.game, ROWS).expr(k.copies)(self.nowhere, self.locals_of(k, values, id))
        if n < 0:
            raise RulesetError((diagnose("G022", k.copies.span, name=k.name, count=n, least=0),))
        return n  # type: ignore[no-any-return]

    def label(self, k: ClassDef, values: dict[str, Value], id: str | None, index: int, count: int) -> str:
        if k.label is not None:
            template = Compiler(self.game, ROWS).expr(k.label)
            starts = {a: self.start_of(k, a) for a in k.mutable}
            if any(x.op == "local" and k.frame is not None and k.frame.slots[x.data] in starts for x in k.label.walk()):
                self.game.labels.setdefault(k.name, self.changing_label(k, template))
            return template(self.nowhere, self.locals_of(k, values | starts, id))  # type: ignore[no-any-return]
        if id is not None:
            return id
        words = [self.game.show(v, k.attributes[a]) for a, v in values.items() if not isinstance(k.attributes[a], t.Text)]
        return "-".join(words) if words and k.each else f"{k.name}-{index + 1}" if count > 1 else k.name

    def start_of(self, k: ClassDef, attribute: str) -> Value:
        v = self.program.vars[f"{k.name}.{attribute}"]
        assert isinstance(v.type, t.Map)
        return self.default(v.type.value) if v.start is None else self.value(v.start)

    def changing_label(self, k: ClassDef, template: Run) -> Callable[[Any, Piece], str]:
        """A label that names attributes which change in play: worked out anew wherever it is shown."""
        variables = {a: self.program.vars[f"{k.name}.{a}"].index for a in k.mutable}

        def label(m: Any, p: Piece) -> str:
            values = {a: m.vars[i][p.index] for a, i in variables.items()}
            return template(m, self.locals_of(k, p.attributes | values, p.id))  # type: ignore[no-any-return]

        return label
