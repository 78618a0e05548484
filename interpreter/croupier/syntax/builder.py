"""From Lark's trees to nodes, bottom up, one method for each grammar rule; and the owner of each citation.

Depth is limited before this recursive walk begins (`parser.py`), so a hostile text cannot exhaust the stack.
A citation belongs to the citable node (statement, `elif`, option, condition, definition, hook) that began
last before it, so it may stand at the end of any line and inside brackets.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from lark import Token, Tree

from croupier.diagnostics import Diagnostic, Label, Span, diagnose
from croupier.source.statement_words import WRITTEN
from croupier.syntax import nodes as n
from croupier.syntax.lines import CITATION, Positioned
from croupier.syntax.nodes import Cite

Part: TypeAlias = Any  # a child of a Lark tree: a tree, a token or None; the grammar says which

# ---------------------------------------------------------------- citations
_CITE_TOKEN = re.compile(rf'"[^"\n]*"|#[^\n]*|({CITATION})')
_CITE_PART = re.compile(r"([A-Z]*[0-9]+[a-z]?)(?:\.\.([A-Z]*[0-9]+[a-z]?))?")
CITABLE = {row.rule for row in WRITTEN} | {
    "definition", "window", "override", "trigger", "adjust", "reaction", "watch", "endwhen", "any_time",
    "elif_", "only_if", "option", "group", "shared", "priority", "lost",
    "step_without", "step_before", "step_after", "step_instead",
}  # fmt: skip


def find_cites(text: Positioned) -> list[tuple[int, Cite]]:
    """Every citation of a rule text with its offset; the mark of a part of a module, `@winner`, is a citation
    of itself.
    """
    found = []
    for m in _CITE_TOKEN.finditer(text.text):
        if m.group(1) is None:
            continue
        if "-" not in m.group(1):
            found.append((m.start(1), Cite(text.span(m.start(1), m.end(1)), m.group(1), None)))
            continue
        prefix = m.group(1)[1 : m.group(1).index("-") + 1]
        start = m.start(1) + 1 + len(prefix)
        for part in _CITE_PART.finditer(text.text, start, m.end(1)):
            last = part.group(2)
            found.append(
                (
                    m.start(1),
                    Cite(
                        text.span(part.start(), part.end()),
                        prefix + part.group(1),
                        None if last is None else prefix + last,
                    ),
                )
            )
    return found


def cites_by_owner(text: Positioned, tree: Tree[Token]) -> dict[int, tuple[Cite, ...]]:
    """Citations by the start offset of the node that owns them."""
    cites = find_cites(text)
    if not cites:
        return {}
    starts = sorted(
        {t.meta.start_pos for t in tree.iter_subtrees() if t.data in CITABLE and not t.meta.empty}
    )
    owned: dict[int, tuple[Cite, ...]] = {}
    for at, cite in cites:
        i = bisect_left(starts, at) - 1
        if i >= 0:
            owned[starts[i]] = (*owned.get(starts[i], ()), cite)
    return owned


# ---------------------------------------------------------------- expressions, texts, types
WORD = re.compile(r"[^\W\d]\w*")
PartParser = Callable[[Positioned, int, int], tuple[n.Expr | None, list[Diagnostic]]]


def number(digits: str) -> int:
    """The value of digits; 10**20, beyond every limit, where there are 20 or more."""
    return int(digits) if len(digits) < 20 else 10**20


class ExpressionBuilder(ABC):
    """Builds the nodes of one rule text; `mistakes` collects the diagnostics inside its templates."""

    def __init__(self, text: Positioned, parse_part: PartParser) -> None:
        self.text = text
        self.cites: dict[int, tuple[n.Cite, ...]] = {}
        self.parse_part = parse_part
        self.mistakes: list[Diagnostic] = []
        self.lost: frozenset[str] = frozenset()

    def read(self, tree: Tree[Token]) -> None:
        """Find the owner of each citation of the text."""
        self.cites = cites_by_owner(self.text, tree)

    def note_lost(self, text: str) -> None:
        """Remember the words of a part that could not be parsed: it may declare some of them."""
        self.lost |= frozenset(WORD.findall(text))

    # ------------------------------------------------------------ helpers
    def span(self, t: Tree[Token] | Token) -> Span:
        if isinstance(t, Token):
            return self.text.span(t.start_pos or 0, t.end_pos or 0)
        meta = t.meta
        if meta.empty:
            return self.text.span(0, 0)
        text = self.text.text
        # the parser ended the last line, which the author did not
        start, end = meta.start_pos, min(meta.end_pos, len(text))
        while end > start and text[end - 1].isspace():
            end -= 1
        return self.text.span(start, end)

    def head(self, t: Tree[Token]) -> Span:
        """The first line of a block statement, without its body."""
        start = t.meta.start_pos
        suite = next(
            (
                k.meta.start_pos
                for k in t.children
                if isinstance(k, Tree) and k.data in ("suite", "documented")
            ),
            t.meta.end_pos,
        )
        raw = self.text.text[start:suite].split("\n", 1)[0]
        return self.text.span(start, start + len(raw.rstrip()))

    def owned(self, t: Tree[Token]) -> tuple[n.Cite, ...]:
        return self.cites.get(t.meta.start_pos, ())

    @abstractmethod
    def stmt(self, t: Tree[Token]) -> n.Stmt:
        """A statement; `suppose` has one inside an expression."""

    def opt(self, t: Part) -> Part:
        return None if t is None else self.expr(t)

    def exprs(self, items: list[Part]) -> tuple[n.Expr, ...]:
        return tuple(self.expr(i) for i in items if i is not None)

    # ------------------------------------------------------------ expressions
    def expr(self, t: Tree[Token]) -> n.Expr:
        kids = t.children
        span = self.span(t)
        a: Part = kids[0] if kids else None
        match t.data:
            case "int":
                return n.Int(span, number(a))
            case "string":
                return self.template(a)
            case "true" | "false":
                return n.Bool(span, t.data == "true")
            case "none":
                return n.NoneLit(span)
            case "name":
                return n.Name(span, str(a))
            case "paren":
                return self.expr(a)
            case "attr":
                name: Part = kids[1]
                return n.Attr(span, self.expr(a), str(name), self.span(name))
            case "call":
                return n.Call(span, self.expr(a), self.args(kids[1]))
            case "aggregate":
                *fors, condition, by = kids[2:]
                return n.Aggregate(
                    span,
                    self.expr(a),
                    self.expr(kids[1]),  # type: ignore[arg-type]
                    self.fors(fors),
                    self.opt(condition),
                    self.opt(by),
                )
            case "closure":
                _, step, name, source = kids
                return n.Closure(
                    span,
                    self.expr(a),
                    self.expr(step),  # type: ignore[arg-type]
                    str(name),
                    self.span(name),
                    self.expr(source),  # type: ignore[arg-type]
                )
            case "suppose":
                *body, given = [k for k in kids if isinstance(k, Tree)]
                return n.Suppose(self.span(t), tuple(self.stmt(s) for s in body), self.expr(given))
            case "index":
                return n.Index(span, self.expr(a), self.expr(kids[1]))  # type: ignore[arg-type]
            case "certain":
                return n.Certain(span, self.expr(a))
            case "signed":
                value = self.expr(kids[1])  # type: ignore[arg-type]
                if isinstance(value, n.Int) and str(a) == "-":
                    return n.Int(span, -value.value)
                return n.Unary(span, str(a), value)
            case "not_":
                return n.Unary(span, "not", self.expr(a))
            case "binary" | "compare":
                return n.Binary(span, str(kids[1]), self.expr(a), self.expr(kids[2]))  # type: ignore[arg-type]
            case "or_" | "and_" | "contains" | "excludes" | "otherwise" | "span_":
                op = {
                    "or_": "or",
                    "and_": "and",
                    "contains": "in",
                    "excludes": "not in",
                    "otherwise": "otherwise",
                    "span_": "..",
                }[t.data]
                return n.Binary(span, op, self.expr(a), self.expr(kids[1]))  # type: ignore[arg-type]
            case "is_none" | "is_some":
                return n.IsNone(span, self.expr(a), t.data == "is_some")
            case "is_kind" | "is_other":
                return n.IsKind(span, self.expr(a), str(kids[1]), self.span(kids[1]), t.data == "is_other")
            case "if_else":
                return n.IfElse(span, self.expr(kids[1]), self.expr(a), self.expr(kids[2]))  # type: ignore[arg-type]
            case "list":
                return n.ListLit(span, () if a is None else self.exprs(a.children))
            case "listcomp":
                *fors, condition = kids[1:]
                return n.ListComp(span, self.expr(a), self.fors(fors), self.opt(condition))
            case "map":
                entries = () if a is None else tuple(self.entry(e) for e in a.children if e is not None)
                return n.MapLit(span, entries)
            case "mapcomp":
                *fors, condition = kids[2:]
                return n.MapComp(span, self.expr(a), self.expr(kids[1]), self.fors(fors), self.opt(condition))  # type: ignore[arg-type]
        raise AssertionError(t.data)

    def entry(self, t: Part) -> tuple[n.Expr, n.Expr]:
        """The key and the value of an entry of a map."""
        return self.expr(t.children[0]), self.expr(t.children[1])

    def fors(self, items: list[Part]) -> tuple[n.For, ...]:
        """The `for` of a comprehension or option; an `if` between two of them belongs to the one before
        it.
        """
        out: list[n.For] = []
        for f in (i for i in items if i is not None):
            if f.data == "comp_for":
                out.append(n.For(self.span(f), str(f.children[0]), self.expr(f.children[1])))
            else:
                out[-1] = replace(out[-1], condition=self.expr(f.children[0]))
        return tuple(out)

    def rest(self) -> tuple[n.Broken, ...]:
        """A node for text that could not be parsed."""
        return (n.Broken(self.text.span(0, 0), (), (), self.lost),)

    def args(self, t: Part) -> tuple[n.Arg, ...]:
        if t is None:
            return ()
        out = []
        for a in t.children:
            if a is None:
                continue
            if a.data in ("named", "pat"):
                name = a.children[0]
                out.append(n.Arg(self.span(a), None if name is None else str(name), self.expr(a.children[1])))
            else:
                out.append(n.Arg(self.span(a), None, self.expr(a)))
        return tuple(out)

    def template(self, token: Token) -> n.Template:
        """Split a quoted text into words and `{expression}` parts."""
        return self.template_parts(str(token)[1:-1], (token.start_pos or 0) + 1, self.span(token))

    def template_parts(self, body: str, start: int, span: Span) -> n.Template:
        parts: list[str | n.Expr] = []
        at = 0
        while at < len(body):
            brace = body.find("{", at)
            words = body[at:] if brace < 0 else body[at:brace]
            if words:
                parts.append(words)
            if "}" in words:
                closing = start + at + words.index("}")
                self.mistakes.append(
                    diagnose("P010", self.text.span(closing, closing + 1), bracket="}", help="leave it out")
                )
            if brace < 0:
                break
            depth, end = 1, brace + 1
            while end < len(body) and depth:
                depth += {"{": 1, "}": -1}.get(body[end], 0)
                end += 1
            if depth:
                self.mistakes.append(
                    diagnose(
                        "P008", self.text.span(start + brace, start + brace + 1), bracket="{", closing="}"
                    )
                )
                break
            inner, bad = self.parse_part(self.text, start + brace + 1, start + end - 1)
            self.mistakes.extend(bad)
            if inner is not None:
                parts.append(inner)
            at = end
        return n.Template(span, tuple(parts), body)

    # ------------------------------------------------------------ types
    def type(self, t: Part) -> n.TypeExpr:
        span, kids = self.span(t), t.children
        match t.data:
            case "typename":
                names = tuple(n.TypeName(self.span(k), str(k)) for k in kids)
                return names[0] if len(names) == 1 else n.KindsType(span, names)
            case "ranged":
                return n.RangeType(span, self.expr(kids[0]), self.expr(kids[1]))
            case "optional":
                return n.OptionalType(span, self.type(kids[0]))
            case "per":
                return n.PerType(span, self.type(kids[0]), self.type(kids[1]))
            case "listof" | "bagof":
                return n.CollectionType(span, t.data[:-2], self.type(kids[0]), self.opt(kids[1]))
            case "setof" | "zoneof":
                return n.CollectionType(span, t.data[:-2], self.type(kids[0]))
        raise AssertionError(t.data)

    def declaration(self, t: Tree[Token]) -> n.Declaration:
        kids: Part = [k for k in t.children if not (isinstance(k, Token) and k.type == "_NL")]
        label = None if kids[3] is None else self.template(kids[3])
        return n.Declaration(
            self.span(t),
            self.type(kids[0]),
            self.opt(kids[1]),
            None if kids[2] is None else self.audience(kids[2]),
            label,
        )

    def audience(self, t: Tree[Token]) -> n.Audience:
        kids: Part = t.children
        return (
            n.SeenIf(self.span(t), self.expr(kids[0]), self.expr(kids[1]))
            if t.data == "seen_if"
            else self.expr(t)
        )

    def binding(self, t: Tree[Token]) -> n.Binding:
        kids: Part = t.children
        return n.Binding(self.span(t), str(kids[0]), self.expr(kids[1]), self.opt(kids[2]))


# ---------------------------------------------------------------- statements, definitions, hooks
WORDS = {row.rule: row.words[0] for row in WRITTEN if row.is_word}
VERBS = {row.rule for row in WRITTEN if row.is_verb}
STATEMENTS = {row.rule for row in WRITTEN} | {"lost"}


class TreeBuilder(ExpressionBuilder):
    """Makes nodes of statements, definitions, hooks and types."""

    def block(self, items: Part) -> n.Block:
        return tuple(self.stmt(i) for i in items if isinstance(i, Tree))

    def suite(self, t: Part) -> n.Block:
        return self.block(t.children)

    def other(self, t: Part) -> n.Block | None:
        return None if t is None else self.suite(t.children[0])

    def stmt(self, t: Tree[Token]) -> n.Stmt:
        kids: Part = t.children
        cites = self.owned(t)
        if t.data in WORDS:
            return n.Simple(self.span(t), cites, WORDS[t.data])
        if t.data in VERBS:
            operands = [k for k in kids if k is not None and k.data != "words"]
            return n.Verb(self.span(t), cites, t.data.rstrip("_"), self.exprs(operands), self.words(kids[-1]))
        made = self.line(t, kids, cites) or self.compound(t, kids, cites) or self.decision(t, kids, cites)
        if made is None:
            raise AssertionError(t.data)
        return made

    def line(self, t: Tree[Token], kids: Part, cites: tuple[n.Cite, ...]) -> n.Stmt | None:
        """A statement of one line; `None` for another one."""
        match t.data:
            case "let":
                word, name, kind, value = kids
                written = None if kind is None else self.type(kind)
                return n.Let(
                    self.span(t), cites, str(name), self.span(name), word == "var", written, self.expr(value)
                )
            case "assign":
                *sides, words = kids
                op = "=" if len(sides) == 2 or sides[1] is None else str(sides[1])
                return n.Assign(
                    self.span(t), cites, self.expr(sides[0]), op, self.expr(sides[-1]), self.words(words)
                )
            case "callstmt":
                return n.CallStmt(self.span(t), cites, self.expr(kids[0]))
            case "return_":
                return n.Return(self.span(t), cites, self.opt(kids[0]))
            case "move":
                what, to, place = kids[:3]
                marks = tuple(
                    (str(k.children[0]), self.span(k.children[0]), self.expr(k.children[1]))
                    for k in self.of_kind(kids[3:], "mark")
                )
                return n.Move(
                    self.span(t),
                    cites,
                    self.expr(what),
                    self.expr(to),
                    None if place is None else str(place),
                    self.words(kids[-1]),
                    marks,
                )
            case "draw":
                count, source, place, to, name, words = kids
                called, where = (None, None) if name is None else (str(name), self.span(name))
                below = self.word(place) if place == "bottom" else None
                what, goal = self.expr(source), self.expr(to)
                return n.Draw(
                    self.span(t), cites, self.expr(count), what, goal, called, where, self.words(words), below
                )
            case "tell":
                return n.Tell(self.span(t), cites, self.expr(kids[0]), self.template(kids[1]))
            case "announce":
                return n.Tell(self.span(t), cites, None, self.template(kids[0]))
            case "open_":
                return n.Open(
                    self.span(t),
                    cites,
                    str(kids[0]),
                    self.span(kids[0]),
                    self.args(kids[1]),
                    self.expr(kids[2]),
                )
            case "finish":
                result, grade = kids
                value = self.expr(result.children[0]) if result.children else None
                kind = {"drawn": "draw"}.get(result.data, result.data)
                return n.Finish(
                    self.span(t), cites, kind, value, None if grade is None else self.template(grade)
                )
        return None

    def compound(self, t: Tree[Token], kids: Part, cites: tuple[n.Cite, ...]) -> n.Stmt | None:
        """A statement with blocks and without a decision; `None` for another one."""
        match t.data:
            case "if_":
                return self.if_chain(t, kids)
            case "for_":
                name, source, at_once, condition, body = kids
                walked = str(name), self.span(name), self.expr(source), self.opt(condition), self.suite(body)
                return n.ForStmt(self.head(t), cites, *walked, at_once is not None)
            case "for_seconds":
                seconds, otherwise, body = kids
                said = (None, None) if otherwise is None else (str(otherwise), self.span(otherwise))
                return n.ForSeconds(
                    self.head(t), cites, self.expr(seconds), said[0], self.suite(body), said[1]
                )
            case "repeat":
                return n.Repeat(self.head(t), cites, self.opt(kids[0]), self.suite(kids[1]))
            case "match_":
                rows = [k for k in kids[1:] if isinstance(k, Tree)]
                cases = tuple(
                    n.Case(self.head(c), self.exprs(c.children[:-1]), self.suite(c.children[-1]))
                    for c in rows
                    if c.data == "case"
                )
                other = next((self.other(c) for c in rows if c.data == "else_"), None)
                lost = [c for c in rows if c.data == "lost_case"]
                if lost and other is None:
                    other = (n.Broken(self.head(lost[0]), (), self.recovered(lost[0]), self.lost),)
                return n.Match(self.head(t), cites, self.expr(kids[0]), cases, other)
            case "secretly":
                return n.Secretly(self.head(t), cites, self.expr(kids[0]), self.suite(kids[1]))
            case "lost":
                return self.broken(t)
        return None

    def decision(self, t: Tree[Token], kids: Part, cites: tuple[n.Cite, ...]) -> n.Stmt | None:
        """A statement with a decision, or one that looks ahead at decisions; `None` for another one."""
        match t.data:
            case "choose_line":
                pick, conditions, other = [k for k in kids if not (isinstance(k, Token) and k.type == "_NL")]
                only = () if conditions is None else self.conditions(conditions.children)
                return n.Choose(
                    self.head(t), cites, self.pick(pick, only, False), False, (), self.other(other)
                )
            case "maychoose":
                pick, *body, other = kids
                only = self.conditions(body)
                rest = self.block(b for b in body if isinstance(b, Tree) and b.data in STATEMENTS)
                return n.Choose(
                    self.head(t), cites, self.pick(pick, only, True), True, rest, self.other(other)
                )
            case "menu":
                return self.menu(t, kids, cites)
            case "sothat":
                condition, within, leaks, body, other = kids
                depth = None if within is None else number(within)
                where = None if within is None else self.span(within)
                blocks = self.suite(body), self.other(other)
                return n.SoThat(
                    self.head(t), cites, self.expr(condition), depth, *blocks, where, self.leaks(leaks)
                )
        return None

    def words(self, t: Tree[Token] | Token | None) -> n.Template | None:
        """The clause `as "words"` of a statement that changes something."""
        text = t.children[0] if isinstance(t, Tree) and t.data == "words" else None
        return self.template(text) if isinstance(text, Token) else None

    def broken(self, t: Tree[Token]) -> n.Broken:
        """The node for a statement with a mistake, with the statements below it that could be parsed."""
        return n.Broken(self.head(t), (), self.recovered(t), self.lost)

    def recovered(self, t: Tree[Token]) -> n.Block:
        """The statements below a node, at any depth."""
        body: list[n.Stmt] = []
        for k in t.children:
            if isinstance(k, Tree):
                if k.data not in STATEMENTS:
                    self.note_lost(
                        self.text.text[k.meta.start_pos : k.meta.end_pos].partition("\n")[0]
                        if not k.meta.empty
                        else ""
                    )
                body.extend((self.stmt(k),) if k.data in STATEMENTS else self.recovered(k))
        return tuple(body)

    def if_chain(self, t: Tree[Token], kids: Part) -> n.If:
        condition, then, *elifs, other = kids
        tail: n.Block = self.other(other) or ()
        for e in reversed([e for e in elifs if e is not None]):
            tail = (
                n.If(self.head(e), self.owned(e), self.expr(e.children[0]), self.suite(e.children[1]), tail),
            )
        return n.If(self.head(t), self.owned(t), self.expr(condition), self.suite(then), tail)

    # ------------------------------------------------------------ decisions
    def conditions(self, items: Part) -> tuple[n.Condition, ...]:
        rows = ((c, *c.children) for c in self.of_kind(items, "only_if"))
        return tuple(
            n.Condition(self.span(c), self.template(words), self.expr(x), self.owned(c), how is not None)
            for c, how, words, x in rows
        )

    def priorities(self, items: Part) -> tuple[n.Priority, ...]:
        return tuple(
            n.Priority(self.span(c), self.template(c.children[0]), self.owned(c))
            for c in self.of_kind(items, "priority")
        )

    def of_kind(self, items: Part, *kinds: str) -> list[Part]:
        """The trees of these kinds among some lines."""
        return [c for c in items if isinstance(c, Tree) and c.data in kinds]

    def pick(self, t: Tree[Token], conditions: tuple[n.Condition, ...], optional: bool) -> n.Pick:
        kids: list[Part] = list(t.children)
        how, name, source, *clauses = kids
        found: dict[str, Part] = {}
        for c in clauses:
            key = "by" if c.data.startswith("by_") else c.data
            if key in found:
                word = {"label": "as", "such_that": "such that"}.get(key, key)
                first = Label(self.span(found[key]), "it stands here already")
                self.mistakes.append(diagnose("P054", self.span(c), word=word, labels=(first,)))
            found.setdefault(key, c)
        by = found.get("by")
        chooser, player, every = "one", None, None
        if by is not None and by.data == "by_chance":
            chooser, player = "chance", self.opt(by.children[0])
        elif by is not None and by.data == "by_every":
            chooser, every, player = "every", str(by.children[0]), self.expr(by.children[1])
        elif by is not None:
            player = self.expr(by.children[0])
        where, such_that = (
            self.expr(found[k].children[0]) if k in found else None for k in ("where", "such_that")
        )
        merging = tuple(str(m) for m in found["merging"].children) if "merging" in found else ()
        label = self.template(found["label"].children[0]) if "label" in found else None
        can_decline = optional or (how is not None and how.data == "any_number")
        return n.Pick(
            self.span(t), self.how_many(how), str(name), self.span(name), self.expr(source), where, chooser,
            player, every, merging, such_that, label,
            conditions, tuple(self.span(m) for m in found["merging"].children) if "merging" in found else (),
            self.leaks(found.get("leaks")),
            self.decline(found["label"].children[1],
            can_decline) if "label" in found else None,
            self.span(found["unseen"]) if "unseen" in found else None,
            *self.sentences(found.get("told"), can_decline),
        )  # fmt: skip

    def decline(self, t: Part, optional: bool) -> str | None:
        """The words for declining. They must be a fixed text, and only `may choose` has them."""
        if t is None:
            return None
        words = str(t)[1:-1]
        if not optional:
            self.mistakes.append(diagnose("P063", self.span(t)))
        elif "{" in words or "}" in words or not words.strip():
            self.mistakes.append(diagnose("P064", self.span(t)))
        return words

    def sentences(self, t: Part, can_decline: bool) -> tuple[n.Template | None, n.Template | None]:
        """The clause `told "…" or "…"`: what the log says of a choice, and of declining it."""
        if t is None:
            return None, None
        chosen, declined = t.children
        if declined is not None and not can_decline:
            self.mistakes.append(diagnose("P063", self.span(declined)))
        return self.template(chosen), self.sentence(declined)

    def sentence(self, t: Part) -> n.Template | None:
        """The words behind `told`; `None` without them."""
        return None if t is None else self.template(t)

    def leaks(self, t: Part) -> n.Leaks | None:
        """The clause `leaks "reason"`; a reason has to be given."""
        if t is None:
            return None
        reason = str(t.children[0])[1:-1]
        if not reason.strip():
            self.mistakes.append(diagnose("P055", self.span(t.children[0])))
        return n.Leaks(self.span(t), reason)

    def how_many(self, t: Part) -> n.HowMany | None:
        if t is None:
            return None
        span = self.span(t)
        if t.data in ("any_number", "some_number"):
            return n.HowMany(span, n.Int(span, 1) if t.data == "some_number" else None, None)
        values = [
            n.Int(self.span(k), number(k)) if isinstance(k, Token) else self.expr(k) for k in t.children
        ]
        return n.HowMany(span, values[0], values[0] if t.data == "exactly" else values[1])

    def menu(self, t: Tree[Token], kids: Part, cites: tuple[n.Cite, ...]) -> n.Menu:
        by, window, args, leaks, *rest = [k for k in kids if not (isinstance(k, Token) and k.type == "_NL")]
        options = self.options(rest)
        other = next((self.other(o) for o in rest if isinstance(o, Tree) and o.data == "else_"), None)
        called = None if window is None else str(window)
        return n.Menu(
            self.head(t), cites, self.expr(by), called, self.args(args), options, other, self.leaks(leaks)
        )

    def options(self, items: Part) -> tuple[n.Option | n.OptionGroup, ...]:
        """The options and groups of options among some lines."""
        return tuple(
            self.option(o) if o.data == "option" else self.group(o)
            for o in self.of_kind(items, "option", "group")
        )

    def option(self, o: Tree[Token]) -> n.Option:
        label: Part = o.children[0]
        told: Part = o.children[1]
        fors, condition, rest = self.walked(o.children[2:])
        body = self.block(self.of_kind(rest, *STATEMENTS))
        return n.Option(
            self.head(o),
            self.owned(o),
            self.template(label),
            fors,
            condition,
            self.conditions(rest),
            body,
            self.priorities(rest),
            self.sentence(told),
        )

    def group(self, o: Tree[Token]) -> n.OptionGroup:
        fors, condition, rest = self.walked(o.children)
        lets = tuple(self.shared(k) for k in self.of_kind(rest, "shared"))
        return n.OptionGroup(
            self.head(o),
            self.owned(o),
            fors,
            condition,
            lets,
            self.conditions(rest),
            self.options(rest),
            self.priorities(rest),
        )

    def walked(self, kids: Part) -> tuple[tuple[n.For, ...], n.Expr | None, Sequence[Tree[Token]]]:
        """The loops of an option or a group, its condition, and the lines below it."""
        fors = self.of_kind(kids, "comp_for", "comp_if")
        condition, *rest = kids[len(fors) :]
        return self.fors(fors), self.opt(condition), rest

    def shared(self, t: Tree[Token]) -> n.Let:
        """A name that the options of a group share."""
        name, kind, value, *_ = t.children
        written = None if kind is None else self.type(kind)
        return n.Let(
            self.span(t),
            self.owned(t),
            str(name),
            self.span(name),
            False,
            written,
            self.expr(value),  # type: ignore[arg-type]
        )

    # ------------------------------------------------------------ definitions and hooks
    def item(self, t: Tree[Token]) -> n.Item | n.Revision | n.Broken:
        kids: Part = t.children
        cites = self.owned(t)
        match t.data:
            case "definition":
                replace, name, params, returns, nested, body = kids
                return n.Def(
                    self.head(t), cites, str(name), self.span(name), self.params(params),
                    None if returns is None else self.type(returns),
                    None if nested is None else number(nested), self.suite(body), replace is not None,
                    None if nested is None else self.span(nested),
                    str(body.children[0])[1:-1] if body.data == "documented" else None,
                )  # fmt: skip
            case "window":
                name, params, ordered, nested = kids[:4]
                deep, where = (None, None) if nested is None else (number(nested), self.span(nested))
                return n.Window(
                    self.head(t),
                    cites,
                    str(name),
                    self.span(name),
                    self.params(params),
                    deep,
                    where,
                    ordered is not None,
                )
            case "override":
                instead, pattern, guard, body = kids
                return n.Hook(
                    self.head(t),
                    cites,
                    "instead",
                    self.pattern(pattern),
                    self.opt(guard),
                    None,
                    None,
                    self.suite(body),
                    replace=self.word(instead),
                )
            case "trigger":
                instead, word, pattern, guard, body = kids
                return n.Hook(
                    self.head(t),
                    cites,
                    str(word),
                    self.pattern(pattern),
                    self.opt(guard),
                    None,
                    None,
                    self.suite(body),
                    replace=self.word(instead),
                )
            case "adjust":
                instead, pattern, name, guard, body = kids
                return n.Hook(
                    self.head(t), cites, "adjust", self.pattern(pattern), self.opt(guard), str(name), None,
                    self.suite(body), self.span(name),
                    replace=self.word(instead),
                )  # fmt: skip
            case "reaction":
                instead, pattern, guard, label, told, leaks, body = kids
                words = None if label is None else self.template(label)
                return n.Hook(
                    self.head(t), cites, "reaction", self.pattern(pattern), self.opt(guard), None, words,
                    self.suite(body),
                    leaks=self.leaks(leaks), replace=self.word(instead), told=self.sentence(told),
                )  # fmt: skip
            case "watch":
                instead, value, key, name, body = kids
                called, where = (None, None) if name is None else (str(name), self.span(name))
                each = (None, None) if key is None else (str(key), self.span(key))
                return n.Watch(
                    self.head(t),
                    cites,
                    self.expr(value),
                    called,
                    self.suite(body),
                    where,
                    self.word(instead),
                    *each,
                )
            case "endwhen":
                return n.EndWhen(
                    self.head(t), cites, self.expr(kids[1]), self.suite(kids[2]), self.word(kids[0])
                )
            case "any_time":
                name, guard, leaks, *rest = [
                    k for k in kids if not (isinstance(k, Token) and k.type == "_NL")
                ]
                return n.AnyTime(
                    self.head(t),
                    cites,
                    str(name),
                    self.span(name),
                    self.opt(guard),
                    self.options(rest),
                    self.leaks(leaks),
                )
            case "revision":
                place, *changes = [k for k in kids if isinstance(k, Tree)]
                named: Part = place.children[0]
                kind = place.data.removeprefix("in_")
                inner = tuple(change for k in changes for change in self.step_changes(k))
                return n.Revision(
                    self.line_of(t),
                    kind,
                    str(named) if kind == "def" else str(named)[1:-1],
                    self.span(named),
                    inner,
                )
            case "step_without" | "step_before" | "step_after" | "step_instead":
                return n.Revision(self.line_of(t), "", "", self.line_of(t), (self.step_change(t),))
            case "lost":
                return self.broken(t)
        raise AssertionError(t.data)

    # ------------------------------------------------------------ what a variant changes within its base
    def step_changes(self, t: Tree[Token]) -> tuple[n.StepChange, ...]:
        """The changes of one line: those below `in match` know what is matched."""
        if t.data != "in_match":
            return (self.step_change(t),)
        matched, *cases = [k for k in t.children if isinstance(k, Tree)]
        return tuple(replace(self.step_change(c), matched=self.expr(matched)) for c in cases)

    def step_change(self, t: Tree[Token]) -> n.StepChange:
        kids: Part = t.children
        kind = t.data.removeprefix("step_").replace("_", " ")
        words = next((str(k)[1:-1] for k in kids if isinstance(k, Token) and k.type == "STRING"), None)
        body = next((k for k in kids if isinstance(k, Tree) and k.data in ("suite", "steps")), None)
        values = self.exprs([k for k in kids if isinstance(k, Tree) and k is not body])
        return n.StepChange(
            self.line_of(t), self.owned(t), kind, words, values, None, () if body is None else self.put(body)
        )

    def put(self, t: Tree[Token]) -> tuple[n.Stmt | n.OptionGroup | n.Condition, ...]:
        """Return what a change puts into the base: statements, options or conditions."""
        conditions = self.conditions(t.children)
        return conditions or self.options(t.children) or self.block(t.children)

    def line_of(self, t: Tree[Token]) -> Span:
        """The first line of a change, up to its colon."""
        inner = next(
            (k.meta.start_pos for k in t.children if isinstance(k, Tree) and k.data in ("suite", "steps")),
            t.meta.end_pos,
        )
        line = self.text.text[t.meta.start_pos : inner].split("\n", 1)[0]
        return self.text.span(t.meta.start_pos, t.meta.start_pos + len(line.rstrip()))

    def word(self, t: Part) -> Span | None:
        """The span of an optional word; `None` where it is absent."""
        return None if t is None else self.span(t)

    def params(self, t: Part) -> tuple[n.Param, ...]:
        rows = [] if t is None else [p.children for p in t.children if p is not None]
        return tuple(
            n.Param(self.span(name), str(name), self.type(kind), self.opt(start), var is not None)
            for var, name, kind, start in rows
        )

    def pattern(self, t: Tree[Token]) -> n.Pattern:
        name: Part = t.children[0]
        return n.Pattern(self.span(t), str(name), self.span(name), self.args(t.children[1]))
