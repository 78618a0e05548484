"""Random small rulesets with hidden cards and dice, and whether their options give away what is hidden: shown
by playing all their games.

Player 1 (`a`) decides, player 2 (`b`) holds what is hidden. Every decision has a name in the words of its
options, and says `leaks`, so that what the checker thinks of it is seen by whether it calls that idle
(`L031`). A leak is **shown** by two games in which whoever decides has equal information states before the
decision and remembers equal decisions of their own, and other options at it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.pipeline import check

HEAD = """\
croupier: 1
ruleset: planted
title: Planted
players: 2
components:
  Card: {attributes: {value: 1..4}, each: [value]}
  Die: {mutable: {face: 1..4 = 1}, count: 1}
zones:
  deck: {holds: Card, order: pile, start: all}
  hand: {holds: Card, per: Player, seen_by: owner}
  row: {holds: Card, order: sequence, seen_by: everybody}
  away: {holds: Card, seen_by: nobody}
  cup: {holds: Die, per: Player, seen_by: owner}
  box: {holds: Die, start: all}
state:
  pub: 0..4 = 0 seen by everybody
  quiet: {type: 0..4, start: 0, seen_by: everybody, label: ""}
  own: {type: 0..4 per Player, start: 0, seen_by: owner}
  hid: 0..4 = 0
  cur: Player = players.first seen by everybody
definitions: |
  def capped(n: int) -> int: return n mod 5
  def high(p: Player) -> bool: return any(c.value > 2 for c in hand[p])
  def early(n: int) -> int:
      if n > 2: return 1
      return 3
  def total(p: Player) -> int: return sum(c.value for c in hand[p])
  def raise_it(var n: int, m: int):
      if m > 2: return
      n = (n + 1) mod 5
  def ask(p: Player, n: int):
      choose x from 1..4 by p where x > n or x == 4 leaks "planted" as "ask {x}"
      pub = x
phases:
  play: |
    let a = players.first
    let b = players.last
    shuffle deck
    for p in [b, a]: draw 1 from deck to hand[p]
    move box.first! to cup[b]
    let die = cup[b].first!
"""
Lines = list[str]
MOST_NODES = 900  # of a game tree
NO_DECISIONS: tuple[tuple[Any, ...], ...] = ((), ())  # of each seat


@dataclass
class Maker:
    """Makes up one ruleset. `hidden`: how often a number may be read from what not everybody sees."""

    random: random.Random
    hidden: float = 1.0
    numbers: list[str] = field(default_factory=list)  # locals that can be read
    variables: list[str] = field(default_factory=list)  # those that can be written
    made: int = 0
    decisions: int = 0

    def one(self, *of: str) -> str:
        return self.random.choice(of)

    def name(self, kind: str) -> str:
        self.made += 1
        return f"{kind}{self.made}"

    # ------------------------------------------------------------ expressions: numbers from 0 to 4
    def number(self, depth: int = 2) -> str:
        leaf = self.random.random()
        if depth == 0 or leaf < 0.45:
            if self.numbers and self.random.random() < 0.6:
                return self.one(*self.numbers)
            mine = ("own[a]", "total(a)") if self.hidden else ()
            return self.one("0", "1", "2", "3", "pub", "quiet", "row.size", "hand[a].size", *mine)
        if leaf < 0.65:
            if self.random.random() >= self.hidden:
                return self.one("pub", "row.size", "hand[b].size", "hand[a].size")
            best = "(max(c.value for c in hand[b]) otherwise 0)"
            whose = self.one(
                "others(a)",
                "others(cur)",
                "[next(cur)]",
                "players if q != a",
                "players if q != cur and hid < 9",
                "players if q != b",
            )
            theirs = f"sum(c.value + own[q] for q in {whose} for c in hand[q])"
            if " if " in whose:
                theirs = f"sum(total(q) + own[q] for q in {whose})"
            return self.one("total(b)", "own[b]", "hid", "die.face", "hand[b].size", best, theirs, theirs)
        if leaf < 0.75:
            return f"early({self.number(depth - 1)})"
        if leaf < 0.85:
            return (
                f"(({self.number(depth - 1)}) if {self.condition(depth - 1)} else ({self.number(depth - 1)}))"
            )
        return f"(({self.number(depth - 1)} + {self.number(depth - 1)}) mod 5)"

    def condition(self, depth: int = 1) -> str:
        if self.random.random() < 0.25:
            mine = ("high(b)", "high(a)") if self.hidden else ()
            return self.one(
                *mine, "any(c.value == 1 for c in row)", "hand[b].empty", "hand[cur].size == 1", "cur == a"
            )
        return f"{self.number(depth)} {self.one('<', '==', '!=', '>')} {self.number(depth)}"

    # ------------------------------------------------------------ statements
    def block(self, depth: int, loop: bool, most: int = 3) -> Lines:
        kept = list(self.numbers), list(self.variables)
        out = [line for _ in range(self.random.randint(1, most)) for line in self.statement(depth, loop)]
        self.numbers, self.variables = kept
        return out

    def statement(self, depth: int, loop: bool) -> Lines:
        kinds: list[Callable[[int, bool], Lines]] = [self.let, self.assign, self.assign, self.write]
        kinds += [self.decide, self.disclose, self.collect, self.move, self.card, self.mapped]
        if depth:
            kinds += [self.branch, self.branch, self.walk, self.again, self.secretly, self.match, self.call]
        if loop:
            kinds += [self.leave, self.leave]
        return self.random.choice(kinds)(depth, loop)

    def let(self, depth: int, loop: bool) -> Lines:
        value, name = self.number(), self.name("v")
        self.numbers.append(name)
        self.variables.append(name)
        return [f"var {name}: int = {value}"]

    def assign(self, depth: int, loop: bool) -> Lines:
        if not self.variables:
            return self.let(depth, loop)
        return [f"{self.one(*self.variables)} = {self.number()}"]

    def write(self, depth: int, loop: bool) -> Lines:
        target = self.one("pub", "quiet", "own[a]", "own[b]", "hid", "die.face", "cur")
        if target == "cur":
            return [f"cur = {self.one('a', 'b', 'next(cur)')}"]
        if target == "die.face":
            return [f"die.face = {self.one('1', '2', f'1 + ({self.number(1)}) mod 4')}"]
        return [f"{target} = {self.number()} mod 5"]

    def decide(self, depth: int, loop: bool) -> Lines:
        self.decisions += 1
        n = self.decisions
        who = self.one("a", "a", "a", "b", "cur")
        how = self.random.random()
        if how < 0.6:
            return [
                f'choose m{n} from 1..4 by {who} where m{n} == 4 or m{n} > {self.number()} leaks "planted" '
                f'as "d{n} {{m{n}}}"'
            ]
        if how < 0.75:
            return [f'choose m{n} from 1..1 + {self.number()} by {who} leaks "planted" as "d{n} {{m{n}}}"']
        return [
            f'choose by {who} leaks "planted":',
            f'    option "d{n} x" if {self.condition()}: {self.one("pass", "pub = 1")}',
            f'    option "d{n} y": pass',
        ]

    def disclose(self, depth: int, loop: bool) -> Lines:
        said = self.one(*self.numbers) if self.numbers else "hid"
        walked = self.one(
            "others(a)", "others(b)", "others(cur)", "players if q != a", "players if q != cur", "players"
        )
        to = self.one("a", "b", "cur", "q", "next(q)")
        shown = self.one("hand[q]", "hand[b]", "hand[cur]")
        if self.random.random() < 0.4:
            inside = [f"show {shown} to {to}"]
            if self.random.random() < 0.3:
                inside.append(
                    self.one(
                        "cur = next(cur)", "cur = a", "if not hand[b].empty: move hand[b].first! to hand[a]"
                    )
                )
            return [f"for q in {walked}:", *_in(inside)]
        return [
            self.one(
                "show hand[b] to a",
                "show die to a",
                f'tell a that "{{{said}}}"',
                f'announce "{{{said}}}"',
                "show hand[b] to [b]",
            )
        ]

    def collect(self, depth: int, loop: bool) -> Lines:
        name, read = self.name("l"), self.name("v")
        value = self.number(1)
        change = self.one(
            f"add {value} to {name}", f"remove 1 from {name}", f"{name}[1] = {value}", f"{name}[b] = {value}"
        )
        if f"{name}[b]" in change:
            made = [f"var {name}: int per Player = {{p: 1 for p in players}}"]
            reading = f"var {read}: int = {name}[{self.one('a', 'b')}]"
        else:
            made = [f"var {name}: list of int = [1, 2]"]
            reading = f"var {read}: int = {self.one(f'{name}.size', f'({name}.first otherwise 0)')}"
        guarded = [change] if self.random.random() < 0.5 else [f"if {self.condition()}: {change}"]
        self.numbers.append(read)
        self.variables.append(read)
        return [*made, *guarded, reading]

    def card(self, depth: int, loop: bool) -> Lines:
        """What is worked out from a card, which is disclosed before, afterwards, to others, perhaps, or
        never.
        """
        if not self.hidden:
            return self.let(depth, loop)
        name, card, whose = self.name("v"), self.name("c"), self.one("a", "b", "b")
        worked_out = self.one(
            f"{name} = {card}.value",
            f"{name} = ({name} + {card}.value) mod 5",
            f"if {card}.value > {self.number(1)}: {name} = 1",
            f"{name} = (hand[{whose}].first!.value if not hand[{whose}].empty else 0)",
        )
        disclosed = self.one(
            f"show {card} to a",
            f"show {card} to b",
            f"reveal {card}",
            f"move {card} to row",
            f"move {card} to away",
            f"show hand[{whose}].first! to a",
            "pass",
        )
        guarded = disclosed if self.random.random() < 0.7 else f"if {self.condition()}: {disclosed}"
        inside = [worked_out, guarded] if self.random.random() < 0.7 else [guarded, worked_out]
        self.numbers.append(name)
        self.variables.append(name)
        if self.random.random() < 0.5:
            return [f"var {name}: int = 0", f"for {card} in hand[{whose}]:", *_in(inside)]
        return [
            f"var {name}: int = 0",
            f"if not hand[{whose}].empty:",
            *_in([f"let {card} = hand[{whose}].first!", *inside]),
        ]

    def mapped(self, depth: int, loop: bool) -> Lines:
        """What each player has, in a map, of which entries are disclosed to somebody."""
        if not self.hidden:
            return self.let(depth, loop)
        name, read = self.name("l"), self.name("v")
        entry = self.one("total(p)", "own[p]", "total(p) + own[p]", "total(next(p))")
        walked = self.one("players", "players", "others(a)", "others(cur)", "1..2")
        of = self.one("q", "q", "next(q)", "cur") if walked != "1..2" else self.one("a", "b")
        to = self.one(
            "a", "b", "next(cur)", "players", *(("q", "next(q)", "previous(q)") if walked != "1..2" else ())
        )
        inside = [f'tell {to} that "{{{name}[{of}]}}"']
        if self.random.random() < 0.2:
            inside.insert(
                self.random.randint(0, 1),
                self.one(
                    "cur = next(cur)", f"if {self.condition()}: break", f"if {self.condition()}: continue"
                ),
            )
        value = self.one(
            f"{name}[a]", f"{name}[b]", f"{name}[next(b)]", f"{name}[cur]", f"sum({name}[p] for p in players)"
        )
        made = [f"var {name}: int per Player = {{p: {entry} for p in players}}"]
        if self.random.random() < 0.2:
            made.append(f"{name}[{self.one('a', 'b')}] = {self.number(1)}")
        self.numbers.append(read)
        self.variables.append(read)
        return [*made, f"for q in {walked}:", *_in(inside), f"var {read}: int = {value}"]

    def move(self, depth: int, loop: bool) -> Lines:
        whose, to = self.one("a", "b"), self.one("row", "away", "hand[a]", "hand[b]")
        return [f"if not hand[{whose}].empty: move hand[{whose}].first! to {to}"]

    def branch(self, depth: int, loop: bool) -> Lines:
        out = [f"if {self.condition()}:", *_in(self.block(depth - 1, loop))]
        if self.random.random() < 0.5:
            out += ["else:", *_in(self.block(depth - 1, loop))]
        return out

    def match(self, depth: int, loop: bool) -> Lines:
        out = [f"match {self.number()}:"]
        for n in (1, 2):
            out += [f"    case {n}:", *_in(_in(self.block(depth - 1, loop, 1)))]
        return [*out, "    else:", *_in(_in(self.block(depth - 1, loop, 1)))]

    def walk(self, depth: int, loop: bool) -> Lines:
        name = self.name("i")
        source = self.one("1..2", "1..3", f"1..{self.number(1)}")
        kept = list(self.numbers)
        self.numbers.append(name)
        body = self.block(depth - 1, True)
        self.numbers = kept
        return [f"for {name} in {source}:", *_in(body)]

    def again(self, depth: int, loop: bool) -> Lines:
        name = self.name("n")
        self.numbers.append(name)
        body = self.block(depth - 1, True)
        return [
            f"var {name} = 0",
            "repeat:",
            f"    {name} += 1",
            f"    if {name} >= 3 or {self.condition()}: break",
            *_in(body),
        ]

    def secretly(self, depth: int, loop: bool) -> Lines:
        return [f"secretly {self.one('b', 'a', '[]')}:", *_in(self.block(depth - 1, False))]

    def call(self, depth: int, loop: bool) -> Lines:
        if self.variables and self.random.random() < 0.5:
            return [f"raise_it({self.one(*self.variables)}, {self.number()})"]
        return [f"ask({self.one('a', 'a', 'b')}, {self.number()})"]

    def leave(self, depth: int, loop: bool) -> Lines:
        return [f"if {self.condition()}: {self.one('break', 'continue')}"]


def _in(lines: Lines) -> Lines:
    return ["    " + line for line in lines]


def ruleset(seed: int, hidden: float = 1.0) -> str:
    """A random ruleset as text; equal for equal seeds."""
    maker = Maker(random.Random(seed), hidden)
    lines = [line for _ in range(maker.random.randint(2, 6)) for line in maker.statement(2, False)]
    lines += maker.decide(0, False)
    return HEAD + "".join(f"    {line}\n" for line in lines) + "scoring: finish draw\n"


# ---------------------------------------------------------------- what is so, and what the checker says
@dataclass(frozen=True)
class Verdict:
    """Of one ruleset: the decisions shown to leak, those that were met, those that the checker reports; and
    whether all games were played.
    """

    shown: frozenset[str]
    met: frozenset[str]
    reported: frozenset[str]
    whole: bool


def judge(seed: int, folder: Path, hidden: float = 1.0) -> Verdict | None:
    """Play all games of a random ruleset and check it; none if it is refused for another reason."""
    file = folder / "ruleset.yaml"
    file.write_text(ruleset(seed, hidden), encoding="utf-8")
    result = check(file)
    if result.ruleset is None:
        return None
    idle = {d.span.line for d in result.diagnostics if d.code == "L031" and d.span is not None}
    text = file.read_text(encoding="utf-8").split("\n")
    reported = {
        found
        for at, line in enumerate(text, 1)
        if "leaks " in line and at not in idle
        for found in _names(text, at)
    }
    seen: dict[tuple[int, str, str, Any], frozenset[str]] = {}
    shown: set[str] = set()
    met: set[str] = set()
    nodes, todo = 0, [(result.ruleset.new_initial_state(2), NO_DECISIONS)]
    while todo and nodes < MOST_NODES:
        state, own = todo.pop()
        nodes += 1
        if state.is_terminal():
            continue
        seat = state.current_player()
        if not state.is_chance_node():
            options = frozenset(state.action_to_string(seat, a) for a in state.legal_actions(seat))
            name = next(iter(options)).split()[0]
            met.add(name)
            if (
                seen.setdefault((seat, name, before(state.information_state(seat)), own[seat]), options)
                != options
            ):
                shown.add(name)
        for action in state.legal_actions():
            after, remembered = state.clone(), list(own)
            if not state.is_chance_node():
                remembered[seat] += ((name, options, state.action_to_string(seat, action)),)
            after.apply_action(action)
            todo.append((after, tuple(remembered)))
    return Verdict(frozenset(shown), frozenset(met), frozenset(reported), not todo)


def before(known: str) -> str:
    """An information state without what is being offered: what was known before the decision."""
    *events, last = known.split("\n")
    sight = json.loads(last)
    sight.pop("decision", None)
    return "\n".join([*events, json.dumps(sight, sort_keys=True)])


def _names(text: Lines, at: int) -> set[str]:
    """What the decision on a line is called in the words of its options."""
    return set(re.findall(r'"(d\d+|ask) ', text[at - 1]) or re.findall(r'"(d\d+) ', text[at])[:1])


def judged(seeds: range, folder: Path, hidden: float = 1.0) -> dict[int, Verdict]:
    """The verdicts on several random rulesets, by their seeds."""
    found = {seed: judge(seed, folder, hidden) for seed in seeds}
    return {seed: verdict for seed, verdict in found.items() if verdict is not None}
