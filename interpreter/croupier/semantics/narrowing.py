"""The statements that may change a value about which the text has shown something.

What a `let`, a parameter or a loop variable holds never changes, nor does a field of a record in it. A `var`
changes by an assignment and where a call may write it back, as a `var` parameter. State, zones and changeable
attributes change by any statement that acts: by itself, through a call, in a window, or because somebody
watches what it does. Questions that only read, and decisions, change nothing.

A block that control never comes out of at the end changes nothing behind it: every way through it returns,
ends the game, or leaves the loop around it. A decision without an option is a fault, or `else`: nothing
behind it goes on because nobody could choose. So a menu is left for good if each of its options is, and its
`else` if it has one. A reaction that a menu offers (`with`) ends the menu, and what follows it goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from croupier.diagnostics import Span
from croupier.kernel import types as t
from croupier.kernel.facts import Facts as FormFacts
from croupier.kernel.facts import Waits, Writes
from croupier.kernel.tree import FACTS
from croupier.semantics.context import Facts, Scope, path
from croupier.semantics.procedures import Proc
from croupier.semantics.program import Program
from croupier.syntax import nodes as n


def facts_kept(facts: Facts, body: n.Block, scope: Scope, program: Program) -> Facts:
    """The facts that still hold after these statements, or each time around a loop of them."""
    return frozenset(f for f in facts if all(changed_by(s, f.path, scope, program) is None for s in body))


def facts_ended(facts: Facts, left: Facts, body: n.Block, scope: Scope, program: Program) -> dict[str, Span]:
    """Map each value about which these statements leave less known to the statement that may change it."""
    found: dict[str, Span] = {}
    for f in facts - left:
        changing = (changed_by(s, f.path, scope, program) for s in body)
        found[f.path] = next(s.span for s in changing if s is not None)
    return found


def changed_by(node: n.Stmt, where: str, scope: Scope, program: Program) -> n.Stmt | None:
    """The statement, this one or one inside, after which the value at `where` may be another one.

    Blocks that control leaves do not count.
    """
    root = where.split(".")[0].split("[")[0]
    local = scope.find(root)
    if local is not None and not local.mutable and is_fixed(where, local.type):
        return None
    own = local is not None and local.mutable and "." not in where
    found = changes_itself(node, where, root if own else None, scope, program)
    if found is not None:
        return node if found else None
    ways = (b for b in node.blocks() if not leaves(b) or is_loop(node))
    inside = (changed_by(s, where, scope, program) for b in ways for s in b)
    return next((s for s in inside if s is not None), None)


def changes_itself(node: n.Stmt, where: str, own: str | None, scope: Scope, program: Program) -> bool | None:
    """Tell whether a statement without the blocks in it may change the value at `where`, which is that of a
    `var` of the name `own`.

    `None` if its blocks decide.
    """

    def is_written(names: set[str]) -> bool:
        return own is None or own in names

    match node:
        case n.Assign():
            target = path(node.target) or ""
            touches = (
                target == where or where.startswith((target + ".", target + "[")) or f"[{target}]" in where
            )
            return (
                touches
                or may_act(node.value, own, program)
                or (own is None and not is_local(node.target, scope))
            )
        case n.Let():
            return may_act(node.value, own, program)
        case n.If(condition=asked) if asks(asked, program) and is_written(names_written(asked, program)):
            return True
        case n.Repeat(until=n.Expr() as asked) if asks(asked, program) and is_written(
            names_written(asked, program)
        ):
            return True
        case n.Return():
            return node.value is not None and may_act(node.value, own, program)
        case n.Verb(verb="add" | "remove") if own is not None or is_local(node.operands[1], scope):
            return path(node.operands[1]) == where
        case n.CallStmt() if own is not None:
            return own in names_written(node.call, program)
        case n.Open() if is_written(names_given(program.windows.get(node.window), node.args, program)):
            return True
        case n.Menu(window=str() as window) if is_written(
            names_given(program.windows.get(window), node.window_args, program)
        ):
            return True
    if program.is_open_any_time and own is None and may_be_open_at(node):
        return True
    if node.blocks():
        return None
    return own is None and may_change(node)


def may_be_open_at(node: n.Stmt) -> bool:
    """Tell whether this is a decision of one player, before which what stands open may be taken."""
    asks_chance_or_all = isinstance(node, n.Choose) and node.pick.chooser != "one"
    facts = facts_of(node)
    return facts is not None and facts.waits is Waits.SEAT and not asks_chance_or_all


def may_change(node: n.Stmt) -> bool:
    """Tell whether a statement without blocks may change the game, itself or through a call or a window."""
    facts = facts_of(node)
    if facts is None or isinstance(node, n.Open):
        return True
    return facts.writes is not Writes.NOTHING or facts.calls


def facts_of(node: n.Stmt) -> FormFacts | None:
    """The facts of the form that a statement is checked to; `None` for one that could not be parsed."""
    return None if node.form is None else FACTS[node.form]


def is_loop(node: n.Stmt) -> bool:
    """Tell whether the block of a statement may run again."""
    facts = facts_of(node)
    return facts is not None and facts.loops


def is_fixed(where: str, kind: t.Type) -> bool:
    """Tell whether a path from a local that keeps its value leads to something that keeps its value, too."""
    root, _, rest = where.partition(".")
    return "[" not in where and (not rest or (isinstance(kind, t.Record) and "." not in rest))


def is_local(target: n.Expr, scope: Scope) -> bool:
    """Tell whether an expression is a local, or an entry of one.

    Nobody watches locals.
    """
    while isinstance(target, n.Index):
        target = target.target
    return isinstance(target, n.Name) and scope.find(target.name) is not None


def may_act(value: n.Expr, root: str | None, program: Program) -> bool:
    """Tell whether this right side may act: it is a call of its own (one that could write `root`, if
    given).
    """
    return (
        isinstance(value, n.Call)
        and isinstance(value.target, n.Name)
        and (root is None or root in names_written(value, program))
    )


def asks(condition: n.Expr, program: Program) -> bool:
    """Tell whether part of a condition, under `and`, `or` and `not`, is a call that may act."""
    match condition:
        case n.Unary(op="not"):
            return asks(condition.value, program)
        case n.Binary(op="and" | "or"):
            return asks(condition.left, program) or asks(condition.right, program)
        case n.Call(target=n.Name(name=name)):
            return name in program.acting or name == "original"
    return False


def acting(definitions: Iterable[n.Def], hooks: Iterable[n.Hook]) -> frozenset[str]:
    """The definitions that may change the game, ask or draw, as far as their texts show before they are
    checked; perhaps some more.
    """
    bodies = [(d.name, list(done(d.body)), {q.name for q in d.params if not q.var}) for d in definitions]
    bodies += [(h.pattern.name, list(done(h.body)), {h.result or ""}) for h in hooks if h.kind != "reaction"]
    found = {name for name, nodes, own in bodies if acts_itself(nodes, own)}
    called = [
        (name, {x.target.name for x in nodes if x.__class__ is n.Call and isinstance(x.target, n.Name)})
        for name, nodes, _ in bodies
    ]
    while more := {name for name, names in called if name not in found and names & found}:
        found |= more
    return frozenset(found)


def acts_itself(nodes: Sequence[n.Node], own: set[str]) -> bool:
    """Tell whether a body with these parts acts by itself; `own` are its parameters."""
    statements = [x for x in nodes if isinstance(x, (n.Stmt, n.For))]
    for x in statements:
        facts = facts_of(x) if isinstance(x, n.Stmt) else FormFacts()
        if facts is None or facts.acts or facts.suspends:
            return True
    own = own | {name for x in statements if (name := getattr(x, "name", None)) is not None}
    for x in statements:
        target = None
        if isinstance(x, n.Assign):
            target = x.target
        elif isinstance(x, n.Verb) and FACTS[x.form].writes is Writes.PLACE:
            target = x.operands[1]
        while isinstance(target, (n.Index, n.Attr)):
            target = target.target
        if target is not None and not (isinstance(target, n.Name) and target.name in own):
            return True
    return False


def names_written(node: n.Expr | n.Arg, program: Program) -> set[str]:
    """The names that calls in an expression are given for `var` parameters."""
    found: set[str] = set()
    for x in done(node):
        if isinstance(x, n.Call) and isinstance(x.target, n.Name):
            found |= names_given(program.defs.get(x.target.name), x.args, program)
    return found


def names_given(proc: Proc | None, args: tuple[n.Arg, ...], program: Program) -> set[str]:
    """The names that a definition or window may write back: those that it is given for its `var` parameters,
    and what calls in arguments write.
    """
    found: set[str] = set()
    params = [] if proc is None else proc.params
    for i, a in enumerate(args):
        if any(q.var for k, q in enumerate(params) if (k == i if a.name is None else q.name == a.name)):
            found |= names_in(a.value)
        found |= names_written(a.value, program)
    return found


def names_in(node: object) -> set[str]:
    """The names in a node."""
    return {x.name for x in n.walk(node) if isinstance(x, n.Name)}


def done(part: object) -> Iterator[n.Node]:
    """A node, or those of a block, and everything in it that may be done, not only supposed."""
    return n.walk(part, n.Suppose)


def breaks(body: n.Block) -> bool:
    """Tell whether a block has a `break` for the loop around it."""
    for s in body:
        if isinstance(s, n.Simple) and s.word == "break":
            return True
        if not is_loop(s) and any(breaks(inner) for inner in s.blocks()):
            return True
    return False


# ---------------------------------------------------------------- exits
def leaves(body: n.Block) -> bool:
    """Tell whether control surely does not come out at the end of this block."""
    return any(never_falls_through(s) for s in body)


def never_falls_through(s: n.Stmt) -> bool:
    """Tell whether control surely does not come out behind this statement."""
    facts = facts_of(s)
    if facts is None or facts.exits:
        return facts is not None
    if facts.loops:
        return is_endless(s) and not any(breaks(b) for b in s.blocks())
    match s:
        case n.Choose(optional=False):  # what was chosen goes on behind it
            return False
        case n.Menu(window=str()):  # so does a reaction
            return False
    return bool(s.ways()) and all(leaves(b) for b in s.ways())


def is_endless(s: n.Stmt) -> bool:
    """Tell whether a loop runs until a statement ends it."""
    match s:
        case n.Repeat():
            return s.until is None
        case n.ForStmt(source=n.Call(target=n.Name(name="turns")), condition=None):
            return True
    return False
