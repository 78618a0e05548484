"""A parser for texts without mistakes: Lark's tables, Lark's tokens and Lark's trees, in a third of the time.

Lark's contextual lexer compiles a regular expression for every set of terminals that may come next, seventy for a ruleset, and its trees keep
lines and columns that nobody reads. Here one expression finds a word and one a sign, whatever may come next: what they find is what
Lark's would, if it may come next. Where anything does not fit there is no tree, and Lark itself is asked, which then says what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lark import Token, Tree
from lark.lexer import PatternStr

from croupier.records import dataclass

WORD, NEW_LINE, INDENT, DEDENT, END = "NAME", "_NL", "_INDENT", "_DEDENT", "$END"
OPENING, CLOSING = ("LPAR", "LSQB", "LBRACE"), ("RPAR", "RSQB", "RBRACE")
TAB = 8  # characters that a tab stands for


class Place:
    """What is kept of where a tree stands: `start_pos` and `end_pos`, and the same with what was left out at its ends, such as brackets."""

    __slots__ = ("empty", "end_pos", "from_pos", "start_pos", "to_pos")

    def __init__(self) -> None:
        self.empty = True
        self.start_pos: int | None = None
        self.end_pos: int | None = None
        self.from_pos = self.to_pos = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule of the grammar: how many parts it has, and what becomes of them.

    `handed_on`: it is its one part. `single`: a tree of one child is that child. `kept`: which parts are children, whether their own children
    take their place, and how many gaps stand before them; None where all are. `gaps` stand at the end.
    """

    origin: str
    size: int
    name: str
    handed_on: bool
    single: bool
    kept: tuple[tuple[int, bool, int], ...] | None
    gaps: int

    def build(self, parts: list[Any]) -> Any:
        """The tree of the parts, or what stands for it."""
        if self.handed_on:
            return parts[0]
        children = parts if self.kept is None else self._children(parts)
        made = children[0] if self.single and len(children) == 1 else Tree(self.name, children, Place())  # type: ignore[arg-type]
        if isinstance(made, Tree):
            _locate(made.meta, parts)
        return made

    def _children(self, parts: list[Any]) -> list[Any]:
        children: list[Any] = []
        for number, spread, gaps in self.kept or ():
            if gaps:
                children += [None] * gaps
            if not spread:
                children.append(parts[number])
            elif children:
                children += parts[number].children
            else:
                children = parts[number].children
        return children + [None] * self.gaps if self.gaps else children


def _locate(place: Any, parts: list[Any]) -> None:
    """A tree stands from its first part to its last; one that stood somewhere already stays there, and its parent begins with these parts."""
    for part in parts:
        at = part.start_pos if isinstance(part, Token) else _known(part, "from_pos")
        if at is not None:
            if place.start_pos is None:
                place.start_pos, place.empty = at, False
            place.from_pos = at
            break
    for part in reversed(parts):
        at = part.end_pos if isinstance(part, Token) else _known(part, "to_pos")
        if at is not None:
            if place.end_pos is None:
                place.end_pos, place.empty = at, False
            place.to_pos = at
            break


def _known(part: Any, end: str) -> Any:
    """Where a part that is no token begins or ends; None if nothing is in it."""
    return getattr(part.meta, end) if isinstance(part, Tree) and not part.meta.empty else None


class Quick:
    """The parser; `stored` is what `tables_of` made of Lark's."""

    def __init__(self, stored: dict[str, Any]) -> None:
        self.starts, self.ends, self.keywords = stored["starts"], stored["ends"], stored["keywords"]
        self.word, self.sign = re.compile(stored["word"]).match, re.compile(stored["sign"]).match
        self.ignored = frozenset(stored["ignored"])
        self.rows = _Rows(stored["rows"], stored["tokens"], stored["rules"])

    def parse(self, text: str, start: str) -> Tree[Token] | None:
        """The tree of a text, or None where it does not fit."""
        rows, end = self.rows, self.ends[start]
        states, values = [self.starts[start]], list[Any]()
        for token in self._tokens(text, states):
            kind = token.type
            while True:
                action = rows[states[-1]].get(kind)
                if action.__class__ is int:
                    states.append(action)
                    values.append(token)
                    break
                if action is None:
                    return None
                size = action.size
                parts = values[len(values) - size :]
                if size:
                    del states[-size:], values[-size:]
                values.append(action.build(parts))
                states.append(rows[states[-1]][action.origin])
                if kind == END and states[-1] == end:
                    tree: Tree[Token] = values[-1]
                    return tree
        return None

    def _tokens(self, text: str, states: list[int]) -> Iterator[Token]:
        """The tokens, with those of the layout; fewer than there are where one does not fit."""
        levels, brackets, at, token = [0], 0, 0, Token(NEW_LINE, "", 0, 0, 0, 0, 0, 0)
        while at < len(text):
            kind, after = self._next(text, at, states[-1])
            if kind is None:
                return
            at, begin = after, at
            if kind in self.ignored:
                continue
            token = Token(kind, text[begin:at], begin, None, None, None, None, at)
            if kind != NEW_LINE:
                yield token
                brackets += (kind in OPENING) - (kind in CLOSING)
            elif not brackets:
                yield token
                indent = token.rsplit("\n", 1)[1]
                if indent.lstrip(" \t"):  # a comment or citation ends the text
                    continue
                width = indent.count(" ") + indent.count("\t") * TAB
                if width > levels[-1]:
                    levels.append(width)
                    yield Token.new_borrow_pos(INDENT, indent, token)
                while width < levels[-1]:
                    levels.pop()
                    yield Token.new_borrow_pos(DEDENT, indent, token)
                if width != levels[-1]:
                    return
        for _ in levels[1:]:
            yield Token.new_borrow_pos(DEDENT, "", token)
        yield Token.new_borrow_pos(END, "", token)

    def _next(self, text: str, at: int, state: int) -> tuple[str | None, int]:
        """The kind of the token that begins at an offset, None if it may not stand there, and where it ends."""
        accepted = self.rows[state]
        found = self.word(text, at)
        if found is not None:
            kind = self.keywords.get(found.group())
            if kind in accepted:
                return kind, found.end()
            if WORD in accepted:
                return WORD, found.end()
            end = found.end()
            found = self.sign(text, at)  # one that is written with letters
            return (found.lastgroup, end) if found is not None and found.end() == end and found.lastgroup in accepted else (None, at)
        found = self.sign(text, at)
        if found is None:
            return None, at
        kind = found.lastgroup
        return (kind if kind in accepted or kind in self.ignored or kind == NEW_LINE else None), found.end()


class _Rows(dict[int, dict[str, Any]]):
    """The rows of the parse table, each made when the parser is first in its state: by token the next state, or the rule that is complete."""

    def __init__(self, rows: list[list[int]], tokens: list[str], rules: list[Any]) -> None:
        super().__init__()
        self.written, self.tokens, self.rules = rows, tokens, rules

    def __missing__(self, state: int) -> dict[str, Any]:
        row = iter(self.written[state])
        self[state] = made = {self.tokens[token]: to >> 1 if not to & 1 else self._rule(to >> 1) for token, to in zip(row, row, strict=True)}
        return made

    def _rule(self, number: int) -> Rule:
        rule = self.rules[number]
        if not isinstance(rule, Rule):
            self.rules[number] = rule = Rule(*rule)
        return rule


def tables_of(lark: Any) -> dict[str, Any]:
    """What `Quick` takes, of a parser of Lark's, as values that JSON has.

    A row alternates numbers of tokens and what to do: twice the next state, or twice a rule's number and one more.
    """
    table, terminals = lark.parser.parser._parse_table, lark.lexer_conf.terminals
    tokens: dict[str, int] = {}
    rules: dict[Any, int] = {}
    rows = []
    for state in range(len(table.states)):
        row: list[int] = []
        for name, (action, to) in table.states[state].items():
            complete = action.name == "Reduce"
            row += (tokens.setdefault(name, len(tokens)), 2 * (rules.setdefault(to, len(rules)) if complete else to) + complete)
        rows.append(row)
    word = next(t.pattern.to_regexp() for t in terminals if t.name == WORD)
    strings = {t.pattern.value: t.name for t in terminals if isinstance(t.pattern, PatternStr)}
    keywords = {text: name for text, name in strings.items() if re.fullmatch(word, text)}
    order = sorted(terminals, key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))  # as Lark does
    sign = "|".join(f"(?P<{t.name}>{t.pattern.to_regexp()})" for t in order if t.name not in (WORD, *keywords.values()))
    if any(re.match(sign, text) for text in keywords) or any(t.priority for t in terminals):
        raise ValueError("a keyword begins with a sign, or terminals have priorities: only Lark tells such texts apart")
    return {
        "starts": table.start_states, "ends": table.end_states, "word": word, "keywords": keywords, "sign": sign,
        "ignored": list(lark.lexer_conf.ignore), "tokens": list(tokens), "rows": rows, "rules": [_plan(rule) for rule in rules],
    }  # fmt: skip


def _plan(rule: Any) -> list[Any]:
    """What `Rule` takes, of a rule of Lark's: see `lark.parse_tree_builder`."""
    parts, options = rule.expansion, rule.options
    absent = "".join("1" if gap else "0" for gap in options.empty_indices) or "0" * len(parts)
    gaps = [len(before) for before in absent.split("0")]
    kept: list[list[Any]] = []
    waiting = 0
    for number, part in enumerate(parts):
        waiting += gaps[number]
        if options.keep_all_tokens or not (part.is_term and part.filter_out):
            kept.append([number, not part.is_term and part.name.startswith("_"), waiting])
            waiting = 0
    waiting += gaps[len(parts)]
    all_kept = len(kept) == len(parts) and not waiting and not any(spread or before for _, spread, before in kept)
    single = bool(options.expand1 and not rule.alias)
    name = rule.alias or options.template_source or rule.origin.name
    return [str(rule.origin.name), len(parts), str(name), single and len(parts) == 1, single, None if all_kept else kept, waiting]
