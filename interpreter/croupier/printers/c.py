"""C back end: a core program as one C file that plays random games.

`./game GAMES SEED` prints the digest that `croupier simulate` prints.

Direct style: a function that waits draws an action in place. An action that fails, and the end of a game,
leave by `longjmp`. Rules that look ahead are not printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.core import operations as op
from croupier.core.operations import Body, Expression, Statement
from croupier.core.types import CoreProgram, Function, FunctionParameter
from croupier.core.walk import looks_ahead, operands, reads, sets, statements
from croupier.lowering.results import WINNERS
from croupier.printers.c_runtime import HEAD, SUPPORT, TAIL, c_name, first_position, tables, word_literal
from croupier.printers.function_effects import recursive_functions

INDENT = "    "
MAX_CALL_DEPTH = 1000  # calls of recursive functions
EXPRESSIONS = {
    op.Eq: "({} == {})",
    op.Lt: "({} < {})",
    op.Le: "({} <= {})",
    op.And: "({} && {})",
    op.Or: "({} || {})",
    op.Not: "(!{})",
    op.Add: "ADD({}, {})",
    op.Sub: "SUB({}, {})",
    op.Times: "TIMES({}, {})",
    op.Mul: "mul({}, {})",
    op.Div: "divided({}, {})",
    op.Mod: "modulo({}, {})",
    op.Select: "({} ? {} : {})",
    op.CountBits: "__builtin_popcountll({})",
    op.LowBit: "__builtin_ctzll({})",
    op.Length: "S.length[{}]",
    op.Element: "S.items[{}][{}]",
    op.Loose: "S.loose[{}][{}]",
    op.Find: "find({}, {})",
    op.Chosen: "chosen",
    op.ChosenSeat: "chosen_seat",
    op.Offered: "(offered > 0)",
    op.Searching: "0",
}
STATEMENTS = {
    op.Push: "pushed({}, {});",
    op.Insert: "insert({}, {}, {});",
    op.Remove: "removed({}, {});",
    op.Truncate: "truncated({}, {});",
    op.Loosen: "S.loose[{}][{}] = {};",
    op.Guard: "if (!{}) fail();",
    op.Offer: "offer({}, {});",
    op.Pay: "pay({});",
    op.Wait: "draw({});",
    op.Break: "break;",
    op.Continue: "continue;",
    op.NoOffers: "offered = 0;",
    op.Finish: "finish();",
    op.Fail: "fail();",
}
BITS = {"and": "({} & {})", "or": "({} | {})", "xor": "({} ^ {})", "shl": "SHL({}, {})", "shr": "({} >> {})"}


class UsesLookahead(Exception):
    """A program looks ahead, which is not printed as C."""


def c_source(program: CoreProgram, limits: Mapping[str, int]) -> str:
    """Print a program, expanded and not cut into states.

    `limits`: those of the ruleset. Raises `UsesLookahead`.
    """
    if looks_ahead(program):
        raise UsesLookahead
    results = max((f.results for f in program.functions.values()), default=0)
    facts = {
        "PLAYERS": program.players,
        "FUEL": limits["fuel"],
        "MOST_DECISIONS": limits["decisions"],
        "MOST_EVENTS": limits["chance"],
        "MOST_RESULTS": results + 1,
        "RETURNS": WINNERS + program.players,
    }
    lines = [f"/* {program.name}: random games, ./game GAMES SEED */", HEAD]
    lines += [
        *(f"#define {name} INT64_C({value})" for name, value in facts.items()),
        *tables(program),
        SUPPORT,
        *first_position(program),
        "",
    ]
    recursive = recursive_functions(program)
    printers = [CFunctionPrinter(program, f, f.name in recursive) for f in program.functions.values()]
    lines += [f"{p.signature()};" for p in printers]
    for p in printers:
        lines += ["", *p.definition()]
    start = f"f_{c_name(program.start)}(); " if program.start is not None else ""
    return "\n".join([*lines, "", f"static void play(void) {{ {start}f_{c_name(program.main)}(); }}", TAIL])


class CFunctionPrinter:
    """Prints one function."""

    def __init__(self, program: CoreProgram, f: Function, is_recursive: bool) -> None:
        self.program, self.f, self.is_recursive, self.count = program, f, is_recursive, 0
        self.local_arrays = f.arrays
        # Passed by value: the caller may write to them while this function waits.
        self.copied = [p for p in f.parameters if p.size is not None and f.waits and not p.gives]

    def _sort(self, parameter: FunctionParameter) -> str:
        """Return how the name of a parameter begins: a word, a copied array or another array."""
        if parameter.size is None:
            return "x"
        return "*g" if parameter in self.copied else "*a"

    def signature(self) -> str:
        given = [f"int64_t {self._sort(p)}_{c_name(p.name)}" for p in self.f.parameters]
        return f"static void f_{c_name(self.f.name)}({', '.join(given) or 'void'})"

    def definition(self) -> list[str]:
        f, words = self.f, {p.name for p in self.f.parameters if p.size is None}
        inner = [f"int64_t a_{c_name(m.name)}[{max(1, m.size)}] = {{0}};" for m in f.memories]
        for p in self.copied:
            name = c_name(p.name)
            inner += [f"int64_t a_{name}[{p.size}];", f"memcpy(a_{name}, g_{name}, sizeof a_{name});"]
        named = sorted({name for s in statements(f.body) for name in (*sets(s), *reads(s))})
        inner += [f"int64_t x_{c_name(name)} = NONE;" for name in named if name not in words]
        inner += [f"if (++depth > {MAX_CALL_DEPTH}) fail();"] if self.is_recursive else []
        inner += [*self.body(f.body), *(["depth--;"] if self.is_recursive else [])]
        return [f"{self.signature()} {{", *(INDENT + line for line in inner), "}"]

    def fresh(self) -> str:
        self.count += 1
        return f"t{self.count}"

    def array(self, name: str) -> str:
        if name in self.local_arrays:
            return f"a_{c_name(name)}"
        return f"{'t_' if self.program.memories[name].constant else 'S.m_'}{c_name(name)}"

    # ------------------------------------------------------------ statements
    def body(self, body: Body) -> list[str]:
        return [line for s in body for line in self.statement(s)]

    def block(self, head: str, body: Body | Sequence[str]) -> list[str]:
        lines = [line for s in body for line in ([s] if isinstance(s, str) else self.statement(s))]
        return [f"{head} {{", *(INDENT + line for line in lines), "}"]

    def statement(self, s: Statement) -> list[str]:
        x = self.value
        match s:
            case op.Set(name, value):
                return [f"x_{c_name(name)} = {x(value)};"]
            case op.Store(memory, index, value):
                return [f"{self.array(memory)}[{x(index)}] = {x(value)};"]
            case op.Copy(target, at, source, begin, count):
                return [
                    f"memmove(&{self.array(target)}[{x(at)}], &{self.array(source)}[{x(begin)}], {x(count)} "
                    f"* sizeof(int64_t));"
                ]
            case op.Sort(memory, at, count, stride, keys):
                return [f"sort(&{self.array(memory)}[{x(at)}], {x(count)}, {stride}, {keys});"]
            case op.If(test, then, otherwise):
                return [
                    *self.block(f"if ({x(test)})", then),
                    *(self.block("else", otherwise) if otherwise else []),
                ]
            case op.Loop(inner):
                return self.block("for (;;)", inner)
            case op.For(name, low, high, inner):
                i, n = self.fresh(), self.fresh()
                counted = f"for (int64_t {i} = {x(low)}, {n} = {x(high)}; {i} < {n}; {i}++)"
                return self.block(counted, [f"x_{c_name(name)} = {i};", *self.body(inner)])
            case op.Each(name, zone, inner):
                i, z = self.fresh(), self.fresh()
                counted = f"for (int64_t {i} = 0, {z} = {x(zone)}; {i} < S.length[{z}]; {i}++)"
                return self.block(counted, [f"x_{c_name(name)} = S.items[{z}][{i}];", *self.body(inner)])
            case op.Switch(value, cases, otherwise):  # not `switch`: a `break` means a loop
                v, out = self.fresh(), list[str]()
                for k, case in enumerate(cases):
                    same = " || ".join(f"{v} == {word_literal(n)}" for n in case.values)
                    out += self.block(f"{'else ' if k else ''}if ({same})", case.body)
                rest = self.block("else", otherwise) if cases else self.body(otherwise)
                return self.block("", [f"int64_t {v} = {x(value)};", *out, *rest])
            case op.Call(function, arguments, results):
                return [
                    f"f_{c_name(function)}({', '.join(map(self.argument, arguments))});",
                    *self.fetch_results(results),
                ]
            case op.Enter(function, arguments, results, arrays):
                return self.enter_function(function, arguments, results, arrays)
            case op.Return(values):
                return [
                    *(f"R[{k}] = {x(v)};" for k, v in enumerate(values)),
                    *(["depth--;"] if self.is_recursive else []),
                    "return;",
                ]
            case op.Try():
                return self.trial(s)
        return [STATEMENTS[type(s)].format(*map(x, operands(s)))]

    def fetch_results(self, results: Sequence[str]) -> list[str]:
        return [f"x_{c_name(name)} = R[{k}];" for k, name in enumerate(results)]

    def argument(self, a: Expression | op.Array) -> str:
        if isinstance(a, op.Array):
            return f"(int64_t *)&{self.array(a.memory)}[{self.value(a.at)}]"
        return self.value(a)

    def enter_function(
        self,
        function: str,
        arguments: Sequence[Expression | op.Array],
        results: Sequence[str],
        arrays: Sequence[str],
    ) -> list[str]:
        """A call of a function that waits; arrays that it returns go through temporaries."""
        given, rooms, passed = iter(arguments), list[tuple[str, int]](), []
        for p in self.program.functions[function].parameters:
            if p.gives:
                rooms.append((self.fresh(), p.size or 0))
            passed.append(rooms[-1][0] if p.gives else self.argument(next(given)))
        back = [
            f"memcpy({self.array(to)}, {t}, sizeof {t});" for to, (t, _) in zip(arrays, rooms, strict=True)
        ]
        made = [f"int64_t {t}[{size}] = {{0}};" for t, size in rooms]
        return self.block(
            "", [*made, f"f_{c_name(function)}({', '.join(passed)});", *self.fetch_results(results), *back]
        )

    def trial(self, s: op.Try) -> list[str]:
        """A trial: saves all that its body may change, and restores it; its value is 0 if the game ends in
        it.
        """
        name, body = s.name, s.body
        words = sorted({n for s in statements(body) for n in sets(s)} - {name})
        held = [f"int64_t h_{c_name(n)} = x_{c_name(n)};" for n in words]
        sizes = {m.name: max(1, m.size) for m in self.f.memories} | {
            p.name: p.size for p in self.f.parameters if p.gives
        }
        arrays = [(c_name(n), size) for n, size in sorted(sizes.items()) if n not in s.keeps]
        held += [f"int64_t h_{n}[{size}]; memcpy(h_{n}, a_{n}, sizeof h_{n});" for n, size in arrays]
        back = [f"x_{c_name(n)} = h_{c_name(n)};" for n in words] + [
            f"memcpy(a_{n}, h_{n}, sizeof h_{n});" for n, _ in arrays
        ]
        t = self.fresh()
        run = self.block("if (!setjmp(over))", [*self.body(body), f"{t} = {self.value(s.word)};"])
        begin = [
            "jmp_buf outer;",
            "memcpy(outer, over, sizeof over);",
            "struct state held = S;",
            f"int64_t deep = depth; volatile int64_t {t} = 0;",
        ]
        return self.block(
            "",
            [
                *begin,
                *held,
                *run,
                "memcpy(over, outer, sizeof over);",
                "S = held; depth = deep;",
                *back,
                f"x_{c_name(name)} = {t};",
            ],
        )

    # ------------------------------------------------------------ expressions
    def value(self, e: Expression) -> str:
        x = self.value
        match e:
            case op.Const(value):
                return word_literal(value)
            case op.Local(name):
                return f"x_{c_name(name)}"
            case op.Load(memory, index):
                return f"{self.array(memory)}[{x(index)}]"
            case op.Bits(kind, a, b):
                return BITS[kind].format(x(a), x(b))
        return EXPRESSIONS[type(e)].format(*map(x, operands(e)))


__all__ = ["UsesLookahead", "c_source"]
