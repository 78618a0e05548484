"""Texts as values.

A text is one word, its number, if all texts of the game have few values. Otherwise every text is a list of
characters, and one longer than `MOST_TEXT` fails the action: `lower` starts again in this mode when it meets
the first such text.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

from croupier.core import operations as op
from croupier.core.builder import FALSE, TRUE, add, const, eq, le, lt, mod, mul, not_, sub
from croupier.core.operations import Const, Expression, Local
from croupier.kernel import types as t
from croupier.kernel.tree import LocalExpr, TextExpr, TypedExpr
from croupier.limits import MAX_SHOWN
from croupier.lowering.context import Context, Operand, Ref, as_word
from croupier.lowering.operands import form, value, word
from croupier.lowering.shapes import WORD, Items, NotLowered, Word
from croupier.semantics.program import RecordDef

MOST_TEXTS = 5_000  # of a text with values in it


class TextWithoutEnd(NotLowered):
    """A text has too many values to be numbered."""


@form(TextExpr)
def _text(c: Context, x: TextExpr) -> Operand:
    """A text as a value."""
    if len(x.parts) == 1 and len(x.args) == 1 and isinstance(x.args[0].type, t.Text):
        return value(c, x.args[0])
    if c.texts.long:
        return Characters(c).template(x)
    if not has_few_values(c, x):
        raise TextWithoutEnd("a text of many values, as a value", x.span)
    number: Expression = const(0)
    domains = []
    for a in x.args:
        low, count = c.game.domain(a.type)
        domains.append([c.game.show(v, a.type, labelled=True) for v in range(low, low + count)])
        number = add(mul(number, const(count)), sub(word(c, a), const(low)))
    texts = [
        "".join(next(given) if p is None else p for p in x.parts) for given in map(iter, product(*domains))
    ]
    return c.rows(list(texts), Word(texts=c.texts), number)


def has_few_values(c: Context, x: TextExpr) -> bool:
    """Return whether a text has so few values that they can be numbered."""
    finite = (t.Bool, t.Enum, t.Player, t.Cell)
    if not all(
        isinstance(a.type, finite) or isinstance(a.type, t.Int) and c.game.is_finite(a.type) for a in x.args
    ):
        return False
    return prod(c.game.domain(a.type)[1] for a in x.args) <= MOST_TEXTS


class Characters:
    """Builds a text, character by character, in the words of the reference."""

    def __init__(self, c: Context) -> None:
        self.c, self.w = c, c.w
        self.into = c.empty_list(Items("text", c.texts.most, WORD), "x")

    def template(self, x: TextExpr) -> Ref:
        """Add a template with its values."""
        args = iter(x.args)
        for p in x.parts:
            if p is not None:
                self.add(p)
                continue
            a = next(args)
            self.show(value(self.c, a), a.type)
        return self.into

    def add(self, text: str) -> None:
        """Add characters."""
        if len(text) == 1:
            self.character(const(ord(text)))
        elif text:
            self.copy(self.c.table(tuple(map(ord, text))), FALSE, const(len(text)))

    def copy(self, memory: str, at: Expression, count: Expression) -> None:
        """Add characters of an array, from an index on."""
        w, n = self.w, self.w.temp(op.Load(self.into.memory, FALSE), "n")
        count = w.temp(count)
        w.guard(le(add(n, count), const(self.c.texts.most)))
        w.emit(op.Copy(self.into.memory, add(n, TRUE), memory, at, count))
        w.store(self.into.memory, FALSE, add(n, count))

    def character(self, code: Expression) -> None:
        self.c.push(code, self.into)

    def one_of(self, texts: list[str], index: Expression) -> None:
        """Add one of several texts, by index."""
        if isinstance(index, Const) or len(texts) == 1:
            self.add(texts[index.value if isinstance(index, Const) else 0])
            return
        begins = [0]
        for text in texts:
            begins.append(begins[-1] + len(text))
        begin = self.c.table(tuple(begins))
        characters = self.c.table((*(ord(ch) for text in texts for ch in text), 0))
        index = self.w.temp(index)
        at = self.w.temp(op.Load(begin, index))
        self.copy(characters, at, sub(op.Load(begin, add(index, TRUE)), at))

    # ------------------------------------------------------------ values, as the reference shows them
    def show(self, v: Operand, kind: t.Type) -> None:
        """Add a value in the words of the game."""
        c, w, game = self.c, self.w, self.c.game
        match kind:
            case t.Optional(base):
                found = c.once(v)
                w.when(c.missing(found), lambda: self.add("none"), lambda: self.show(c.certain(found), base))
            case t.Text():
                v = c.certain(v)
                assert isinstance(v, Ref)
                self.copy(v.memory, add(v.at, TRUE), c.length(v))
            case t.Bool() | t.Enum() | t.Player() | t.Cell():
                low, count = game.domain(kind)
                self.one_of(
                    [game.show(i, kind, labelled=True) for i in range(low, low + count)],
                    sub(as_word(v), const(low)),
                )
            case t.Component():
                self.component(w.temp(as_word(v)), kind)
            case t.Record(name):
                self.record(v, game.program.records[name])
            case t.Collection() | t.Endless():
                base = kind.base if isinstance(kind, t.Collection) else t.Player()
                list_ = c.certain(v)
                assert isinstance(list_, Ref)
                list_ = c.fixed(list_)
                n = w.temp(c.length(list_), "n")
                w.when(
                    eq(n, FALSE),
                    lambda: self.add("nothing"),
                    lambda: self.several(n, n, lambda i: self.show(c.element(list_, i), base)),
                )
            case t.Map():
                self.pairs(v, kind)
            case t.Nothing() | t.Never():
                self.add("none")
            case _:
                self.number(w.temp(as_word(v)))

    def component(self, component: Expression, kind: t.Component) -> None:
        """Add the label of a component."""
        game = self.c.game

        def of_kind(kinds: list[str]) -> None:
            if not kinds:
                self.one_of([p.label for p in game.components], component)
                return
            first, count = game.kinds[kinds[0]]
            inside = op.And(le(const(first), component), lt(component, const(first + count)))
            if len(kind.kinds) == 1:
                self.labelled(component, kinds[0])
            else:
                self.w.when(inside, lambda: self.labelled(component, kinds[0]), lambda: of_kind(kinds[1:]))

        of_kind([k for k in sorted(kind.kinds) if k in game.labels and game.kinds[k][1]])

    def labelled(self, component: Expression, kind: str) -> None:
        """Add a label that depends on mutable attributes."""
        c = self.c
        k = c.game.program.classes[kind]
        assert k.label is not None and k.frame is not None
        first, _ = c.game.kinds[kind]
        env: dict[int, Operand] = {}
        for slot in {y.slot for y in k.label.walk() if isinstance(y, LocalExpr)}:
            name = k.frame.slots[slot]
            if name == "id":
                env[slot] = c.rows([p.id for p in c.game.components], c.shape(t.Text()), component)
            elif name in k.mutable:
                whole = c.variable(f"{kind}.{name}")
                env[slot] = c.load(c.entry(whole, sub(component, const(first))))
            else:
                env[slot] = c.rows(
                    [p.attributes.get(name) for p in c.game.components],
                    c.shape(k.attributes[name]),
                    component,
                )
        self.in_words(k.label, env)

    def record(self, v: Operand, record: RecordDef) -> None:
        """Add a record by its label, or field by field."""
        c = self.c
        whole = c.certain(v)
        assert isinstance(whole, Ref)
        values = [c.load(part) for part in c.parts(c.fixed(whole))]
        if record.shown_as is not None:
            self.in_words(record.shown_as.text, dict(enumerate(values)))
            return
        for i, (name, kind) in enumerate(record.fields.items()):
            self.add(f"{', ' if i else '('}{name} ")
            self.show(values[i], kind)
        self.add(")")

    def in_words(self, text: TypedExpr, env: dict[int, Operand]) -> None:
        """Add a text over other locals than those here."""
        with self.c.within(env, self.c.body.proc):
            self.show(value(self.c, text), t.Text())

    def pairs(self, v: Operand, kind: t.Map) -> None:
        """Add the entries of a map."""
        c, w = self.c, self.w
        whole = c.certain(v)
        assert isinstance(whole, Ref)
        count = c.entries(whole.shape)
        if not count:
            return
        table, seen = c.fixed(whole), w.fresh()
        low = c.game.domain(kind.key)[0]
        w.set(seen, FALSE)

        with w.count(FALSE, const(count)) as i:
            found = c.once(c.load(c.entry(table, i)))
            with w.where(not_(c.missing(found))):
                with w.where(lt(Local(seen), const(MAX_SHOWN))):
                    w.when(lt(FALSE, Local(seen)), lambda: self.add(", "))
                    self.show(add(i, const(low)), kind.key)
                    self.add(": ")
                    base = kind.value.base if isinstance(kind.value, t.Optional) else kind.value
                    self.show(c.certain(found), base)
                w.set(seen, add(Local(seen), TRUE))
        self.more(Local(seen))

    def several(self, n: Expression, whole: Expression, show: Callable[[Expression], None]) -> None:
        """Add the first values, and the number of the others."""
        w = self.w
        with w.count(FALSE, w.temp(op.Select(lt(n, const(MAX_SHOWN)), n, const(MAX_SHOWN)))) as i:
            w.when(lt(FALSE, i), lambda: self.add(", "))
            show(i)
        self.more(whole)

    def more(self, n: Expression) -> None:
        with self.w.where(lt(const(MAX_SHOWN), n)):
            self.add(", … (")
            self.number(self.w.temp(sub(n, const(MAX_SHOWN))))
            self.add(" more)")

    def number(self, v: Expression) -> None:
        """Add an integer in decimal digits."""
        c, w = self.c, self.w
        if isinstance(v, Const):
            self.add(str(v.value))
            return
        digits, left = c.room(Items("list", 20, WORD)), w.variable(v)
        with w.where(lt(Local(left), FALSE)):
            self.add("-")
            w.set(left, sub(FALSE, Local(left)))
        c.clear(digits)
        with w.forever():
            c.push(add(mod(Local(left), const(10)), const(ord("0"))), digits)
            w.set(left, op.Div(Local(left), const(10)))
            w.leave_if(eq(Local(left), FALSE))
        n = w.temp(c.length(digits), "n")
        with w.count(FALSE, n) as i:
            self.character(as_word(c.element(digits, sub(sub(n, TRUE), i))))
