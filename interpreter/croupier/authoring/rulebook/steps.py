"""The statements of rule text in words, one step a line.

These steps stand where no sentence of a rule list says it: who acts, what they choose from, in the words of
the options, what is moved, drawn, rolled, counted. The words that a statement brings along (`as`) stand in
front of what it does and never instead of it. Each step names the place of the statement that it tells. The
end of the game has a section of its own (`ends.py`), to which a step refers.

Conditions and amounts stay as they are written, as code, where they have no plain words.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from croupier.authoring.rulebook.clauses import only_names
from croupier.authoring.rulebook.document import Line, ListItem, Telling, TextRun, line
from croupier.authoring.rulebook.vocabulary import current
from croupier.authoring.rulebook.wording import capital, code, gaps, joined, listed, name
from croupier.diagnostics import Span
from croupier.runtime.wording import plural
from croupier.semantics.narrowing import facts_of
from croupier.source.statement_words import VERB_ROWS
from croupier.syntax import nodes as n
from croupier.syntax.phrase_words import SHORT_NAME, VERBS
from croupier.syntax.phrases import is_condition, phrase, walked_over

END = "The end of the game"  # the title of the section that tells when the game is over
MANY_CONDITIONS = 3  # of a choice, which stand one below the other
SHORT = 3  # words of an amount that stands before what it is added to
RESULTS = {"draw": "a draw", "lose": "everybody loses"}
PLACES = {"top": ", on top", "bottom": ", at the bottom"}


@dataclass(frozen=True, slots=True)
class Known:
    """What the steps of a text depend on."""

    # what lies in the zones, and the words for several things that were chosen from one, by name
    called: Mapping[str, str] = field(default_factory=dict)
    acting: Container[str] = ()  # the definitions that change or decide something
    covered: Container[Span] = ()  # the statements and options that the sentences of rules tell
    is_end: bool = False  # does the text stand in the section on the end of the game?
    is_procedure: bool = False  # is it of a definition that does something and may have a result?

    def and_called(self, more: Mapping[str, str]) -> Known:
        """The same, with further words for names."""
        return replace(self, called={**self.called, **more})


NOTHING_KNOWN = Known()


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


def steps(block: Iterable[n.Stmt], known: Known = NOTHING_KNOWN) -> Iterator[ListItem]:
    """Yield the statements of a block in words, one after the other; what stands inside of one below it.

    What the sentences of rules tell is left out. What a `let` means is told if something told behind it names
    it, or if it does something.
    """
    made: list[tuple[n.Stmt, list[ListItem]]] = []
    for s in block:
        if s.span in known.covered:
            continue
        made.append((s, list(_steps(s, known))))
        if isinstance(s, n.Choose) and (several := _several(s.pick, known.called)):
            known = known.and_called({s.pick.name: f"these {several}"})
    told: list[ListItem] = []
    for s, items in reversed(made):
        if isinstance(s, n.Let) and only_names(s, known.acting) and _names(told, s.name):
            items = [_meaning(s)]
        if isinstance(s, n.Draw) and s.name is not None and items and _names(told, s.name):
            items[0] = replace(items[0], line=(*items[0].line[:-1], TextRun(f"; call these {name(s.name)}.")))
        refers = isinstance(s, n.Finish) and not known.is_end
        told = [*(items if refers else _telling(s.span, items)), *told]
    yield from told


def _meaning(s: n.Let) -> ListItem:
    """What a name stands for; of a condition, when it holds."""
    is_truth = s.name.partition("_")[0] in VERBS and "_" in s.name and is_condition(s.value, current())
    if is_truth and not s.mutable:
        return ListItem(line(TextRun(name(s.name), "em"), " holds if ", thing(s.value), "."))
    verb = " is first " if s.mutable else " is "
    return ListItem(line(TextRun(name(s.name), "em"), verb, *_begun(s.value), "."))


def _telling(span: Span, items: Iterable[ListItem]) -> Iterator[ListItem]:
    """Yield the items that tell of a statement, of which the first owns it."""
    for number, item in enumerate(items):
        yield item if number else replace(item, tells=(Telling(span, "step"), *item.tells))


def uncovered_only(item: ListItem, known: Known) -> ListItem:
    """An item that no longer says to tell what the sentences of rules tell."""
    tells = tuple(told for told in item.tells if told.span not in known.covered)
    return replace(item, items=tuple(uncovered_only(one, known) for one in item.items), tells=tells)


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


def _steps(statement: n.Stmt, known: Known) -> Iterator[ListItem]:
    """Yield one statement in words."""
    facts = facts_of(statement)
    has_one_block = facts is not None and (facts.loops or facts.once)
    inside = tuple(steps(statement.blocks()[0], known)) if has_one_block else ()
    if has_one_block and not inside:
        return
    match statement:
        case n.ForStmt():
            yield ListItem((*_each(statement), TextRun(":")), inside)
        case n.Repeat():
            head = (
                line("Again and again:")
                if statement.until is None
                else line("Until ", thing(statement.until), ":")
            )
            yield ListItem(head, inside)
        case n.If():
            yield from _branches(statement, "If ", known)
        case n.Match():
            cases = [
                ListItem((*joined([thing(x) for x in c.values], ", "), TextRun(":")), inner)
                for c in statement.cases
                if (inner := tuple(steps(c.body, known)))
            ]
            if inner := tuple(steps(statement.other or (), known)):
                cases.append(ListItem(line("otherwise:"), inner))
            if cases:
                yield ListItem(line("By ", thing(statement.value), ":"), tuple(cases))
        case n.Menu():
            yield from _menu(statement, known)
        case n.Choose():
            yield _choice(statement, known)
            yield from _without(
                statement.other,
                "Otherwise" if statement.optional else "If there is nothing to choose",
                known,
            )
        case n.SoThat():
            most = f", within {statement.within} decisions" if statement.within is not None else ""
            if inside := tuple(steps(statement.body, known)):
                yield ListItem(line("So that ", thing(statement.condition), f"{most}:"), inside)
            yield from _without(statement.other, "If that cannot be", known)
        case n.Secretly():
            is_nobody = isinstance(statement.player, n.ListLit) and not statement.player.items
            seers = ("Seen by nobody",) if is_nobody else ("Seen by ", thing(statement.player), " alone")
            yield ListItem(line(*seers, ":"), inside)
        case n.ForSeconds():
            yield ListItem(_timed(statement), inside)
        case _:
            done = _done(statement, known)
            if done:
                yield ListItem(_in_own_words(getattr(statement, "words", None), done))


def _timed(statement: n.ForSeconds) -> Line:
    """The head of a block that takes its time, and what is chosen for whoever lets it pass."""
    seconds = statement.seconds
    unit = " second" if seconds.span.text == "1" else " seconds"
    if seconds.span.text.endswith("seconds"):
        unit = ""
    chosen = {
        "first": "; whoever has not decided by then takes the first that is offered",
        "random": "; whoever has not decided by then takes anything that is offered, by chance",
    }
    return line(
        "For ", thing(seconds), f"{unit}, whoever acts", chosen.get(statement.otherwise or "", ""), ":"
    )


def _menu(statement: n.Menu, known: Known) -> Iterator[ListItem]:
    """Yield a menu: who chooses, the options that no sentence tells, and what happens if there is none."""
    options = tuple(offered(statement.options, known))
    reactions: Line = ()
    if statement.window is not None:
        reactions = line(", or reacts to ", *window_words(statement.window, statement.window_args))
    if options or reactions:
        yield ListItem(line(_player(statement.by), " chooses one", *reactions, ":"), options)
    yield from _without(statement.other, "If there is none", known)


def window_words(window: str, args: Iterable[n.Arg]) -> Line:
    """The name of a window or definition in quotes, with its arguments."""
    inside = joined([_argument(arg) for arg in args], ", ")
    return line(f"“{name(window)}”", *(line(" (", *inside, ")") if inside else ()))


def _argument(arg: n.Arg) -> Line:
    """An argument of a call or of the pattern of a hook; `_` stands for any."""
    if isinstance(arg.value, n.Name) and arg.value.name == "_":
        return line("any")
    return line("" if arg.name is None else f"{name(arg.name)}: ", thing(arg.value))


def offered(options: Iterable[n.Option | n.OptionGroup], known: Known) -> Iterator[ListItem]:
    """Yield the options of a menu that no sentence tells; those of a group below what they share."""
    for one in options:
        if isinstance(one, n.OptionGroup):
            yield from _group(one, known)
        elif one.span not in known.covered:
            yield _option(one, known)


def _group(group: n.OptionGroup, known: Known) -> Iterator[ListItem]:
    """Yield the options of a group, below what they are offered for, and under which conditions."""
    options = tuple(offered(group.options, known))
    lets = tuple(
        ListItem(line(TextRun(name(let.name), "em"), " is ", *_begun(let.value), "."))
        for let in group.lets
        if _names(options, let.name)
    )
    shared = (
        *_for_each(group.fors),
        *(() if group.condition is None else (", if ", thing(group.condition))),
        f"{_only_if(group.conditions)}{_preferred(group.priorities)}",
    )
    words = "".join(part if isinstance(part, str) else part.text for part in shared)
    if options and (words or lets):
        first = line(*shared) if words else line("These")
        yield ListItem((*_capital(_without_comma(first)), TextRun(":")), (*lets, *options))
    else:
        yield from options


def _for_each(fors: Iterable[n.For]) -> Iterator[str | TextRun]:
    """Yield the words for what an option is offered: “, for each c of hand of p”."""
    for walk in fors:
        yield from (f", for each {name(walk.name)} of ", thing(walk.source))
        if walk.condition is not None:
            yield from (", where ", thing(walk.condition))


def _without_comma(words: Line) -> Line:
    """A line without the comma that it begins with."""
    first, *rest = words
    return (replace(first, text=first.text.removeprefix(", ")), *rest)


def _capital(words: Line) -> Line:
    """A line as the beginning of a sentence."""
    first, *rest = words
    return (first if first.mark == "code" else replace(first, text=capital(first.text)), *rest)


def _lowered(words: Line) -> Line:
    """A sentence as the end of another one."""
    first, *rest = words
    is_word = first.mark != "code" and first.text[1:2] == first.text[1:2].lower()
    return (replace(first, text=first.text[:1].lower() + first.text[1:]) if is_word else first, *rest)


def _in_own_words(words: n.Template | None, done: Line) -> Line:
    """What a statement does, behind the words that it brings along."""
    if words is None or not words.raw:
        return done
    return line(f"{capital(gaps(words.raw))}: ", *_lowered(done))


def _without(other: n.Block | None, words: str, known: Known) -> Iterator[ListItem]:
    """Yield what happens if nothing is chosen."""
    inside = tuple(steps(other or (), known))
    if inside:
        yield ListItem(line(f"{words}:"), inside)


def at_any_time(item: n.AnyTime, known: Known) -> ListItem:
    """Return what players may do at each of their decisions."""
    where = () if item.condition is None else (", if ", thing(item.condition))
    options = tuple(offered(item.options, known))
    return ListItem(
        line(
            f"Whenever ‹{name(item.player)}› decides something",
            *where,
            ", they may first, as often as they like:",
        ),
        options,
    )


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


def _branches(statement: n.If, word: str, known: Known) -> Iterator[ListItem]:
    then = tuple(steps(statement.then, known))
    further = (
        statement.other[0] if len(statement.other) == 1 and isinstance(statement.other[0], n.If) else None
    )
    if further is not None and further.span in known.covered:
        further = None
    other = list(
        _telling(further.span, _branches(further, "Otherwise, if ", known))
        if further is not None
        else steps(statement.other, known)
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
        yield ListItem((*head, TextRun(", nothing more happens here.")), tells=then[0].tells)
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
    said = [_condition(c) for c in conditions]
    return f", only if {listed(said)}" if said else ""


def _condition(c: n.Condition) -> str:
    """A condition in its own words."""
    return f"{gaps(c.text.raw)}{', where that is possible' if c.possible else ''}"


def _preferred(priorities: Iterable[n.Priority]) -> str:
    """The words for options that leave no others, where they are possible."""
    said = [quoted(p.text) for p in priorities]
    return f", and then nothing else ({listed(said)})" if said else ""


def _option(o: n.Option, known: Known) -> ListItem:
    where = () if o.condition is None else (" if ", thing(o.condition))
    body = tuple(steps(o.body, known))
    end = f"{_only_if(o.conditions)}{_preferred(o.priorities)}{':' if body else '.'}"
    head = line(quoted(o.label), *_for_each(o.fors), *where, end)
    return ListItem(head, body, tells=(Telling(o.span, "step"),))


def _choice(statement: n.Choose, known: Known) -> ListItem:
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
    words = ""
    if pick.label is not None:
        words = f": “{gaps(_fields(pick.label.raw, pick.name))}”"
        if pick.decline:
            words += f", or “{gaps(pick.decline)}”"
    several = _several(pick, known.called)
    inside = known.and_called({pick.name: f"these {several}"}) if several else known
    head = line(
        *who,
        " may choose " if statement.optional else " chooses ",
        f"{many}{several or name(pick.name)} from ",
        thing(pick.source),
        *_terms(pick),
    )
    body = tuple(steps(statement.body, inside))
    if len(pick.conditions) < MANY_CONDITIONS:
        return ListItem((*head, TextRun(f"{_only_if(pick.conditions)}{words}.")), body)
    terms = tuple(ListItem(line(f"{_condition(c)};")) for c in pick.conditions)
    terms = (*terms[:-1], ListItem(line(f"{_condition(pick.conditions[-1])}.")))
    return ListItem((*head, TextRun(f"{words}, only if:")), (*terms, *body))


def _fields(label: str, chosen: str) -> str:
    """A label in which the parts of what is chosen stand alone: `{m.from}` is `{from}`."""
    return re.sub(rf"\{{{re.escape(chosen)}\.(\w+)\}}", r"{\1}", label)


def _terms(pick: n.Pick) -> Iterator[str | TextRun]:
    """Yield the words for what is chosen: which things, all of them together, and how."""
    if pick.where is not None:
        yield from (" where ", thing(pick.where))
    if pick.such_that is not None:
        yield from (", such that ", thing(pick.such_that))
    if pick.chooser == "chance" and pick.by is not None:
        yield from (", weighed by ", thing(pick.by))
    if pick.unseen is not None:
        yield ", without seeing it"


NOTHING_MORE = line("Nothing more happens here.")


def _done(statement: n.Stmt, known: Known) -> Line | None:
    """Return the words for what a statement does; `None` if it only keeps a name."""
    called = known.called
    match statement:
        case n.Let(value=n.Call() as value) if not only_names(statement, known.acting):
            return line(_first(value), f"; the result is {name(statement.name)}.")
        case n.Move():
            moved = called.get(statement.what.name, "") if isinstance(statement.what, n.Name) else ""
            if moved.startswith("these "):
                what = line(capital(moved), " go to ")
            else:
                what = line(_first(statement.what), " goes to ")
            return line(*what, thing(statement.to), *_laid(statement), ".")
        case n.Open():
            window = window_words(statement.window, statement.args)
            return line("Now reactions to ", *window, " may be played, by ", thing(statement.to), ".")
        case n.Draw():
            return line(
                "Draw ",
                thing(statement.count),
                " from ",
                "" if statement.bottom is None else "the bottom of ",
                thing(statement.source),
                " to ",
                thing(statement.to),
                ".",
            )
        case n.Verb():
            return (
                TextRun(f"{capital(name(statement.verb))} "),
                *_operands(statement),
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
            if known.is_end:
                return finish_words(statement)
            grade = "" if statement.grade is None else f"{quoted(statement.grade)}; "
            return line(f"The game is over ({grade}see “{END}”).")
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
        case n.CallStmt(call=n.Call(target=n.Name(name="original"), args=args)):
            inside = joined([_argument(arg) for arg in args], ", ")
            return line("It happens nevertheless", *(line(", with ", *inside) if inside else ()), ".")
        case n.CallStmt():
            return line(_first(statement.call), ".")
        case n.Return(value=n.Expr() as value):
            if known.is_procedure:
                return line("The result is ", *_begun(value), ".")
            return line("It holds if " if is_condition(value, current()) else "It is ", thing(value), ".")
        case n.Return():
            return NOTHING_MORE
        case n.Simple(word="break"):
            return line("Stop here.")
        case n.Simple(word="continue"):
            return line("Go on with the next.")
    return None


def _operands(statement: n.Verb) -> Iterator[TextRun]:
    """Yield the words for the operands of a verb, with the words of the language between them."""
    first, *others = [thing(x) for x in statement.operands]
    yield first
    for joint, operand in zip(VERB_ROWS[statement.verb].joints, others, strict=False):
        yield from (TextRun(f" {joint} "), operand)


def _laid(statement: n.Move) -> Iterator[str | TextRun]:
    """Yield the words for where in a zone something is laid, and how it is marked."""
    if statement.place is not None:
        yield PLACES.get(statement.place, f", {name(statement.place)}")
    for mark, _, value in statement.marks:
        yield from (f", with {name(mark)} ", thing(value))


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
