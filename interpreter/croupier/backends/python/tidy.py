"""Shorter ways to say the same in Python: conditions in one, values by condition, comprehensions, `any` and `all` over a table."""

from __future__ import annotations

import re

from croupier.backends.python.code import BREAK, CONTINUE, Append, Assign, For, Forever, If, Line, Lines, Statement, breaks, opposite


def tidy(lines: Lines) -> Lines:
    """The lines, shorter."""
    out: Lines = []
    for s in lines:
        for x in shortened(s):
            out.append(x)
            if isinstance(x, Assign) and not is_start(x) and len(out) > 1 and is_start(out[-2]) and not mentions(x.text, out[-2]):
                out[-2:] = [x, out[-2]]
            joined = together(out)
            if joined is not None:
                out[-2:] = joined
    return unreachable_left_out(out)


def unreachable_left_out(lines: Lines) -> Lines:
    """Statements up to the first that leaves."""
    for k, s in enumerate(lines):
        if isinstance(s, Line) and s.leaves:
            return lines[: k + 1]
    return lines


def shortened(s: Statement) -> Lines:
    """One statement with its parts made shorter."""
    match s:
        case If():
            then, other = tidy(s.then), tidy(s.other)
            if not then and not other:
                return []
            if not then:
                return shortened_if(If(opposite(s.test), other, []))
            return shortened_if(If(s.test, then, other))
        case For():
            body, other = tidy(s.body), tidy(s.other)
            while body and isinstance(body[-1], Line) and body[-1].text == CONTINUE:
                body.pop()
            if other and not breaks(body):
                return [For(s.target, s.items, body), *other]
            return [For(s.target, s.items, body, other)]
        case Forever():
            body = tidy(s.body)
            if s.once and body and isinstance(body[-1], Line) and body[-1].text == BREAK and not breaks(body[:-1]):
                return body[:-1] if not goes_on(body[:-1]) else [Forever(body, True)]
            return [Forever(body, s.once)]
    return [s]


def goes_on(lines: Lines) -> bool:
    """Is there a `continue` that belongs to the loop around?"""
    for s in lines:
        parts = [s.then, s.other] if isinstance(s, If) else [s.other] if isinstance(s, For) else []
        if (isinstance(s, Line) and s.text == CONTINUE) or any(map(goes_on, parts)):
            return True
    return False


def known_there(name: str, lines: Lines) -> Lines:
    """Lines that run where a name is surely not none: without the test for it, up to where the name gets another value."""
    out: Lines = []
    for k, s in enumerate(lines):
        if isinstance(s, If) and s.test == f"{name} is None" and len(s.then) == 1 and not s.other:
            continue
        out.append(s)
        if not isinstance(s, Line) and not (isinstance(s, Assign) and s.name != name):
            return [*out, *lines[k + 1 :]]
    return out


def shortened_if(s: If) -> Lines:
    """A condition in a shorter way: one condition for two, a value for two assignments."""
    found = re.fullmatch(r"\(([ltx]\d+) is not None\)", s.test)
    if found is not None:
        s = If(s.test, known_there(found.group(1), s.then), s.other)
    found = re.fullmatch(r"\(([ltx]\d+) is None\)", s.test)
    if found is not None:
        s = If(s.test, s.then, known_there(found.group(1), s.other))
    if not s.other and len(s.then) == 1 and isinstance(s.then[0], If) and not s.then[0].other:
        inner = s.then[0]
        return [If(f"({bare(s.test)} and {bare(inner.test)})", inner.then, [])]
    if len(s.then) == len(s.other) == 1:
        a, b = s.then[0], s.other[0]
        if isinstance(a, Assign) and isinstance(b, Assign) and a.name == b.name:
            if (a.text, b.text) in (("True", "False"), ("False", "True")) and is_truth(s.test):
                return [Assign(a.name, s.test if a.text == "True" else opposite(s.test))]
            return [Assign(a.name, f"({a.text} if {s.test} else {b.text})")]
    return [s]


def is_truth(test: str) -> bool:
    """Is this surely true or false, and nothing else?"""
    compares = re.search(r" (==|!=|<|<=|>|>=|is|in|is not|not in) ", test) is not None
    return test.startswith("(not ") or (compares and not re.search(r" (if|or|and) ", test))


def bare(test: str) -> str:
    """A condition as a part of `and`: its own `and` needs no brackets."""
    if test.startswith("(") and test.endswith(")") and " and " in test and " or " not in test and " if " not in test and " for " not in test:
        depth = 0
        for k, c in enumerate(test):
            depth += c in "([{"
            depth -= c in ")]}"
            if depth == 0 and k < len(test) - 1:
                return test
        return test[1:-1] if " lambda " not in test else test
    return test


def is_start(s: Statement) -> bool:
    """Does a list begin to be made here?"""
    return isinstance(s, Assign) and s.text == "[]"


def mentions(text: str, s: Statement) -> bool:
    """Does the name that a statement assigns stand in a text?"""
    assert isinstance(s, Assign)
    return re.search(rf"\b{s.name}\b", text) is not None


def together(out: Lines) -> Lines | None:
    """The last two statements as one, if they are the making of a list."""
    if len(out) < 2:
        return None
    a, b = out[-2], out[-1]
    if isinstance(a, Assign) and a.text == "[]" and isinstance(b, For) and not b.other:
        made = comprehension(b, a.name)
        if made is not None:
            return [Assign(a.name, made)]
    return None


def comprehension(loop: For, name: str) -> str | None:
    """A loop that only adds to one list, as a comprehension."""
    clauses: list[str] = []
    at: Statement = loop
    while True:
        assert isinstance(at, For)
        clauses.append(f"for {at.target} in {at.items}")
        if at.other or re.search(rf"\b{name}\b", at.items):
            return None
        body = at.body
        *guards, last = body if body else [Line("pass")]
        for g in guards:
            if not (isinstance(g, If) and not g.other and len(g.then) == 1 and isinstance(g.then[0], Line) and g.then[0].text == CONTINUE):
                return None
            clauses.append(f"if {opposite(g.test)}")
        while isinstance(last, If) and not last.other and len(last.then) == 1:
            clauses.append(f"if {last.test}")
            last = last.then[0]
        if isinstance(last, For):
            if len(clauses) > 12:
                return None
            at = last
            continue
        if not isinstance(last, Append) or last.name != name or any(re.search(rf"\b{name}\b", c) for c in (*clauses, last.text)):
            return None
        only = clauses[0].removeprefix("for ").split(" in ", 1)
        if len(clauses) == 1 and only[0] == last.text:
            return f"list({only[1]})"
        return f"[{last.text} {' '.join(clauses)}]"
