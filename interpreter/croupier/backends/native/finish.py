"""The end of a game: winners, returns and scores, as `Result.of` has them."""

from __future__ import annotations

from croupier.backends.native import plan as p
from croupier.backends.native.emit import Fn
from croupier.backends.native.keeping import Keeping
from croupier.backends.native.places import NONE_TEXT, Leaves
from croupier.backends.unsupported import Refused
from croupier.ir.terminators import Finish
from croupier.semantics import types as t


class Finishing(Keeping):
    """Writes how games end."""

    def finished(self, end: Finish) -> None:
        f, players, kind = self.fn, self.game.players, end.kind
        grade = "-1" if end.grade is None else self.one(end.grade)
        if end.grade is not None:
            self.test(f.test("lt", grade, "0"))
        winners, scores = "0", ["0"] * players
        if kind == "win":
            winners = self.winners(end)
            returns = [f.choose(self.among(winners, k), "1", "-1") for k in range(players)]
        elif kind == "pay":
            scores = [f.choose(f.test("eq", v, NONE_TEXT), "0", v) for v in self.entries_by_seat(end, False)]
            best, least = scores[0], scores[0]
            for v in scores[1:]:
                best, least = f.choose(f.test("gt", v, best), v, best), f.choose(f.test("lt", v, least), v, least)
            winners = self.bits([f.both(f.test("eq", v, best), f.test("gt", best, least)) for v in scores])
            returns = scores
        elif kind == "rank":
            wins, scores = self.ranked(end)
            winners = self.bits(wins)
            shared = f.test("eq", winners, str((1 << players) - 1 if players > 1 else -1))
            returns = [f.choose(shared, "0", f.choose(won, "1", "-1")) for won in wins]
        else:
            returns = ["-1" if kind == "lose" else "0"] * players
        self.put(p.RESULT, str(p.RESULTS.index(kind)))
        self.put(p.GRADE, grade)
        self.put(p.WINNERS, winners)
        self.put(p.SCORED, str(int(kind in ("pay", "rank"))))
        for k in range(players):
            self.put(p.RETURNS + k, returns[k])
            self.put(self.plan.scores + k, scores[k])
        self.put(p.FRAME, "0")
        f.give(str(p.OVER))

    def winners(self, end: Finish) -> str:
        """Those whom a list names, as bits."""
        assert end.value is not None
        f, place = self.fn, self.fresh(["0"])[0]
        items = f.pointer(self.one(end.value))
        with f.counting("0", self.length(items)) as i:
            bit = f.binary("shl", "1", f.load(self.element(items, i, 1)))
            f.store(f.binary("or", f.load(place), bit), place)
        return f.load(place)

    def among(self, bits: str, seat: int) -> str:
        """Is a seat's bit set? An i1."""
        return self.fn.test("ne", self.fn.binary("and", bits, str(1 << seat)), "0")

    def bits(self, tests: list[str]) -> str:
        out = "0"
        for k, test in enumerate(tests):
            out = self.fn.binary("or", out, self.fn.choose(test, str(1 << k), "0"))
        return out

    def entries_by_seat(self, end: Finish, lists: bool) -> Leaves:
        """The word of each seat in the map that a game ends with."""
        assert end.value is not None
        kind = self.kind(end.value)
        value = kind.value if isinstance(kind, t.Map) else kind
        base = value.base if isinstance(value, t.Optional) else value
        fits = self.words.is_scalar(base) and self.words.width(base) == 1 if not lists else isinstance(base, t.Collection)
        if not isinstance(kind, t.Map) or isinstance(kind.key, t.Never) or not fits:
            raise Refused(f"`finish {end.kind}` by `{kind}`", end.span)
        at = self.fn.pointer(self.one(end.value))
        return [self.fn.load(self.fn.at(at, k)) for k in range(self.game.players)]

    def ranked(self, end: Finish) -> tuple[list[str], Leaves]:
        """Of each seat whether nobody ranks above it (an i1), and its score."""
        assert end.value is not None
        f, kind = self.fn, self.kind(end.value)
        lists = isinstance(kind, t.Map) and not self.words.is_scalar(kind.value)
        given = self.entries_by_seat(end, lists)
        if lists:
            assert isinstance(kind, t.Map)
            base = kind.value.base if isinstance(kind.value, t.Optional) else kind.value
            assert isinstance(base, t.Collection)
            if not self.words.is_scalar(base.base) or isinstance(base.base, (t.Optional, t.Record)):
                raise Refused(f"`finish rank` by `{kind}`", end.span)
        best = given[0]
        for v in given[1:]:
            best = f.choose(self.above(v, best, lists), v, best)
        some = f.test("ne", best, NONE_TEXT)
        wins = [f.both(some, f.both(f.test("ne", v, NONE_TEXT), self.not_(self.above(best, v, lists)))) for v in given]
        return wins, [self.score(v, lists) for v in given]

    def above(self, a: str, b: str, lists: bool) -> str:
        """Does the first rank above the second? None is below everything. An i1."""
        if not lists:
            return self.fn.test("gt", a, b)
        return self.fn.test("gt", self.fn.call("lists.compare", [f"i64 {a}", f"i64 {b}"]), "0")

    def not_(self, test: str) -> str:
        return self.fn.binary("xor", test, "true", "i1")

    def score(self, v: str, lists: bool) -> str:
        """The number that a seat is ranked by first."""
        f = self.fn
        place, none = self.fresh(["0"])[0], f.test("eq", v, NONE_TEXT)
        with f.when(self.not_(none)):
            if lists:
                at = f.pointer(v)
                with f.when(f.test("gt", self.length(at), "0")):
                    f.store(self.read_element(at, "0", 1)[0], place)
            else:
                f.store(v, place)
        return f.load(place)


def comparing() -> str:
    """`lists.compare(a, b)`: which of two lists of numbers comes later, number by number: 1, 0 or -1; none comes first."""
    f = Fn("lists.compare", [("a", "i64"), ("b", "i64")], apart=True)
    with f.when(f.test("eq", "%a", "%b")):
        f.give("0")
    with f.when(f.test("eq", "%a", NONE_TEXT)):
        f.give("-1")
    with f.when(f.test("eq", "%b", NONE_TEXT)):
        f.give("1")
    one, two = f.pointer("%a"), f.pointer("%b")
    n, m = f.load(one), f.load(two)
    with f.counting("1", f.add(f.choose(f.test("lt", n, m), n, m), "1")) as k:
        x, y = f.load(f.at(one, k)), f.load(f.at(two, k))
        with f.when(f.test("ne", x, y)):
            f.give(f.choose(f.test("gt", x, y), "1", "-1"))
    f.give(f.choose(f.test("gt", n, m), "1", f.choose(f.test("lt", n, m), "-1", "0")))
    return f.text()
