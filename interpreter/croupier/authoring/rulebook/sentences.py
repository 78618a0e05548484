"""Statements in words, as lists: a block below a statement is the list below its line.

Every sentence carries the ids of the rules that its statement cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from croupier.authoring.rulebook.actions import action, choice
from croupier.authoring.rulebook.blocks import Item, Run, line, with_rules
from croupier.authoring.rulebook.loops import for_all, loop
from croupier.authoring.rulebook.members import given
from croupier.authoring.rulebook.phrases import PLAIN, Phrases
from croupier.authoring.rulebook.vocabulary import capital, listed, name
from croupier.semantics.citations import spread
from croupier.syntax import nodes as n


@dataclass(frozen=True)
class Decision:
    """A decision for the list of all decisions: by which rule, who decides, what, under which conditions, with ids."""

    place: str
    text: str
    conditions: tuple[str, ...]
    rules: tuple[str, ...]


class Sentences:
    """Puts statements into words; collects the decisions on the way and the ids of rules in the order in which they are cited."""

    def __init__(self, say: Phrases = PLAIN) -> None:
        self.say = say
        self.place = ""  # of what is being told: the name of its rule
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
                return (self._item(loop(self.say, s.name, s.source, s.condition), rules, s.body),)
            case n.Repeat():
                until = f" until {self.say.condition(s.until)}" if s.until is not None else ""
                return (self._item(f"Again and again{until}:", rules, s.body),)
            case n.Match():
                return self._match(s, rules)
            case n.Choose():
                return self._choose(s, rules)
            case n.Menu():
                return self._menu(s, rules)
            case n.SoThat():
                first = self._item(f"Only what can still end so that {self.say.condition(s.condition)}:", rules, s.body)
                return (first, *self._else("If nothing can:", s.other))
            case n.Secretly():
                nobody = isinstance(s.player, n.ListLit) and not s.player.items
                return (self._item("Noticed by nobody:" if nobody else f"Noticed by nobody but {self.say.phrase(s.player)}:", rules, s.body),)
            case n.Simple(word="pass"):
                return (Item(with_rules(line("Nothing happens."), rules)),) if rules else ()
        return (Item(with_rules(line(capital(action(self.say, s))), rules)),)

    # ------------------------------------------------------------ blocks
    def _item(self, text: str, rules: tuple[str, ...], body: Sequence[n.Stmt], more: tuple[Item, ...] = ()) -> Item:
        return Item(with_rules(line(capital(text)), rules), (*more, *self.block(body)))

    def _if(self, s: n.If, rules: tuple[str, ...], word: str = "If") -> tuple[Item, ...]:
        first = self._item(f"{word} {self.say.condition(s.condition)}:", rules, s.then)
        if len(s.other) == 1 and isinstance(s.other[0], n.If) and not s.other[0].cites:
            return (first, *self._if(s.other[0], (), "Otherwise, if"))
        return (first, *self._else("Otherwise:", s.other))

    def _else(self, words: str, body: Sequence[n.Stmt] | None) -> tuple[Item, ...]:
        items = self.block(body or ())
        return (Item(line(words), items),) if items else ()

    def _match(self, s: n.Match, rules: tuple[str, ...]) -> tuple[Item, ...]:
        cases = tuple(Item(line(f"If it is {listed([self.say.phrase(v) for v in c.values], 'or')}:"), self.block(c.body)) for c in s.cases)
        return (Item(with_rules(line(f"It depends on {self.say.phrase(s.value)}:"), rules), (*cases, *self._else("Otherwise:", s.other))),)

    # ------------------------------------------------------------ decisions
    def _choose(self, s: n.Choose, rules: tuple[str, ...]) -> tuple[Item, ...]:
        pick = s.pick
        text = capital(choice(self.say, pick, s.optional))
        conditions = self._conditions(pick.conditions)
        if pick.chooser != "chance":
            self.decisions.append(Decision(self.place, text, tuple(self.say.template(c.text) for c in pick.conditions), rules))
        body = self.block(s.body)
        end = ":" if conditions or body else "."
        first = Item(with_rules(line(f"{text}{end}"), rules), (*conditions, *body))
        return (first, *self._else("If not:" if s.optional else "If there is nothing to choose:", s.other))

    def _menu(self, s: n.Menu, rules: tuple[str, ...]) -> tuple[Item, ...]:
        who = self.say.phrase(s.by)
        window = f" (or what “{name(s.window)}”{given(self.say, s.window_args)} lets {who} do)" if s.window is not None else ""
        text = f"{capital(who)} chooses one of these{window}"
        options = tuple(self._option(o) for o in s.options)
        self.decisions.append(Decision(self.place, text + ": " + listed([f"“{self.say.template(o.label)}”" for o in s.options], "or"), (), rules))
        return (Item(with_rules(line(f"{text}:"), rules), options), *self._else("If none is possible:", s.other))

    def _option(self, o: n.Option) -> Item:
        walked = f",{for_all(self.say, o.fors, o.condition, ordered=False)}" if o.fors else ""
        where = f", if {self.say.condition(o.condition)}" if o.condition is not None and not o.fors else ""
        conditions = self._conditions(o.conditions)
        ids, below = self.ids(o.cites), (*conditions, *self.block(o.body))
        return Item(with_rules(line(Run(f"“{self.say.template(o.label)}”", "strong"), f"{walked}{where}{':' if below else '.'}"), ids), below)

    def _conditions(self, conditions: Sequence[n.Condition]) -> tuple[Item, ...]:
        heads = [line("Only if ", Run(self.say.template(c.text), "em"), f": {self.say.condition(c.value)}.") for c in conditions]
        return tuple(Item(with_rules(head, self.ids(c.cites))) for head, c in zip(heads, conditions, strict=True))
