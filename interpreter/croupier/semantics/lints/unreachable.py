"""Phases that no game reaches.

Proves: a phase before it never comes to its end, because every way through it ends the game, or because it is a loop without end that nothing
leaves.
"""

from __future__ import annotations

from croupier.diagnostics import Diagnostic, Label, diagnose
from croupier.semantics.flow import statements
from croupier.semantics.program import Program
from croupier.semantics.tree import S

LOOPS = ("for", "turns", "repeat")


def find(program: Program, used: set[tuple[str, str]]) -> list[Diagnostic]:
    """The first phase after each one that never ends."""
    return [] if program.main is None else _Phases(program).walk(program.main.body)


class _Phases:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.hooked = {h.target for h in program.hooks}

    def walk(self, block: list[S]) -> list[Diagnostic]:
        found: list[Diagnostic] = []
        for i, s in enumerate(block):
            for inner in s.blocks:
                found += self.walk(inner)
            if i + 1 < len(block) and self.never_ends(s, frozenset()):
                last, following = self.phase(s), block[i + 1]
                label = Label(last.span, "this never comes to its end")
                found.append(diagnose("L010", self.phase(following).span, name=self.name(following), labels=(label,)))
                break
        return found

    def phase(self, s: S) -> S:
        """The first phase of a group."""
        return next((x for x in s.walk() if x.op == "do"), s)

    def name(self, s: S) -> str:
        call = self.phase(s)
        return self.program.procs[call.args[0].data].name if call.op == "do" else "this"

    def never_ends(self, s: S, calling: frozenset[int]) -> bool:
        """Does control surely not come out behind this statement?"""
        match s.op:
            case "finish":
                return True
            case "do" if s.args and s.args[0].op == "call":
                return self.never_returns(s.args[0].data, calling)
            case "menu":
                ways = s.blocks if s.data.has_else else s.blocks[:-1]
                return s.data.window is None and bool(ways) and all(self.block_never_ends(b, calling) for b in ways)
            case "choose" if not s.data[0].optional:  # what was chosen is used by what follows
                return False
            case "if" | "so_that" | "choose":
                return bool(s.blocks[1]) and all(self.block_never_ends(b, calling) for b in s.blocks)
            case "match":
                return bool(s.blocks) and all(self.block_never_ends(b, calling) for b in s.blocks)
            case "secretly":
                return self.block_never_ends(s.blocks[0], calling)
            case "repeat" | "turns":
                return len(s.args) == (s.op == "turns") and not leaves(s.blocks[0])
        return False

    def block_never_ends(self, block: list[S], calling: frozenset[int]) -> bool:
        return any(self.never_ends(s, calling) for s in block)

    def never_returns(self, index: int, calling: frozenset[int]) -> bool:
        proc = self.program.procs[index]
        if index in calling or index in self.hooked or any(s.op == "return" for s in statements(proc.body)):
            return False
        return self.block_never_ends(proc.body, calling | {index})


def leaves(block: list[S]) -> bool:
    """Is there a `break` for the loop around this block?"""
    return any(s.op == "break" or (s.op not in LOOPS and any(leaves(b) for b in s.blocks)) for s in block)
