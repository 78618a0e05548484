"""The statements of rule text in words, one step a line.

These steps stand where no sentence of a rule list and no `doc` says it: who acts, what they choose from, in
the words of the options, what is moved, drawn, rolled, counted, and when it ends. Conditions and amounts stay
as they are written, as code, where they have no plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from croupier.authoring.rulebook.document import Line, ListItem, TextRun, line
from croupier.authoring.rulebook.vocabulary import current
from croupier.authoring.rulebook.wording import capital, code, gaps, joined, listed, name
from croupier.runtime.wording import plural
from croupier.syntax import nodes as n
from croupier.syntax.phrase_words import SHORT_NAME
from croupier.syntax.phrases import is_condition, phrase, walked_over

SHORT = 3  # words of an amount that stands before what it is added to
JOINTS = {"add": " to ", "remove": " from ", "swap": " with ", "show": " to "}
RESULTS = {"draw": "a draw", "lose": "everybody loses"}


def thing(x: n.Expr | None) -> TextRun:
    """Return a short expression in words, or as code if there are none: `hand[p]` is hand of p."""
    match x:
        case None:
            return TextRun("")
        case n.Template():
            return TextRun(gaps(x.raw))
    words = phrase(x, current())
    return code(x.span.text, x.span) if words is None else TextRun(words)


def place(x: n.Expr) -> TextRun:
    """Return the words for what is set or changed."""
    words = phrase(x, current(), is_place=True)
    return code(x.span.text, x.span) if words is None else TextRun(words)


def _first(x: n.Expr) -> TextRun:
    """A thing at the beginning of a sentence."""
    run = thing(x)
    if isinstance(x, n.Name) and len(x.name) <= SHORT_NAME:
        return TextRun(f"‹{x.name}›")
    return run if run.mark == "code" else TextRun(capital(run.text), run.mark)


def quoted(text: n.Template) -> str:
    """Words of the rules in quotes."""
    return f"“{gaps(text.raw)}”"


def steps(block: Iterable[n.Stmt], called: Mapping[str, str] | None = None) -> Iterator[ListItem]:
    """Yield the statements of a block in words, one after the other; what stands inside of one below it.

    What a `let` means is told if something told behind it names it. `called` is what lies in the zones, and
    the words for several things that were chosen from one, by name.
    """
    called = {} if called is None else dict(called)
    made: list[tuple[n.Stmt, list[ListItem]]] = []
    for s in block:
        made.append((s, list(_steps(s, called))))
        if isinstance(s, n.Choose) and (several := _several(s.pick, called)):
            called[s.pick.name] = f"these {several}"
    told: list[ListItem] = []
    for s, items in reversed(made):
        if isinstance(s, n.Let) and _names(told, s.name):
            begins = " is first " if s.mutable else " is "
            items = [ListItem(line(TextRun(name(s.name), "em"), begins, *_begun(s.value), "."))]
        told = [*items, *told]
    yield from told


def _begun(x: n.Expr) -> Line:
    """Return the words for what a name stands for."""
    if isinstance(x, n.ListLit):
        return line("a list of ", thing(x)) if x.items else line("empty")
    return line("whether " if is_condition(x, current()) else "", thing(x))


def _names(items: Iterable[ListItem], called: str) -> bool:
    """Tell whether anything told here names this, in words or in code."""
    word = re.compile(
        rf"(?<![\w.])(?:{re.escape(called)}|{re.escape(name(called))}|{re.escape(capital(name(called)))})(?!\w)"
    )
    return any(
        any(word.search(run.text) for run in item.line) or _names(item.items, called) for item in items
    )


def _several(pick: n.Pick, called: Mapping[str, str]) -> str:
    """The word for several things that are chosen from a zone; empty if it is one thing, or they come from
    elsewhere.
    """
    zone = pick.source.target if isinstance(pick.source, n.Index) else pick.source
    kind = called.get(zone.name, "") if isinstance(zone, n.Name) and pick.how_many is not None else ""
    one = pick.how_many is not None and pick.how_many.high is not None and pick.how_many.high.span.text == "1"
    return "" if one or not kind else plural(name(kind))


def _steps(statement: n.Stmt, called: Mapping[str, str]) -> Iterator[ListItem]:
    """Yield one statement in words."""
    inside = (
        tuple(steps(statement.body, called))
        if isinstance(statement, n.ForStmt | n.SoThat | n.Secretly)
        else ()
    )
    match statement:
        case n.ForStmt() | n.SoThat() | n.Secretly() if not inside:
            return
        case n.ForStmt():
            yield ListItem((*_each(statement), TextRun(":")), inside)
        case n.Repeat():
            head = (
                line("Again and again:")
                if statement.until is None
                else line("Until ", thing(statement.until), ":")
            )
            yield ListItem(head, tuple(steps(statement.body, called)))
        case n.If():
            yield from _branches(statement, "If ", called)
        case n.Match():
            cases = [
                ListItem(
                    (*joined([thing(x) for x in c.values], ", "), TextRun(":")), tuple(steps(c.body, called))
                )
                for c in statement.cases
            ]
            other = (
                [ListItem(line("otherwise:"), tuple(steps(statement.other, called)))]
                if statement.other
                else []
            )
            yield ListItem(line("By ", thing(statement.value), ":"), (*cases, *other))
        case n.Menu():
            yield ListItem(
                line(_player(statement.by), " chooses one:"),
                tuple(_option(o, called) for o in statement.leaves()),
            )
            yield from _without(statement.other, "If there is none", called)
        case n.Choose():
            yield _choice(statement, called)
            yield from _without(
                statement.other,
                "Otherwise" if statement.optional else "If there is nothing to choose",
                called,
            )
        case n.SoThat():
            yield ListItem(line("So that ", thing(statement.condition), ":"), inside)
        case n.Secretly():
            yield ListItem(line("Seen by ", thing(statement.player), " alone:"), inside)
        case _:
            words = getattr(statement, "words", None)
            done = _done(statement, called) if words is None else _in_own_words(words)
            if done:
                yield ListItem(done)


def _in_own_words(words: n.Template) -> Line | None:
    """The sentence that a statement brings along; `None` if it is empty."""
    return line(f"{capital(gaps(words.raw))}.") if words.raw else None


def _without(other: n.Block | None, words: str, called: Mapping[str, str]) -> Iterator[ListItem]:
    """Yield what happens if nothing is chosen."""
    inside = tuple(steps(other or (), called))
    if inside:
        yield ListItem(line(f"{words}:"), inside)


def at_any_time(item: n.AnyTime) -> ListItem:
    """Return what players may do at each of their decisions."""
    where = () if item.condition is None else (", if ", thing(item.condition))
    options = tuple(_option(o, {}) for o in n.leaves(item.options))
    return ListItem(
        line(
            f"Whenever ‹{name(item.player)}› decides something",
            *where,
            ", they may first, as often as they like:",
        ),
        options,
    )


MOMENTS = {"before": "Before", "after": "After", "instead": "Instead of", "adjust": "The value of"}


def told_hook(item: n.Hook) -> ListItem:
    """Return when a hook acts, and what it does."""
    moment = MOMENTS.get(item.kind, "As a reaction to")
    inside = joined([thing(arg.value) for arg in item.pattern.args], ", ")
    called = line(
        f"{moment} “{name(item.pattern.name)}”", " (" if inside else "", *inside, ")" if inside else ""
    )
    where = () if item.guard is None else line(", if ", thing(item.guard))
    return ListItem((*called, *where, TextRun(":")), tuple(steps(item.body)))


def _each(statement: n.ForStmt) -> Line:
    where = () if statement.condition is None else (", where ", thing(statement.condition))
    if re.match(r"(turns|seats)\b|players\b", statement.source.span.text):
        if statement.at_once:
            order = "All at once, each player"
        elif statement.source.span.text.startswith("turns"):
            order = "In turn, each player"
        else:
            order = "Each player"
        return line(order, f" (‹{name(statement.name)}›)", *where)
    order = "All at once, for each " if statement.at_once else "For each "
    walked = walked_over(n.For(statement.span, statement.name, statement.source), current())
    return line(order, *_walked(statement, walked), *where)


def _walked(statement: n.ForStmt, words: str | None) -> tuple[str | TextRun, ...]:
    """What a loop walks over, in its words if it has some."""
    return (f"{name(statement.name)} of ", thing(statement.source)) if words is None else (words,)


def _branches(statement: n.If, word: str, called: Mapping[str, str]) -> Iterator[ListItem]:
    then = tuple(steps(statement.then, called))
    further = (
        statement.other[0] if len(statement.other) == 1 and isinstance(statement.other[0], n.If) else None
    )
    other = list(
        _branches(further, "Otherwise, if ", called)
        if further is not None
        else steps(statement.other, called)
    )
    if not then and not other:
        return
    if not then and further is None:
        yield ListItem(
            line(word.replace("if ", "unless ").replace("If ", "Unless "), thing(statement.condition), ":"),
            tuple(other),
        )
        return
    head = line(word, thing(statement.condition))
    if len(then) == 1 and then[0].line == NOTHING_MORE:
        yield ListItem((*head, TextRun(", nothing more happens here.")))
    else:
        yield ListItem((*head, TextRun(":" if then else ", go on.")), then)
    if further is not None:
        yield from other
    elif other:
        yield ListItem(line("Otherwise:"), tuple(other))


def _player(x: n.Expr) -> TextRun:
    return TextRun(f"‹{name(x.name)}›") if isinstance(x, n.Name) else thing(x)


def _only_if(conditions: Iterable[n.Condition]) -> str:
    """Under which conditions something may be chosen, by their words."""
    said = [gaps(c.text.raw) for c in conditions]
    return f", only if {listed(said)}" if said else ""


def _option(o: n.Option, called: Mapping[str, str]) -> ListItem:
    where = () if o.condition is None else (" if ", thing(o.condition))
    body = tuple(steps(o.body, called))
    return ListItem(line(quoted(o.label), *where, f"{_only_if(o.conditions)}{':' if body else '.'}"), body)


def _choice(statement: n.Choose, called: Mapping[str, str]) -> ListItem:
    pick = statement.pick
    by = TextRun("Chance") if pick.chooser == "chance" or pick.by is None else _player(pick.by)
    if pick.every is not None:
        if isinstance(pick.by, n.Name) and pick.by.name == "players":
            who = line("All at once, each player")
        else:
            who = line("All at once, each of ", by if pick.by is None else thing(pick.by))
    else:
        who = line(by)
    numbers = () if pick.how_many is None else (pick.how_many.low, pick.how_many.high)
    many = (
        ""
        if pick.how_many is None
        else f"{' to '.join(dict.fromkeys(x.span.text for x in numbers if x)) or 'any'} "
    )
    where = () if pick.where is None else (" where ", thing(pick.where))
    words = ""
    if pick.label is not None:
        words = f": {quoted(pick.label)}"
        if pick.decline:
            words += f", or “{gaps(pick.decline)}”"
    several = _several(pick, called)
    inside = {**called, pick.name: f"these {several}"} if several else called
    head = line(
        *who,
        " may choose " if statement.optional else " chooses ",
        f"{many}{several or name(pick.name)} from ",
        thing(pick.source),
        *where,
    )
    return ListItem(
        (*head, TextRun(f"{_only_if(pick.conditions)}{words}.")), tuple(steps(statement.body, inside))
    )


NOTHING_MORE = line("Nothing more happens here.")


def _done(statement: n.Stmt, called: Mapping[str, str]) -> Line | None:
    """Return the words for a statement that has none of its own; `None` if it only keeps a name."""
    match statement:
        case n.Move(what=n.Name(name=moved)) if moved in called and called[moved].startswith("these "):
            return line(capital(called[moved]), " go to ", thing(statement.to), ".")
        case n.Move():
            return line(_first(statement.what), " goes to ", thing(statement.to), ".")
        case n.Draw():
            return line(
                "Draw ",
                thing(statement.count),
                " from ",
                thing(statement.source),
                " to ",
                thing(statement.to),
                ".",
            )
        case n.Verb():
            return (
                TextRun(f"{capital(name(statement.verb))} "),
                *joined([thing(x) for x in statement.operands], JOINTS.get(statement.verb, ", ")),
                TextRun("."),
            )
        case n.Tell():
            told = f"{quoted(statement.text)}."
            return (
                line("It is announced: ", told)
                if statement.to is None
                else line(thing(statement.to), " is told: ", told)
            )
        case n.Finish():
            return finish_words(statement)
        case n.Assign():
            verb, to = {"=": ("Set ", " to "), "+=": ("Add ", " to "), "-=": ("Take ", " from ")}[
                statement.op
            ]
            if statement.op == "=":
                return line(
                    verb,
                    place(statement.target),
                    to,
                    "whether " if is_condition(statement.value, current()) else "",
                    thing(statement.value),
                    ".",
                )
            amount = thing(statement.value)
            if len(amount.text.split()) > SHORT:
                return line(f"{verb.rstrip()}{to}", place(statement.target), " ", amount, ".")
            return line(verb, amount, to, place(statement.target), ".")
        case n.CallStmt():
            return line(_first(statement.call), ".")
        case n.Return(value=n.Expr() as value):
            return line("It holds if " if is_condition(value, current()) else "It is ", thing(value), ".")
        case n.Return():
            return NOTHING_MORE
        case n.Simple(word="break"):
            return line("Stop here.")
        case n.Simple(word="continue"):
            return line("Go on with the next.")
    return None


def finish_words(statement: n.Finish) -> Line:
    """Return the words for an end of the game."""
    value, grade = statement.value, "" if statement.grade is None else f" ({quoted(statement.grade)})"
    if statement.result == "win":
        return line("The game is over; ", thing(value), f" wins{grade}.")
    if statement.result in RESULTS or value is None:
        return line(f"The game is over: {RESULTS.get(statement.result, statement.result)}{grade}.")
    keys = value.value if isinstance(value, n.MapComp) else value
    first, *more = keys.items if isinstance(keys, n.ListLit) else (keys,)
    ties = line("; a tie is broken by ", *joined([thing(x) for x in more], ", then ")) if more else ()
    return (*line("The game is over; who has the most wins: ", thing(first)), *ties, TextRun(f"{grade}."))
