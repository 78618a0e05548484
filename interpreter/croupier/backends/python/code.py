"""Lines of Python as a small tree: what the shapes print, what `tidy.py` makes shorter, and what becomes text in the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Line:
    """A line as it is; `leaves` if control does not go on after it."""

    text: str
    leaves: bool = False


@dataclass
class Assign:
    """`name = text`."""

    name: str
    text: str


@dataclass
class Append:
    """One more element of a list that is being made."""

    name: str
    text: str


@dataclass
class If:
    """`if test:` … `else:`."""

    test: str
    then: Lines
    other: Lines


@dataclass
class For:
    """`for target in items:` … `else:`."""

    target: str
    items: str
    body: Lines
    other: Lines = field(default_factory=list)


@dataclass
class Forever:
    """`while True`; `once`: only there to be left early, its end leaves it."""

    body: Lines
    once: bool = False


Statement = Line | Assign | Append | If | For | Forever
Lines = list[Statement]
BREAK, CONTINUE = "break", "continue"


def leaves(lines: Lines) -> bool:
    """Does control surely not come to the end of these lines?"""
    if not lines:
        return False
    last = lines[-1]
    if isinstance(last, Line):
        return last.leaves
    if isinstance(last, If):
        return leaves(last.then) and leaves(last.other)
    if isinstance(last, Forever):
        return not breaks(last.body)
    if isinstance(last, For):
        return bool(last.other) and leaves(last.other) and not breaks(last.body)
    return False


def breaks(lines: Lines) -> bool:
    """Is there a `break` that leaves the loop that these lines are the body of?"""
    for s in lines:
        if isinstance(s, Line) and s.text == BREAK:
            return True
        if isinstance(s, If) and (breaks(s.then) or breaks(s.other)):
            return True
        if isinstance(s, For) and breaks(s.other):
            return True
    return False


def printed(lines: Lines, depth: int = 1) -> Iterator[str]:
    """The lines as text, indented."""
    pad = "    " * depth
    if not lines:
        yield pad + "pass"
    for s in lines:
        match s:
            case Line():
                yield pad + s.text
            case Assign():
                yield f"{pad}{s.name} = {s.text}"
            case Append():
                yield f"{pad}{s.name}.append({s.text})"
            case If():
                word, choice = "if", s
                while True:
                    yield f"{pad}{word} {choice.test}:"
                    yield from printed(choice.then, depth + 1)
                    match choice.other:
                        case [If() as following]:
                            word, choice = "elif", following
                        case _:
                            break
                if choice.other:
                    yield f"{pad}else:"
                    yield from printed(choice.other, depth + 1)
            case For():
                yield f"{pad}for {s.target} in {s.items}:"
                yield from printed(s.body, depth + 1)
                if s.other:
                    yield f"{pad}else:"
                    yield from printed(s.other, depth + 1)
            case Forever():
                yield f"{pad}while True:"
                yield from printed(s.body, depth + 1)
                if s.once and not leaves(s.body):
                    yield f"{pad}    break"


MOST_LOOPS = 18  # loops in each other; Python takes no more than 20
MOST_BLOCKS = 90  # loops and conditions in each other; Python takes no more than 100


def too_deep(lines: Lines, loops: int = 0, blocks: int = 1) -> bool:
    """Do loops and conditions stand deeper in each other than Python takes?"""
    if loops > MOST_LOOPS or blocks > MOST_BLOCKS:
        return True
    for s in lines:
        match s:
            case If():
                inner, around = (s.then, s.other), 0
            case For():
                inner, around = (s.body, s.other), 1
            case Forever():
                inner, around = (s.body, []), 1
            case _:
                continue
        for part in inner:
            # what is all of `other` becomes an `elif`
            alone = isinstance(s, If) and part is s.other and len(part) == 1 and isinstance(part[0], If)
            if too_deep(part, loops + around, blocks + (not alone)):
                return True
    return False


OPPOSITE = {"==": "!=", "!=": "==", "is": "is not", "is not": "is", "in": "not in", "not in": "in", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SIGNS = re.compile(r" (==|!=|<=|>=|<|>|is not|is|not in|in|and|or|if|for) ")


def opposite(test: str) -> str:
    """A condition with the other outcome."""
    if test.startswith("(not ") and closes(test):
        return test[5:-1]
    whole = test.startswith("(") and closes(test)
    inner = test[1:-1] if whole else test
    found = [m for m in SIGNS.finditer(inner) if inner[: m.start()].count("(") == inner[: m.start()].count(")") and level(inner[: m.start()])]
    if not inner.startswith("not ") and len(found) == 1 and found[0].group(1) in OPPOSITE:
        m = found[0]
        return f"({inner[: m.start()]} {OPPOSITE[m.group(1)]} {inner[m.end() :]})"
    return f"(not {test})"


def level(text: str) -> bool:
    """Are all brackets of a text closed?"""
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]"))


def closes(text: str) -> bool:
    """Does the bracket that begins a text close at its end?"""
    depth = 0
    for k, c in enumerate(text):
        depth += c in "([{"
        depth -= c in ")]}"
        if depth == 0:
            return k == len(text) - 1
    return False
