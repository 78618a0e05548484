"""Lowering what waits: calls, windows, chance, and decisions in all their forms. Each becomes a suspension with its queries and ways on."""

from __future__ import annotations

from typing import Any

from croupier.ir.lower.statements import Statements
from croupier.ir.suspensions import Resume, Suspend
from croupier.ir.terminators import Query, Stuck
from croupier.semantics import types as t
from croupier.semantics.tree import Choice, MenuData, Named, Param, S, X


class Decisions(Statements):
    """Lowers statements that wait."""

    def wait(
        self, s: S, kind: str, resumes: tuple[Resume, ...], *, args: tuple[int, ...] = (), keeps: tuple[int, ...] = (),
        asks: tuple[Query, ...] = (), blocked: int | None = None, data: Any = None,
    ) -> None:  # fmt: skip
        assert s.suspension_point is not None
        self.end(Suspend(self.span, kind, s.suspension_point, args, keeps, asks, resumes, blocked, data))

    def ask(self, name: str, x: X, takes: tuple[int, ...] = ()) -> Query:
        return self.query(name, takes, lambda: self.value(x))

    # ------------------------------------------------------------ calls and windows
    def waiting_call(self, s: S, call: X) -> int | None:
        """A call that may wait. A single hook in its place need not hand back every `var` parameter: then the argument stays as it is."""
        self.burn(s)
        args = self.arguments(self.program.procs[call.data].params, self.values(call.args))
        slot = None if isinstance(call.type, t.Nothing) else self.temp(call.type)
        if call.op == "original":
            args = (self.chain(), *args)
        pairs = list(zip(self.program.procs[call.data].params, call.args, strict=True))
        self.handed(s, "call", "returned", pairs, call.op == "call", slot, args, (call.op, call.data))
        return slot

    def handed(
        self, s: S, kind: str, name: str, pairs: list[tuple[Param, X]], surely: bool, slot: int | None, args: tuple[int, ...], data: Any
    ) -> None:
        """Wait for something that hands back a value and `var` parameters, then write these."""
        on = self.label()
        backs, assigns = self.places(pairs, surely)
        self.wait(s, kind, (Resume(name, on, (*(() if slot is None else (slot,)), *assigns)),), args=args, data=data)
        self.begin(on)
        self.write_back(backs)

    def places(self, pairs: list[tuple[Param, X]], surely: bool) -> tuple[list[tuple[Param, X, int | None, int]], tuple[int, ...]]:
        """Temporaries for what is handed back: a value for each `var` parameter, before it, unless it surely is, whether it is."""
        backs: list[tuple[Param, X, int | None, int]] = []
        for q, a in pairs:
            if q.var:
                backs.append((q, a, None if surely else self.temp(t.BOOL), self.temp(q.type)))
        return backs, tuple(slot for _, _, flag, v in backs for slot in (flag, v) if slot is not None)

    def write_back(self, backs: list[tuple[Param, X, int | None, int]]) -> None:
        for q, a, flag, v in backs:
            if flag is None:
                self.back(q, a, v)
                continue
            yes, no = self.fork(flag)
            self.begin(yes)
            self.back(q, a, v)
            self.begin(no)

    def s_open(self, s: S) -> None:
        self.burn(s)
        args = self.arguments(self.program.procs[s.data].params, self.values(s.args[1:]))
        pairs = list(zip(self.program.procs[s.data].params, s.args[1:], strict=True))
        self.handed(s, "open", "closed", pairs, True, None, (self.value(s.args[0]), *args), s.data)

    def s_claim(self, s: S) -> None:
        self.burn(s)
        on = self.label()
        self.wait(s, "claim", (Resume("said", on),), asks=(self.ask("chooser", s.args[0]),), blocked=on)
        self.begin(on)

    # ------------------------------------------------------------ chance
    def s_draw(self, s: S) -> None:
        left, drawn = s.data
        count, source, to = s.args
        self.burn(s)
        zero = self.make("const", t.INT, (), 0)
        self.keep(left, self.make("max", t.INT, (zero, self.value(count))))
        assert isinstance(source.type, t.Zone)
        if drawn >= 0:
            self.emit("list", (drawn,))
        head, more, take, done = (self.label() for _ in range(4))
        self.begin(head)
        nothing = self.make("const", t.INT, (), 0)
        self.end_if(self.make("gt", t.BOOL, (left, nothing)), more, done)
        self.begin(more)
        piece = self.temp(t.Component(source.type.kinds))
        self.wait(s, "draw", (Resume("drawn", take, (piece,)),), asks=(self.ask("source", source),), blocked=done)
        self.begin(take)
        self.burn(s)
        one = self.make("const", t.INT, (), 1)
        self.keep(left, self.make("sub", t.INT, (left, one)))
        if drawn >= 0:
            self.emit("append", (drawn,), (drawn, piece))
        zone = self.value(to)
        self.emit("move", (), (self.make("list", t.list_of(t.Component(source.type.kinds)), (piece,)), zone), "top")
        self.jump(head)
        self.begin(done)

    def s_roll(self, s: S) -> None:
        name, left = s.data
        variable = self.program.vars[name].type
        assert isinstance(variable, t.Map)
        self.burn(s)
        self.keep(left, self.make("canonical", self.slots[left].type, (self.value(s.args[0]),)))
        head, more, write, done = (self.label() for _ in range(4))
        self.begin(head)
        self.end_if(self.make("empty", t.BOOL, (left,)), done, more)
        self.begin(more)
        face = self.temp(variable.value)
        self.wait(s, "roll", (Resume("rolled", write, (face,)),), data=name)
        self.begin(write)
        self.burn(s)
        piece = self.make("first", variable.key, (left,))
        self.emit("rest", (left,), (left,))
        self.emit("set_mutable", (), (piece, face), name)
        self.jump(head)
        self.begin(done)

    # ------------------------------------------------------------ choices
    def s_choose(self, s: S) -> None:
        c: Choice = s.data[0]
        self.burn(s)
        body, other, done = self.label(), self.label(), self.label()
        takes = () if c.every is None else (c.every,)
        asks = [] if c.by is None or c.chooser == "chance" else [self.ask("chooser" if c.every is None else "choosers", c.by)]
        if c.many:
            asks += self.several(c)
        else:
            asks.append(self.query("options", takes, lambda: self.options((c.item,), (c.source,), (c.where,), c.conditions)))
            if c.label is not None:
                asks.append(self.ask("label", c.label, (*takes, c.item)))
            if c.chooser == "chance" and c.by is not None:
                asks.append(self.ask("weight", c.by, (c.item,)))
        if c.merging:
            asks.append(self.query("merged", (c.item,), lambda: self.merged(c)))
        if c.picked >= 0:
            self.emit("list" if c.many else "map", (c.picked,))
        blocked = None
        if c.every is None:
            blocked = other if c.optional or s.data[1] else self.stuck()
        chosen = (Resume("chosen" if c.every is None else "revealed", body, (c.slot,)),)
        kind = {"one": "choose", "every": "choose_every", "chance": "chance"}[c.chooser]
        kind = {"choose": "choose_set", "chance": "chance_set"}[kind] if c.many else kind
        self.wait(
            s, kind, (*chosen, Resume("declined", other)) if c.optional else chosen,
            keeps=() if c.picked < 0 else (c.picked,), asks=tuple(asks), blocked=blocked, data=c.name,
        )  # fmt: skip
        self.begin(body)
        if c.optional:
            self.block(s.blocks[0])
        self.go_on(done)
        self.begin(other)
        self.block(s.blocks[1])
        self.begin(done)

    def stuck(self) -> int:
        """A block for when nothing can be chosen."""
        held, self.at, self.code = (self.at, self.code), None, []
        label = self.label()
        self.begin(label)
        self.end(Stuck(self.span))
        self.at, self.code = held
        return label

    def several(self, c: Choice) -> list[Query]:
        asks = [self.ask("source", c.source)]
        asks += [self.ask(name, x) for name, x in (("low", c.low), ("high", c.high)) if x is not None]
        if c.such_that is not None:
            asks.append(self.ask("such_that", c.such_that, (c.cursor,)))
        return asks

    def merged(self, c: Choice) -> int:
        """What makes two candidates alike, as a record without a name."""
        item = X("local", c.base, self.span, (), c.item)
        return self.make("alike", t.INT, tuple(self.value(self.attribute(item, name)) for name in c.merging))

    def attribute(self, item: X, name: str) -> X:
        base, p = item.type, self.program
        match base:
            case t.Record():
                return X("field", p.records[base.name].fields[name], item.span, (item,), (base.name, name))
            case t.Enum():
                return X("column", p.enums[base.name].columns[name], item.span, (item,), (base.name, name))
            case t.Component():
                kinds = sorted(base.kinds)
                if len(kinds) == 1 and name in p.classes[kinds[0]].mutable:
                    variable = p.vars[f"{kinds[0]}.{name}"].type
                    assert isinstance(variable, t.Map)
                    return X("mutable", variable.value, item.span, (item,), f"{kinds[0]}.{name}")
                known = next(p.classes[k].attributes[name] for k in kinds if name in p.classes[k].attributes)
                return X("attr", known, item.span, (item,), name)
        raise AssertionError(f"`{base}` has no `{name}`")

    def options(self, slots: tuple[int, ...], sources: tuple[X, ...], tests: tuple[X | None, ...], named: tuple[Named, ...]) -> None:
        """Offers every combination of candidates that passes, with their places."""
        done = back = self.label()
        places = []
        for slot, source in zip(slots, sources, strict=True):
            at, back = self.loop(slot, source, back)
            places.append(at)
        for x in (*tests, *(c.value for c in named)):
            if x is not None:
                passed = self.label()
                self.branch(x, passed, back)
                self.begin(passed)
        self.emit("offer", (), (*slots, *places))
        self.jump(back)
        self.begin(done)

    def s_menu(self, s: S) -> None:
        d: MenuData = s.data
        self.burn(s)
        asks, resumes, bodies = [self.ask("chooser", s.args[0])], [], []
        for i, o in enumerate(d.options):
            asks.append(self.query(f"options {i}", (), lambda o=o: self.options(o.slots, o.sources, (o.condition,), o.conditions)))
            asks.append(self.ask(f"label {i}", o.label, o.slots))
            bodies.append(self.label())
            resumes.append(Resume(f"taken {i}", bodies[-1], o.slots))
        back, done, other = self.label(), self.label(), self.label()
        backs: list[tuple[Param, X, int | None, int]] = []
        if d.window is not None:
            pairs = list(zip(self.program.procs[d.window].params, d.window_args, strict=True))
            asks += [self.query(f"window {i}", (), lambda q=q, x=x: self.fit(self.value(x), q.type)) for i, (q, x) in enumerate(pairs)]
            backs, assigns = self.places(pairs, False)
            resumes.append(Resume("reacted", back, assigns))
        blocked = other if d.has_else else self.stuck()
        self.wait(s, "menu", tuple(resumes), asks=tuple(asks), blocked=blocked, data=d.window)
        if d.window is not None:
            self.begin(back)
            self.write_back(backs)
            self.jump(done)
        for label, block in zip(bodies, s.blocks, strict=False):
            self.begin(label)
            self.block(block)
            self.go_on(done)
        self.begin(other)
        self.block(s.blocks[-1])
        self.begin(done)
