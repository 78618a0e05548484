"""The core as text, written and read: one operation a line, bodies indented, expressions as calls.

    function move(c, z, bottom)
      array a_1[52]
      guard lt(length(z), T3[z])
      if eq(bottom, 1)
        insert z, 0, c
      else
        push z, c

What is written is read back as the same program; the tests hold that.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import fields
from functools import cache

from croupier.core import operations as op
from croupier.core.operations import (
    EXPRESSIONS,
    STATEMENTS,
    Array,
    Body,
    Case,
    Const,
    Expression,
    Local,
    Statement,
)
from croupier.core.types import CodeState, CoreProgram, Function, FunctionParameter, Memory, Zones

STEP = "  "


class NoCore(ValueError):
    """A text is not a core program."""


def _spelled(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


E_NAMES = {_spelled(k): k for k in EXPRESSIONS}
S_NAMES = {_spelled(k): k for k in STATEMENTS}


@cache
def _fields_of(kind: Hashable) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, str(f.type)) for f in fields(kind))  # type: ignore[arg-type]


def _fields(kind: object) -> tuple[tuple[str, str], ...]:
    return _fields_of(kind)


# ---------------------------------------------------------------- writing
def expression(e: Expression | Array) -> str:
    """An expression as text."""
    match e:
        case Const(value):
            return "none" if value == op.NONE else str(value)
        case Local(name):
            return name
        case op.Load(memory, index):
            return f"{memory}[{expression(index)}]"
        case Array(memory, at):
            return f"&{memory}[{expression(at)}]"
        case op.Bits(kind, a, b):
            return f"bits-{kind}({expression(a)}, {expression(b)})"
        case op.Holds(memory, begin, count, value):
            return f"holds({memory}[{expression(begin)}], {expression(count)}, {expression(value)})"
    return f"{_spelled(type(e))}({', '.join(expression(getattr(e, name)) for name, _ in _fields(type(e)))})"


def lines(body: Body, depth: int) -> list[str]:
    """A body as lines of text."""
    out: list[str] = []
    indent = STEP * depth
    for s in body:
        inside: list[Body] = []
        match s:
            case op.If(test, then, otherwise):
                out += [f"{indent}if {expression(test)}", *lines(then, depth + 1)]
                if otherwise:
                    out += [f"{indent}else", *lines(otherwise, depth + 1)]
                continue
            case op.Switch(value, cases, otherwise):
                out.append(f"{indent}switch {expression(value)}")
                for case in cases:
                    out += [f"{indent}case {' '.join(map(str, case.values))}", *lines(case.body, depth + 1)]
                if otherwise:
                    out += [f"{indent}else", *lines(otherwise, depth + 1)]
                continue
        words = []
        for name, kind in _fields(type(s)):
            value = getattr(s, name)
            if kind == "Body":
                inside.append(value)
            else:
                words.append(_word(value))
        out.append(f"{indent}{_spelled(type(s))} {', '.join(words)}".rstrip())
        for body_ in inside:
            out += lines(body_, depth + 1)
    return out


def _word(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + " ".join(_word(v) for v in value) + ")"
    if isinstance(value, (*EXPRESSIONS, Array)):
        return expression(value)  # type: ignore[arg-type]
    return str(value)


def _parameter(parameter: FunctionParameter) -> str:
    mark = "*" if parameter.gives else ""
    size = "" if parameter.size is None else f"[{parameter.size}]"
    return mark + parameter.name + size


def write(program: CoreProgram) -> str:
    """A whole program as text."""
    out = [f"program {program.name} {program.players} {program.main} {program.start or '-'}"]
    for m in program.memories.values():
        out.append(
            f"{'table' if m.constant else 'state'} {m.name}[{m.size}] "
            f"{' '.join(map(str, m.initial))}".rstrip()
        )
    for capacity, items, bits in zip(
        program.zones.capacities, program.zones.contents, program.zones.loose, strict=True
    ):
        out.append(f"zone {capacity} {bits} {' '.join(map(str, items))}".rstrip())
    for f in program.functions.values():
        given = ", ".join(_parameter(p) for p in f.parameters)
        out.append(f"function {f.name}({given}) {f.results}{' waits' if f.waits else ''}")
        out += [f"{STEP}array {m.name}[{m.size}]" for m in f.memories]
        out += lines(f.body, 1)
    for state in program.states.values():
        entry = " entry" if program.entries.get(state.function) == state.number else ""
        out += [f"in-state {state.number} {state.function}{entry}", *lines(state.body, 1)]
    return "\n".join(out) + "\n"


# ---------------------------------------------------------------- reading
TOKEN = re.compile(r"\s*([A-Za-z_$][\w$-]*|-?\d+|[()\[\],&])")


class _Reader:
    """Parses one line."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = TOKEN.match(text, at)
            if found is None:
                raise NoCore(f"what is `{text[at:].strip()}`?")
            self.tokens.append(found[1])
            at = found.end()
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def next(self, wanted: str | None = None) -> str:
        found = self.peek()
        if not found or (wanted is not None and found != wanted):
            raise NoCore(f"`{wanted}` is missing" if wanted else "the line ends too soon")
        self.at += 1
        return found

    def expression(self) -> Expression:
        word = self.next()
        if re.fullmatch(r"-?\d+", word):
            return Const(int(word))
        if word == "none":
            return Const(op.NONE)
        if self.peek() == "[":
            self.next("[")
            index = self.expression()
            self.next("]")
            return op.Load(word, index)
        if self.peek() != "(" or (word not in E_NAMES and not word.startswith("bits-")):
            return Local(word)
        self.next("(")
        given: list[Expression] = []
        while self.peek() != ")":
            given.append(self.expression())
            if self.peek() == ",":
                self.next()
        self.next(")")
        if word.startswith("bits-"):
            return op.Bits(word.removeprefix("bits-"), *given)
        if word == "holds" and isinstance(given[0], op.Load):
            return op.Holds(given[0].memory, given[0].index, *given[1:])
        return E_NAMES[word](*given)  # type: ignore[no-any-return]

    def argument(self) -> Expression | Array:
        if self.peek() != "&":
            return self.expression()
        self.next("&")
        found = self.expression()
        if not isinstance(found, op.Load):
            raise NoCore("an array is missing")
        return Array(found.memory, found.index)

    def value(self, kind: str) -> object:
        if kind in ("str", "int"):
            word = self.next()
            return int(word) if kind == "int" else word
        if kind == "bool":
            word = self.next()
            if word not in ("True", "False"):
                raise NoCore(f"`{word}` is neither True nor False")
            return word == "True"
        if not kind.startswith("tuple"):
            return self.expression()
        self.next("(")
        found: list[object] = []
        while self.peek() != ")":
            found.append(self.next() if "str" in kind else self.argument())
        self.next(")")
        return tuple(found)


class _Lines:
    """Parses a program, line by line."""

    def __init__(self, text: str) -> None:
        self.lines = [
            (len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines() if line.strip()
        ]
        self.at = 0

    def body(self, depth: int) -> Body:
        out: list[Statement] = []
        while self.at < len(self.lines) and self.lines[self.at][0] == depth:
            out.append(self.statement(depth))
        return tuple(out)

    def word_is(self, depth: int, word: str) -> bool:
        return (
            self.at < len(self.lines)
            and self.lines[self.at][0] == depth
            and self.lines[self.at][1].split(" ")[0] == word
        )

    def otherwise(self, depth: int) -> Body:
        if not self.word_is(depth, "else"):
            return ()
        self.at += 1
        return self.body(depth + 2)

    def statement(self, depth: int) -> Statement:
        name, _, rest = self.lines[self.at][1].partition(" ")
        self.at += 1
        reader = _Reader(rest)
        if name == "if":
            test = reader.expression()
            then = self.body(depth + 2)
            return op.If(test, then, self.otherwise(depth))
        if name == "switch":
            value, cases = reader.expression(), []
            while self.word_is(depth, "case"):
                words = tuple(map(int, self.lines[self.at][1].split()[1:]))
                self.at += 1
                cases.append(Case(words, self.body(depth + 2)))
            return op.Switch(value, tuple(cases), self.otherwise(depth))
        kind = S_NAMES.get(name)
        if kind is None:
            raise NoCore(f"`{name}` is no statement")
        given: dict[str, object] = {}
        for field, type_ in _fields(kind):
            if type_ == "Body":
                continue
            if given and reader.peek() == ",":
                reader.next(",")
            given[field] = reader.value(type_)
        for field, type_ in _fields(kind):
            if type_ == "Body":
                given[field] = self.body(depth + 2)
        return kind(**given)  # type: ignore[no-any-return]


def read(text: str) -> CoreProgram:
    """Parse what `write` wrote. Raises `NoCore`."""
    source = _Lines(text)
    program = CoreProgram("", 0)
    capacities: list[int] = []
    contents: list[tuple[int, ...]] = []
    loose: list[int] = []
    while source.at < len(source.lines):
        line = source.lines[source.at][1]
        source.at += 1
        head, _, rest = line.partition(" ")
        if head == "program":
            name, players, main, start = rest.rsplit(" ", 3)
            program.name = name
            program.players = int(players)
            program.main = main
            program.start = None if start == "-" else start
        elif head in ("state", "table"):
            m = _memory(rest, head == "table")
            program.memories[m.name] = m
        elif head == "zone":
            numbers = list(map(int, rest.split()))
            capacities.append(numbers[0])
            loose.append(numbers[1])
            contents.append(tuple(numbers[2:]))
        elif head == "function":
            f = _function(rest, source)
            program.functions[f.name] = f
        elif head == "in-state":
            words = rest.split()
            number = int(words[0])
            program.states[number] = CodeState(number, words[1], source.body(2))
            if words[2:]:
                program.entries[words[1]] = number
        else:
            raise NoCore(f"what is `{line}`?")
    program.zones = Zones(tuple(capacities), tuple(contents), tuple(loose))
    return program


def library(text: str, tables: Mapping[str, tuple[int, ...]]) -> CoreProgram:
    """A program of functions that every target prints, with constant tables."""
    program = read(text)
    for name, words in tables.items():
        program.memories[name] = Memory(name, len(words), words, constant=True)
    return program


def _memory(text: str, constant: bool) -> Memory:
    found = re.fullmatch(r"([\w$]+)\[(\d+)\]\s*(.*)", text)
    if found is None:
        raise NoCore(f"what is `{text}`?")
    return Memory(found[1], int(found[2]), tuple(map(int, found[3].split())), constant)


def _function(text: str, source: _Lines) -> Function:
    found = re.fullmatch(r"([\w$]+)\((.*)\) (\d+)( waits)?", text)
    if found is None:
        raise NoCore(f"what is `{text}`?")
    parameters = []
    for word in filter(None, found[2].split(", ")):
        part = re.fullmatch(r"(\*?)([\w$]+)(?:\[(\d+)\])?", word)
        if part is None:
            raise NoCore(f"what is `{word}`?")
        parameters.append(
            FunctionParameter(part[2], None if part[3] is None else int(part[3]), bool(part[1]))
        )
    memories = []
    while source.word_is(2, "array"):
        memories.append(_memory(source.lines[source.at][1].removeprefix("array "), False))
        source.at += 1
    return Function(
        found[1], tuple(parameters), int(found[3]), tuple(memories), source.body(2), bool(found[4])
    )
