"""The functions of a module: routines that never wait, runs between suspensions, questions.

A run begins with `S`, the position, and `a`, what was chosen or drawn; it works on the top frame `F`, keeps in it what is live where it waits, and
gives the function to go on with, or none when somebody has to act or the game is over. A frame is a list: the slots of its routine, the
site it stands at, and who alone sees what happens (a seat, or none).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from croupier.backends.ends import Elsewhere, Judge, Node
from croupier.backends.facts import SHORT_LIST
from croupier.backends.python.acting import Alone
from croupier.backends.python.code import Assign, If, Line, Lines, printed, too_deep
from croupier.backends.python.looking import Looking
from croupier.backends.python.picking import uncopied
from croupier.backends.python.special import special
from croupier.backends.python.tidy import tidy
from croupier.ir.dataflow import live_at_start, members
from croupier.ir.instructions import Instruction
from croupier.ir.routines import Routine
from croupier.ir.terminators import Finish, Give, Return

if TYPE_CHECKING:
    from croupier.backends.python.module import Printer


SORTED = ("sorted(x0)", "sorted(set(x0))")  # what is offered in its order: each value once as it is, or made so


class Function(Looking):
    """One function. `entry` are the slots that are filled in when it begins, from its arguments (`given`) or by lines of their own."""

    def __init__(
        self, printer: Printer, routine: Routine, root: int, kind: str, entry: Sequence[int] = (), resumed_at: int = -1, tried: int = -1
    ) -> None:
        self.resumed_at = resumed_at
        self.printer, self.entry, self.kind_of = printer, tuple(entry), kind
        graph = printer.graph(routine, root, tried)
        super().__init__(printer.facts, printer.constants, routine, graph)
        for s in self.entry:
            self.writers.setdefault(s, []).append(None)

    # ------------------------------------------------------------ the end
    def finish(self, node: Node) -> None:
        end = node.end
        if isinstance(end, Elsewhere):
            self.uses_frame = True
            self.write_down(end.live)
            self.out += [Line(f"F[{s}] = {self.slot_text(s)}") for s in end.live if self.writers.get(s)]
            self.out.append(Line(f"return {self.printer.cut(self.routine, node.number)}", True))
        elif isinstance(end, Judge):
            self.write_down(end.needs)
            self.out.append(Line(f"return {self.call_query(end.condition)}", True))
        elif isinstance(end, Give):
            value = "x0" if end.value is None else self.text(end.value)
            self.out.append(Line(f"return {value}", True))
        elif isinstance(end, Finish):
            value = "None" if end.value is None else self.text(end.value)
            grade = "None" if end.grade is None else self.text(end.grade)
            self.out.append(Line(f"S.result = ({self.constants.text(end.kind)}, {value}, {grade})"))
            if self.kind_of == "run":
                self.out += [Line("S.frames.clear()"), Line("return None", True)]
            else:
                self.out.append(Line("raise Over", True))
        elif isinstance(end, Return):
            values = [] if end.value is None else [self.text(end.value)]
            values += [self.text(s) for s in end.gives]
            handed = values[0] if len(values) == 1 else "(" + ", ".join(values) + ")" if values else "None"
            if self.kind_of == "run":
                after = self.printer.goes_back_to(self.routine)
                lines: Lines = [Line(f"S.ret = {handed}")] if values else []
                back: Lines = [Line("return leave(S)", True)] if after is None else [Line("S.frames.pop()"), Line(f"return {after}", True)]
                self.out += [*lines, *back]
            else:
                self.out.append(Line(f"return {handed}", True))

    def offered(self, i: Instruction) -> str:
        """What a question offers: values, or with their places where actions are places."""
        n = len(i.args) // 2
        texts = [self.text(a) for a in i.args]
        if self.printer.offers == "value":
            return texts[0]
        if self.printer.offers == "pair":
            return f"({texts[1]} - 1, {texts[0]})"
        return "(" + "".join(f"{x}, " for x in texts[:n]) + "".join(f"{x} - 1, " for x in texts[n:]) + ")"

    def reads_places(self) -> bool:
        return self.printer.offers != "value"

    def hush(self, i: Instruction) -> Lines:
        if self.kind_of != "run":
            return []
        text = self.text(i.args[0])
        self.uses_frame = True
        return [Line(f"F[{self.places + 1}] = bits_of({text})" if i.op == "hush" else f"F[{self.places + 1}] = None if {text} < 0 else {text}")]

    def o_viewer(self, i: Instruction) -> str:
        if self.kind_of != "run":
            return "(-1)"
        self.uses_frame = True
        return f"(-1 if F[{self.places + 1}] is None else F[{self.places + 1}])"

    # ------------------------------------------------------------ fuel
    def is_long(self, slot: int) -> bool:
        return self.printer.fuel.lengths.made(self.graph, slot) > SHORT_LIST

    def paid(self, head: int) -> Lines:
        if self.printer.whole is not None and self.always_picks(head):
            return []
        return self.pay(self.printer.fuel.cost(self.graph).rounds.get(head, 0))

    def pay(self, steps: int) -> Lines:
        return [Line(f"S.fuel = S.fuel - {steps}"), If("S.fuel < 0", [Line("raise D", True)], [])] if steps else []

    def beginning(self) -> Lines:
        """What the function costs as a whole, if that is counted."""
        if self.kind_of in ("run", "direct") and self.printer.runs_pay:
            return self.pay(self.printer.fuel.cost(self.graph).total)
        if self.kind_of == "attempt" or (self.kind_of == "plain" and self.printer.fuel.pays(self.routine.index)):
            return self.pay(self.printer.fuel.cost(self.graph).total)
        return []

    # ------------------------------------------------------------ the whole
    uses_frame = False
    expression_alone: str | None = None  # the one expression that a question or routine is, if it is one

    def alone(self, target: int) -> Alone | None:
        return self.printer.alone(target)

    def lines(self, arguments: Sequence[str], first: Lines) -> Lines:
        """The whole body: aliases, slots of the frame, `first`, and what follows."""
        body = special(tidy([*first, *self.body()]), self)
        head: Lines = []
        live = set(members(live_at_start(self.routine)[self.graph.root]))
        if self.kind_of == "run":
            needed = [s for s in sorted(self.named & live) if s not in self.entry and self.routine.slots[s].role != "temp"]
            loads: Lines = [Assign(self.name(s), f"F[{s}]") for s in needed]
            if loads or self.uses_frame:
                head.append(Assign("F", "S.frames[-1]"))
            head += loads
        used = sorted(self.aliases)
        start: Lines = []
        if any(a == "V" or a.startswith("m") for a in used):
            start.append(Assign("V", "S.vars"))
        start += [Assign(a, f"V[{a[1:]}]") for a in used if a.startswith("m")]
        start += [Assign(a, {"Z": "S.zones", "W": "S.where", "U": "S.streams"}[a]) for a in used if a in ("Z", "W", "U")]
        if len(body) == 2 and isinstance(body[0], Assign) and body[0].name == "x0" and body[1] == Line("return x0", True):
            self.expression_alone = body[0].text
        if len(body) == 2 and isinstance(body[0], Assign) and body[1] == Line(f"return {body[0].name}", True):
            body = [Line(f"return {body[0].text}", True)]
        elif len(body) == 2 and isinstance(body[0], Assign) and body[0].name == "x0" and (order := ordering(body[1])):
            body = [Line(f"return {order.replace('x0', uncopied(body[0].text))}", True)]
        if too_deep(body):
            return [Line("raise D", True)]  # the evaluator does it
        if len(body) == 1 and isinstance(body[0], Line) and body[0].text.startswith("return "):
            self.expression_alone = body[0].text.removeprefix("return ")
        return [*self.beginning(), *start, *head, *body]

    def text_of(self, name: str, arguments: Sequence[str], first: Lines) -> str:
        lines = self.lines(arguments, first)
        if not lines:
            lines = [Line("return None", True)]
        return "\n".join([f"def {name}({', '.join(['S', *arguments])}):", *printed(lines)])


def ordering(line: Any) -> str | None:
    """How a line gives what is offered, `x0`, in its order, if it does no more than that."""
    found = line.text.removeprefix("return ") if isinstance(line, Line) else None
    return found if found in SORTED else None
