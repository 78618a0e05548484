"""Statements in words, as lists: a block below a statement is the list below its line.

Every sentence carries the ids of the rules that its statement cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.authoring.rulebook.blocks import Item, Line, Run, line, with_rules
from croupier.authoring.rulebook.grouping import closed
from croupier.authoring.rulebook.phrases import LOWER, by_words, condition, each, for_all, given, is_condition, listed, phrase, template
from croupier.authoring.rulebook.vocabulary import capital, name
from croupier.semantics.citations import spread
from croupier.syntax import nodes as n

SEVERAL = ("the players", "all ")  # how words for more than one begin


@dataclass(frozen=True)
class Decision:
    """A decision for the list of all decisions: who decides, what, under which conditions, with ids."""

    text: str
    conditions: tuple[str, ...]
    rules: tuple[str, ...]


class Sentences:
    """Puts statements into words; collects the decisions on the way and the ids of rules in the order in which they are cited."""

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.cited: dict[str, None] = {}

    def ids(self, cites: Sequence[n.Cite]) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(i for c in cites for i in spread(c)))
        self.cited.update(dict.fromkeys(found))
        return found

    def block(self, body: Sequence[n.Stmt]) -> tuple[Item, ...]:
        """A list of sentences."""
        return tuple(item for s in body for item in self.statement(s))

    def statement(self, s: n.Stmt) -> tuple[Item, ...]:
        """The sentences of one statement."""
        rules = self.ids(s.cites)
        match s:
            case n.If():
                return self._if(s, rules)
            case n.ForStmt():
                return (self._item(loop(s.name, s.source, s.condition), rules, s.body),)
            case n.Repeat():
                until = f" until {condition(s.until)}" if s.until is not None else ""
                return (self._item(f"Again and again{until}:", rules, s.body),)
            case n.Match():
                return self._match(s, rules)
            case n.Choose():
                return self._choose(s, rules)
            case n.Menu():
                return self._menu(s, rules)
            case n.SoThat():
                first = self._item(f"Only what can still end so that {condition(s.condition)}:", rules, s.body)
                return (first, *self._else("If nothing can:", s.other))
            case n.Secretly():
                nobody = isinstance(s.player, n.ListLit) and not s.player.items
                return (self._item("Noticed by nobody:" if nobody else f"Noticed by nobody but {phrase(s.player)}:", rules, s.body),)
            case n.Simple(word="pass"):
                return (Item(with_rules(line("Nothing happens."), rules)),) if rules else ()
        return (Item(with_rules(self._plain(s), rules)),)

    # ------------------------------------------------------------ blocks
    def _item(self, text: str, rules: tuple[str, ...], body: Sequence[n.Stmt], more: tuple[Item, ...] = ()) -> Item:
        return Item(with_rules(line(capital(text)), rules), (*more, *self.block(body)))

    def _if(self, s: n.If, rules: tuple[str, ...], word: str = "If") -> tuple[Item, ...]:
        first = self._item(f"{word} {condition(s.condition)}:", rules, s.then)
        if len(s.other) == 1 and isinstance(s.other[0], n.If) and not s.other[0].cites:
            return (first, *self._if(s.other[0], (), "Otherwise, if"))
        return (first, *self._else("Otherwise:", s.other))

    def _else(self, words: str, body: Sequence[n.Stmt] | None) -> tuple[Item, ...]:
        items = self.block(body or ())
        return (Item(line(words), items),) if items else ()

    def _match(self, s: n.Match, rules: tuple[str, ...]) -> tuple[Item, ...]:
        cases = tuple(Item(line(f"If it is {listed([phrase(v) for v in c.values], 'or')}:"), self.block(c.body)) for c in s.cases)
        return (Item(with_rules(line(f"It depends on {phrase(s.value)}:"), rules), (*cases, *self._else("Otherwise:", s.other))),)

    # ------------------------------------------------------------ decisions
    def _choose(self, s: n.Choose, rules: tuple[str, ...]) -> tuple[Item, ...]:
        pick = s.pick
        text = _choice(pick, s.optional)
        conditions = self._conditions(pick.conditions)
        if pick.chooser != "chance":
            self.decisions.append(Decision(text, tuple(template(c.text) for c in pick.conditions), rules))
        body = self.block(s.body)
        end = ":" if conditions or body else "."
        first = Item(with_rules(line(f"{text}{end}"), rules), (*conditions, *body))
        return (first, *self._else("If not:" if s.optional else "If there is nothing to choose:", s.other))

    def _menu(self, s: n.Menu, rules: tuple[str, ...]) -> tuple[Item, ...]:
        who = phrase(s.by)
        window = f" (or what “{name(s.window)}”{given(s.window_args)} lets {who} do)" if s.window is not None else ""
        text = f"{capital(who)} chooses one of these{window}"
        options = tuple(self._option(o) for o in s.options)
        self.decisions.append(Decision(text + ": " + listed([f"“{template(o.label)}”" for o in s.options], "or"), (), rules))
        return (Item(with_rules(line(f"{text}:"), rules), options), *self._else("If none is possible:", s.other))

    def _option(self, o: n.Option) -> Item:
        walked = f",{for_all(o.fors, o.condition)}" if o.fors else ""
        where = f", if {condition(o.condition)}" if o.condition is not None and not o.fors else ""
        conditions = self._conditions(o.conditions)
        ids, below = self.ids(o.cites), (*conditions, *self.block(o.body))
        return Item(with_rules(line(Run(f"“{template(o.label)}”", "strong"), f"{walked}{where}{':' if below else '.'}"), ids), below)

    def _conditions(self, conditions: Sequence[n.Condition]) -> tuple[Item, ...]:
        heads = [line("Only if ", Run(template(c.text), "em"), f": {condition(c.value)}.") for c in conditions]
        return tuple(Item(with_rules(head, self.ids(c.cites))) for head, c in zip(heads, conditions, strict=True))

    # ------------------------------------------------------------ one line
    def _plain(self, s: n.Stmt) -> Line:
        return line(capital(_words(s)))


def _amount(node: n.Expr | None) -> str:
    """A number before the name of what is counted."""
    words = phrase(node)
    return words if node is None or isinstance(node, (n.Int, n.Name)) else f"({words})"


def loop(variable: str, source: n.Expr, where: n.Expr | None) -> str:
    """What stands above what is done for each of several things."""
    if isinstance(source, n.Call) and isinstance(source.target, n.Name) and source.target.name == "turns":
        first = f", beginning with {phrase(source.args[0].value)}" if source.args else ""
        passed = f" (passed over unless {condition(where)})" if where is not None else ""
        return f"The players take turns{first}. Whose turn it is: {name(variable)}{passed}:"
    return f"For each {each(variable, source)}{f' where {condition(where)}' if where is not None else ''}:"


def _choice(pick: n.Pick, optional: bool) -> str:
    many = pick.how_many
    low, high = (_amount(many.low), _amount(many.high)) if many is not None else ("", "")
    amount = f"{low} " if low == high else f"{low or 'none'} to {high or 'all'} "
    amount = "" if many is None else amount if low or high else "any number of "
    what = f"{amount}{name(pick.name)} from {phrase(pick.source)}"
    where = f" where {condition(pick.where)}" if pick.where is not None else ""
    where += f" (those alike in {listed([name(m) for m in pick.merging])} are not told apart)" if pick.merging else ""
    such = f", together such that {condition(pick.such_that)}" if pick.such_that is not None else ""
    no = f", or “{pick.decline}”" if pick.decline is not None else ""
    label = f" (“{template(pick.label)}”{no})" if pick.label is not None else ""
    may = "may choose" if optional else "chooses"
    if pick.chooser == "chance":
        weight = f", weighed by {phrase(pick.by)}" if pick.by is not None else ""
        return f"Chance chooses {what}{where}{weight}"
    if pick.chooser == "every":
        who = f"each {each(pick.every or 'one', pick.by)}"
        return f"At the same time and in secret {who} {may} {what}{where}{such}{label}"
    return f"{capital(phrase(pick.by))} {may} {what}{where}{such}{label}"


def _words(s: n.Stmt) -> str:
    """A statement without a block."""
    match s:
        case n.Let():
            return f"let {name(s.name)} {'tell whether' if is_condition(s.value) else 'be'} {phrase(s.value)}."
        case n.Assign(op="="):
            unset = isinstance(s.value, n.NoneLit)
            becomes = "tells whether" if is_condition(s.value) else "becomes"
            return f"there is no {phrase(s.target).removeprefix('the ')} any more." if unset else f"{phrase(s.target)} {becomes} {phrase(s.value)}."
        case n.Assign():
            return f"{phrase(s.target)} {'rises' if s.op == '+=' else 'falls'} by {phrase(s.value)}."
        case n.CallStmt():
            return f"do {phrase(s.call)}."
        case n.Return():
            whether = "whether " if s.value is not None and is_condition(s.value) else ""
            return f"the answer: {whether}{phrase(s.value)}." if s.value is not None else "that is all."
        case n.Simple():
            return {"break": "stop repeating this.", "continue": "go on with the next."}.get(s.word, f"{s.word}.")
        case n.Move():
            place = {"top": ", on top", "bottom": ", at the bottom"}.get(s.place or "", "")
            what = phrase(s.what)
            return f"{what} {'go' if what.startswith('all ') else 'goes'} to {phrase(s.to)}{place}."
        case n.Draw():
            called = f" (called {name(s.name)})" if s.name is not None else ""
            if isinstance(s.count, n.Int):
                return f"draw {phrase(s.count)} from {phrase(s.source)} to {phrase(s.to)}{called}."
            return f"draw from {phrase(s.source)} to {phrase(s.to)}, as many as {phrase(s.count)}{called}."
        case n.Tell():
            who = f"tell {closed(s.to, phrase(s.to))}" if s.to is not None else "announce"
            return f"{who}: “{template(s.text)}”."
        case n.Open():
            return f"{phrase(s.to)} may react: “{name(s.window)}”{given(s.args)}."
        case n.Verb():
            return _verb(s)
        case n.Finish():
            return _finish(s)
    return s.span.text.split("\n")[0]


def _verb(s: n.Verb) -> str:
    words = [phrase(x) for x in s.operands]
    forms = {
        "shuffle": "shuffle {}.", "roll": "roll {}.", "swap": "{} and {} change places.", "add": "{} joins {}.", "remove": "{} leaves {}.",
        "show": "show {} to {}.", "reveal": "reveal {}.", "claim": "{} may say something.",
    }  # fmt: skip
    return forms.get(s.verb, s.verb + " {}").format(*words)


def _finish(s: n.Finish) -> str:
    grade = f" (“{template(s.grade)}”)" if s.grade is not None else ""
    if s.result == "rank" and s.value is not None:
        return f"the game is over, {_ranked(s.value)}{grade}."
    value = phrase(s.value)
    wins = "win" if value.startswith(SEVERAL) else "wins"
    forms = {
        "win": f"the game is over, {value} {wins}", "pay": f"the game is over, everybody gets: {value}",
        "lose": "the game is over, everybody loses", "draw": "the game is over, nobody wins", "drawn": "the game is over, nobody wins",
    }  # fmt: skip
    return forms.get(s.result, f"the game is over: {value}") + grade + "."


def _ranked(value: n.Expr) -> str:
    """Who is before whom: a list of numbers is compared from left to right, so that what follows the first only breaks ties."""
    key = value.value if isinstance(value, n.MapComp) else value.entries[0][1] if isinstance(value, n.MapLit) and value.entries else None
    if isinstance(value, n.MapComp) and isinstance(key, n.Unary) and key.op == "-":
        return f"whoever has the least wins: {closed(key.value, phrase(key.value))}{for_all(value.fors, value.condition)}"
    if isinstance(value, n.MapComp) and isinstance(key, n.ListLit) and len(key.items) > 1:
        return f"the highest wins, {by_words(key, LOWER['best'])},{for_all(value.fors, value.condition)}"
    several = isinstance(key, n.ListLit) and len(key.items) > 1
    return f"whoever has the most wins{' (of numbers in a row the first counts, the next where those before are equal)' * several}: {phrase(value)}"
