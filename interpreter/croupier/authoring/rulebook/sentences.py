"""Statements in words, as lists: a block below a statement is the list below its line.

Every sentence carries the ids of the rules that its statement cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from croupier.authoring.rulebook.blocks import Item, Line, Run, line, with_rules
from croupier.authoring.rulebook.phrases import capital, each, is_condition, listed, name, phrase, template
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
                return (self._item(self._for(s), rules, s.body),)
            case n.Repeat():
                until = f" until {phrase(s.until)}" if s.until is not None else ""
                return (self._item(f"Again and again{until}:", rules, s.body),)
            case n.Match():
                return self._match(s, rules)
            case n.Choose():
                return self._choose(s, rules)
            case n.Menu():
                return self._menu(s, rules)
            case n.SoThat():
                first = self._item(f"Only what can still end so that {phrase(s.condition)}:", rules, s.body)
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
        first = self._item(f"{word} {phrase(s.condition)}:", rules, s.then)
        if len(s.other) == 1 and isinstance(s.other[0], n.If) and not s.other[0].cites:
            return (first, *self._if(s.other[0], (), "Otherwise, if"))
        return (first, *self._else("Otherwise:", s.other))

    def _else(self, words: str, body: Sequence[n.Stmt] | None) -> tuple[Item, ...]:
        items = self.block(body or ())
        return (Item(line(words), items),) if items else ()

    def _for(self, s: n.ForStmt) -> str:
        where = f" if {phrase(s.condition)}" if s.condition is not None else ""
        if isinstance(s.source, n.Call) and isinstance(s.source.target, n.Name) and s.source.target.name == "turns":
            first = f", beginning with {phrase(s.source.args[0].value)}" if s.source.args else ""
            return f"The players take turns{first}{where}. Whose turn it is: {name(s.name)}:"
        return f"For each {each(s.name, s.source)}{where}:"

    def _match(self, s: n.Match, rules: tuple[str, ...]) -> tuple[Item, ...]:
        cases = tuple(Item(line(f"{capital(listed([phrase(v) for v in c.values], 'or'))}:"), self.block(c.body)) for c in s.cases)
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
        window = f" (or what “{name(s.window)}” lets {who} do)" if s.window is not None else ""
        text = f"{capital(who)} chooses one of these{window}"
        options = tuple(self._option(o) for o in s.options)
        self.decisions.append(Decision(text + ": " + listed([f"“{template(o.label)}”" for o in s.options], "or"), (), rules))
        return (Item(with_rules(line(f"{text}:"), rules), options), *self._else("If none is possible:", s.other))

    def _option(self, o: n.Option) -> Item:
        walked = "".join(f", for each {each(f.name, f.source)}" for f in o.fors)
        where = f", if {phrase(o.condition)}" if o.condition is not None else ""
        conditions = self._conditions(o.conditions)
        head = line(Run(f"“{template(o.label)}”", "strong"), f"{walked}{where}:")
        return Item(with_rules(head, self.ids(o.cites)), (*conditions, *self.block(o.body)))

    def _conditions(self, conditions: Sequence[n.Condition]) -> tuple[Item, ...]:
        heads = [line("Only if ", Run(template(c.text), "em"), f": {phrase(c.value)}.") for c in conditions]
        return tuple(Item(with_rules(head, self.ids(c.cites))) for head, c in zip(heads, conditions, strict=True))

    # ------------------------------------------------------------ one line
    def _plain(self, s: n.Stmt) -> Line:
        return line(capital(_words(s)))


def _choice(pick: n.Pick, optional: bool) -> str:
    many = pick.how_many
    low, high = (phrase(many.low), phrase(many.high)) if many is not None else ("", "")
    amount = f"{low} " if low == high else f"{low or 'none'} to {high or 'all'} "
    amount = "" if many is None else amount if low or high else "any number of "
    what = f"{amount}{name(pick.name)} from {phrase(pick.source)}"
    where = f" where {phrase(pick.where)}" if pick.where is not None else ""
    such = f", together such that {phrase(pick.such_that)}" if pick.such_that is not None else ""
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
            return f"{name(s.name)} {'tells whether' if is_condition(s.value) else 'is'} {phrase(s.value)}."
        case n.Assign(op="="):
            unset = isinstance(s.value, n.NoneLit)
            becomes = "tells whether" if is_condition(s.value) else "becomes"
            return f"there is no {phrase(s.target)} any more." if unset else f"{phrase(s.target)} {becomes} {phrase(s.value)}."
        case n.Assign():
            return f"{phrase(s.target)} {'rises' if s.op == '+=' else 'falls'} by {phrase(s.value)}."
        case n.CallStmt():
            return f"do {phrase(s.call)}."
        case n.Return():
            whether = "whether " if s.value is not None and is_condition(s.value) else ""
            return f"the answer: {whether}{phrase(s.value)}." if s.value is not None else "that is all."
        case n.Simple():
            return {"break": "no further ones.", "continue": "go on with the next."}.get(s.word, f"{s.word}.")
        case n.Move():
            place = {"top": ", on top", "bottom": ", at the bottom"}.get(s.place or "", "")
            what = phrase(s.what)
            return f"{what} {'go' if what.startswith('all ') else 'goes'} to {phrase(s.to)}{place}."
        case n.Draw():
            called = f" (called {name(s.name)})" if s.name is not None else ""
            return f"draw {phrase(s.count)} from {phrase(s.source)} to {phrase(s.to)}{called}."
        case n.Tell():
            who = f"tell {phrase(s.to)}" if s.to is not None else "announce"
            return f"{who}: “{template(s.text)}”."
        case n.Open():
            return f"{phrase(s.to)} may react: “{name(s.window)}”."
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


def _ranked(node: n.Expr | None) -> str:
    """What decides: of a list the first, and where that is the same for several players the next."""
    if not isinstance(node, n.MapComp) or not isinstance(node.value, n.ListLit) or len(node.value.items) < 2:
        return phrase(node)
    first, *others = (phrase(replace(node, value=key)) if key is node.value.items[0] else phrase(key) for key in node.value.items)
    return first + "".join(f"; where that is the same, {key}" for key in others)


def _finish(s: n.Finish) -> str:
    grade = f" (“{template(s.grade)}”)" if s.grade is not None else ""
    value = _ranked(s.value) if s.result == "rank" else phrase(s.value)
    wins = "win" if value.startswith(SEVERAL) else "wins"
    forms = {
        "win": f"the game is over, {value} {wins}", "rank": f"the game is over, whoever has the most wins: {value}",
        "pay": f"the game is over, everybody gets: {value}", "lose": "the game is over, everybody loses", "draw": "the game is over, nobody wins",
        "drawn": "the game is over, nobody wins",
    }  # fmt: skip
    return forms.get(s.result, f"the game is over: {value}") + grade + "."
