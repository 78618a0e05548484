"""Expressions of the rules in words, for players: `points[p] > 3` is “points of p is more than 3”.

What comes in is an expression and perhaps a vocabulary: what the names of a ruleset mean. What goes out is a
phrase. An expression gives `None` if it would be longer than a line, or holds something that has no words
here: then its definition needs a `doc`, or the statement words of its own. The words of the language's own
names stand in `phrase_words.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from croupier.diagnostics import Source
from croupier.records import dataclass
from croupier.source import whole
from croupier.syntax import nodes as n
from croupier.syntax import phrase_words as words
from croupier.syntax.parser import parse_expression

MAX_LENGTH = 240  # characters
NOT_SO = "it is not so that"
ARITHMETIC = ("+", "-", "*", "//", "mod")
_NOUN = re.compile(rf"(occupied )?({'|'.join(words.NOUNS)})(?= \w{{1,{words.SHORT_NAME}}}\b)")
_DEFINITE = re.compile(r"(?:the|a|an|each|every|how many|how much|what|who) ")
_CLAUSE_END = re.compile(r"[,.;:?!]")
# the first verb of a sentence, which takes the “not”
_VERB = re.compile(r"(?<![\w‹“])(is|are|may|can|must|was|were)\b(?! not)")


@dataclass(frozen=True)
class CallWords:
    """The words for a call: the names of parameters, in back-ticks in the words, stand for the arguments."""

    params: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Vocabulary:
    """What the names of a ruleset mean in words."""

    # of definitions that give a value, of procedures and of records; `None` where there is no more than
    # the name
    values: Mapping[str, CallWords | None]
    # of definitions that give yes or no
    truths: Mapping[str, CallWords | None]
    boards: frozenset[str]
    # state that is yes or no, by how many keys each value has
    flags: Mapping[str, int]
    traits: frozenset[str]  # attributes and fields that are yes or no
    names: Mapping[str, str]  # words for some names in place of the names themselves


NO_VOCABULARY = Vocabulary({}, {}, frozenset(), {}, frozenset(), {})


class _NoWordsError(Exception):
    """The expression has no plain words."""


def phrase(x: n.Expr, vocabulary: Vocabulary = NO_VOCABULARY, *, is_place: bool = False) -> str | None:
    """A value or a condition in words; `None` if it has no plain words.

    Of a place (`is_place`) its name is told, never whether what it holds is so.
    """
    try:
        text = Phraser(vocabulary).place(x) if is_place else Phraser(vocabulary).phrase(x)
    except _NoWordsError:
        return None
    return text if len(text) <= MAX_LENGTH else None


def phrase_of(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> str | None:
    """The same for the text of an expression."""
    x, problems = parse_expression(whole(Source("an expression", " ".join(text.split()))))
    return None if x is None or problems else phrase(x, vocabulary)


def denial_of(text: str, vocabulary: Vocabulary = NO_VOCABULARY) -> str | None:
    """What is so where a condition does not hold: of `points[p] > 3` “points of p is at most 3”."""
    x, problems = parse_expression(whole(Source("a condition", " ".join(text.split()))))
    if x is None or problems:
        return None
    try:
        found = Phraser(vocabulary).condition(x, holds=False)
    except _NoWordsError:
        return None
    return found if len(found) <= MAX_LENGTH else None


def call_words(doc: str, params: Sequence[str], *, is_truth: bool, acts: bool = False) -> CallWords | None:
    """The words for a call, of the `doc` of its definition: the first clause, up to a comma, if it names each
    parameter and nothing else; of a value a noun, of yes or no a clause behind “whether”.

    `acts`: the definition gives no value.
    """
    clause = _CLAUSE_END.split(" ".join(doc.split()), maxsplit=1)[0]
    if not clause or set(re.findall(r"`([^`]*)`", clause)) != set(params):
        return None
    if is_truth:
        told = clause.removeprefix("whether ")
        return CallWords(tuple(params), told) if told != clause else None
    if not params if acts else not _DEFINITE.match(clause):
        return None
    return CallWords(tuple(params), clause)


def walked_over(walk: n.For, vocabulary: Vocabulary = NO_VOCABULARY) -> str | None:
    """One thing of those that a loop walks over, without its condition: “cell c of board”."""
    try:
        text = Phraser(vocabulary).one_of(walk)
    except _NoWordsError:
        return None
    return text if len(text) <= MAX_LENGTH else None


def why(text: str) -> str:
    """The text of a condition as the reason for what happened; the text itself if it has no plain words."""
    text = " ".join(text.split())
    x, problems = parse_expression(whole(Source("a condition", text)))
    if x is None or problems:
        return text
    found = phrase(x)
    return f"“{found}” holds" if found is not None and isinstance(x, n.Name | n.Call) else found or text


def spaced(name: str) -> str:
    """A name as words."""
    return name.replace("_", " ").strip() or name


def is_condition(x: n.Expr, vocabulary: Vocabulary = NO_VOCABULARY) -> bool:
    """Tell whether an expression is a condition by its form, or calls a definition that gives yes or no."""
    match x:
        case n.Binary(op=op):
            return op in words.COMPARED or op in ("and", "or")
        case n.Unary(op=op):
            return op == "not"
        case n.Aggregate(target=n.Name(name=name)):
            return name in ("any", "all")
        case n.Suppose(value=value):
            return is_condition(value, vocabulary)
        case n.Call(target=n.Name(name=name)):
            return name in vocabulary.truths
        case n.Index():
            return _is_flag(x, vocabulary)
        case n.Attr(name=name):
            return name in words.STATES or name in vocabulary.traits
    return isinstance(x, n.IsNone | n.IsKind)


def _article(noun: str) -> str:
    """A noun behind its indefinite article."""
    return f"a{'n' if noun[:1].lower() in 'aeiou' else ''} {noun}"


def _listed(parts: Sequence[str], word: str = "and") -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def _is_number(x: n.Expr) -> bool:
    """Tell whether an expression is a number by its form."""
    match x:
        case n.Int():
            return True
        case n.Binary(op=op):
            return op in ARITHMETIC
        case n.Attr(name=name):
            return name in ("size", "seat", "column", "row")
    return False


def _is_walked(element: n.Expr, fors: Sequence[n.For]) -> bool:
    """Tell whether what is taken of each thing that is walked over is the thing itself."""
    return isinstance(element, n.Name) and element.name == fors[-1].name


def _names(x: object) -> Iterable[str]:
    """Yield the names in an expression."""
    if isinstance(x, n.Name):
        yield x.name
    elif isinstance(x, n.Node):
        for field in getattr(type(x), "__dataclass_fields__", ()):
            yield from _names(getattr(x, field))
    elif isinstance(x, tuple):
        for part in x:
            yield from _names(part)


class Phraser:
    """Writes expressions in the words of a vocabulary.

    Its methods raise `_NoWordsError` where there are none.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary

    def phrase(self, x: n.Expr) -> str:
        """A value, or a condition, in words."""
        return self.condition(x) if is_condition(x, self.vocabulary) else self.value(x)

    def place(self, x: n.Expr) -> str:
        """What is set or changed, in words."""
        match x:
            case n.Index():
                return self._indexed(x)
            case n.Attr():
                return self._attribute(x)
        return self.value(x)

    # ------------------------------------------------------------ values
    def value(self, x: n.Expr) -> str:
        """A value in words; of a condition “whether” it holds."""
        match x:
            case n.Int(value=value):
                return str(value)
            case n.Bool(value=value):
                return "yes" if value else "no"
            case n.NoneLit():
                return "none"
            case n.Name(name=name):
                return self.vocabulary.names.get(name) or spaced(name)
            case n.Template(parts=parts):
                told = (part if isinstance(part, str) else f"‹{self.value(part)}›" for part in parts)
                return f"“{''.join(told)}”"
            case n.Certain(value=value):
                return self.value(value)
            case n.Unary(op="-", value=n.Int(value=value)):
                return f"-{value}"
            case n.Unary(op="-", value=value):
                return f"minus {self._apart(value)}"
            case n.Unary(op="+", value=value):
                return self.value(value)
        if is_condition(x, self.vocabulary):
            return f"whether {self.condition(x)}"
        match x:
            case n.Attr():
                return self._attribute(x)
            case n.Index():
                return self._indexed(x)
            case n.Call():
                return self._call(x)
            case n.Binary():
                return self._calculation(x)
            case n.IfElse(condition=condition, then=then, other=other):
                return f"{self._apart(then)} if {self.condition(condition)}, else {self.value(other)}"
            case n.Suppose(value=value):
                return f"{self.value(value)} {self._after(x)}"
            case n.MapLit() | n.ListLit():
                return self._collection(x)
            case n.ListComp() | n.MapComp():
                return self._comprehension(x)
            case n.Aggregate(target=n.Name(name=name)) if name in words.WALKED:
                return self._aggregate(x, name)
            case n.Closure(target=n.Name(name="reached"), name=name, step=step, source=source):
                each = spaced(name)
                return (
                    f"{self.value(source)} and all that is reached from there, each time from {each} to "
                    f"{self.value(step)}"
                )
            case n.Closure(target=n.Name(name="groups"), name=name, step=step, source=source):
                return (
                    f"the groups of {self.value(source)} that hang together, each {spaced(name)} with "
                    f"{self.value(step)}"
                )
        raise _NoWordsError

    def _apart(self, x: n.Expr) -> str:
        """A value inside of another; in brackets where the words would be ambiguous."""
        text = self.value(x)
        is_range = isinstance(x, n.Binary) and x.op == ".."
        return f"({text})" if isinstance(x, n.IfElse | n.Binary | n.Closure) and not is_range else text

    def _operand(self, x: n.Expr, op: str) -> str:
        """One side of a calculation or a comparison; in brackets where the words would be ambiguous."""
        text = self.value(x)
        if isinstance(x, n.Binary):
            apart = op in ("*", "-") and x.op in ("+", "-")
            apart = apart or (op in ARITHMETIC and x.op in ("//", "mod", "otherwise"))
        else:
            apart = isinstance(x, n.IfElse)
        return f"({text})" if apart else text

    def _indexed(self, x: n.Index) -> str:
        """A value by its key, or by its number in a list."""
        if not _is_number(x.key):
            return f"{self._apart(x.target)} of {self._apart(x.key)}"
        number = self.value(x.key)
        return f"number {number if number.isdecimal() else f'({number})'} of {self._apart(x.target)}"

    def _attribute(self, x: n.Attr) -> str:
        match x:
            case n.Attr(target=n.Name(name="players"), name="size"):
                return "the number of players"
            case n.Attr(target=n.Name(name="players"), name="first" | "last"):
                return f"the {x.name} player"
            case n.Attr(target=n.ListComp() as walked, name="size" | "first" | "last") if _is_walked(
                walked.element, walked.fors
            ):
                among = self._walks(walked.fors, walked.condition)
                return f"the number of {_plural(among)}" if x.name == "size" else f"the {x.name} {among}"
        name = f"the “{x.name}”" if x.name in words.PREPOSITIONS else spaced(x.name)
        template = words.ATTRIBUTES.get(x.name, f"{name} of {{x}}")
        return template.replace("{x}", self._apart(x.target))

    def _calculation(self, x: n.Binary) -> str:
        left, right = x.left, x.right
        match x.op:
            case "..":
                return f"{self.value(left)} to {self.value(right)}"
            case "//" if isinstance(right, n.Int) and right.value == 2:
                return f"half of {self._apart(left)}, rounded down"
            case "//":
                return f"{self._apart(left)} divided by {self._apart(right)}, rounded down"
            case "mod":
                return f"the remainder of {self._apart(left)} divided by {self._apart(right)}"
            case "otherwise":
                return words.OTHERWISE.format(self._apart(left), self._apart(right))
            case op if op in words.CALCULATED:
                return f"{self._operand(left, op)} {words.CALCULATED[op]} {self._operand(right, op)}"
        raise _NoWordsError

    def _collection(self, x: n.MapLit | n.ListLit) -> str:
        if isinstance(x, n.ListLit):
            inside = [
                f"({self.value(item)})" if isinstance(item, n.ListLit) else self.value(item)
                for item in x.items
            ]
            return ", ".join(inside) or "nothing"
        numbers = [(key, value.value) for key, value in x.entries if isinstance(value, n.Int)]
        if len(numbers) == len(x.entries) and all(isinstance(key, n.Name) for key, _ in numbers):
            return ", ".join(f"{value} {self.value(key)}" for key, value in numbers if value) or "nothing"
        return ", ".join(f"{self.value(value)} for {self.value(key)}" for key, value in x.entries)

    def _comprehension(self, x: n.ListComp | n.MapComp) -> str:
        if isinstance(x, n.ListComp):
            return self._each(x.element, x.fors, x.condition)
        among = self._walks(x.fors, x.condition)
        if isinstance(x.key, n.Name) and x.key.name == x.fors[-1].name:
            return f"{self._apart(x.value)} for each {among}"
        return f"{self._apart(x.value)} for {self.value(x.key)}, for each {among}"

    def _each(self, element: n.Expr, fors: Sequence[n.For], where: n.Expr | None) -> str:
        """The elements that a comprehension gives."""
        if _is_walked(element, fors):
            return f"each {self._walks(fors, where)}"
        if len(fors) == 1:
            head = self._head(element, fors[-1])
            among = self._walks(fors, where)
            return f"{self._apart(element)} for each {among}" if head is None else f"{head} of each {among}"
        conditions = [walk.condition for walk in fors[:-1]] + [where]
        walked = [
            self._walk(walk, *([] if condition is None else [condition]))
            for walk, condition in zip(fors, conditions, strict=True)
        ]
        return f"{self._apart(element)} for {_listed(walked)}"

    def _head(self, x: n.Expr, walk: n.For) -> str | None:
        """The words for a value of what is walked over without the words for that: “colour” of `c.colour`."""
        match x:
            case n.Attr(target=n.Name(name=name)) if name == walk.name:
                return self.value(x).removesuffix(f" of {self.value(x.target)}")
            case n.Index(target=n.Name() | n.Index() as target, key=n.Name(name=name)) if name == walk.name:
                return self._apart(target)
        return None

    def _walk(self, walk: n.For, *conditions: n.Expr) -> str:
        """One walk of several: “each c of …”, and of a single value “k, which is …”."""
        match walk.source:
            case n.ListLit(items=(one,)):
                return f"{spaced(walk.name)}, which is {self._apart(one)}"
        return f"each {self._among(walk, *conditions)}"

    # ------------------------------------------------------------ calls
    def _call(self, x: n.Call) -> str:
        match x:
            case n.Call(
                target=n.Name(name="abs"), args=(n.Arg(value=n.Binary(op="-", left=left, right=right)),)
            ):
                return words.DIFFERENCE.format(self._apart(left), self._apart(right))
            case n.Call(target=n.Name(name=name), args=args):
                return self._call_of(name, args)
            case n.Call(target=n.Attr(target=target, name=name)) if name in words.METHODS:
                of_board = isinstance(target, n.Name) and target.name in self.vocabulary.boards
                return self._method(
                    x, words.KEY_OF_BOARD if name == "key" and of_board else words.METHODS[name]
                )
            case n.Call(target=n.Attr(target=target, name=name), args=args):
                return f"{spaced(name)} of {self._apart(target)}{self._bracketed(args)}"
        raise _NoWordsError

    def _method(self, x: n.Call, template: str) -> str:
        """A call behind a dot, in the words of a template."""
        assert isinstance(x.target, n.Attr)
        name = x.target.name
        if name in words.OF_DIRECTION:
            given = [self._direction(a.value) for a in x.args]
        else:
            given = [self._apart(a.value) for a in x.args]
        for at, place in enumerate(words.OF_PLACE.get(name, ())):
            is_told = re.match(rf"the (?:\w+ )?{place}\b", given[at])
            given[at] = given[at] if is_told else f"{place} {given[at]}"
        return template.replace("{x}", self._apart(x.target.target)).format(*given)

    def _call_of(self, name: str, args: Sequence[n.Arg]) -> str:
        """A call of a definition, a record or a function."""
        if name in self.vocabulary.values:
            told = self._told(self.vocabulary.values[name], args)
            if told is not None:
                return told
            if len(args) == 1 and args[0].name is None and not self._ends_open(name):
                return f"{spaced(name)} of {self._apart(args[0].value)}"
        template = words.FUNCTIONS.get((name, len(args)))
        if template is not None and name not in self.vocabulary.values:
            return template.format(*(self._apart(a.value) for a in args))
        if len(args) == 1 and args[0].name is None and self._ends_open(name):
            return f"{spaced(name)} {self._apart(args[0].value)}"
        return f"{spaced(name)}{self._bracketed(args)}"

    def _ends_open(self, name: str) -> bool:
        """Tell whether a name ends with a preposition: `queen_of`."""
        return name.rpartition("_")[2] in words.PREPOSITIONS

    def _bracketed(self, args: Sequence[n.Arg]) -> str:
        inside = [
            self.value(a.value) if a.name is None else f"{spaced(a.name)} {self._apart(a.value)}"
            for a in args
        ]
        return f" ({', '.join(inside)})" if inside else ""

    def _told(self, said: CallWords | None, args: Sequence[n.Arg]) -> str | None:
        """The words of a definition with the arguments in them; `None` if an argument is missing in them."""
        if said is None:
            return None
        given = {name: a.value for name, a in zip(said.params, args, strict=False) if a.name is None}
        given |= {a.name: a.value for a in args if a.name is not None}
        if set(re.findall(r"`(\w+)`", said.words)) - given.keys():
            return None
        return re.sub(r"`(\w+)`", lambda found: self._apart(given[found[1]]), said.words)

    def _direction(self, x: n.Expr) -> str:
        """A direction, behind what goes there."""
        text = self.value(x)
        return f"in {text}" if text.startswith("the direction") else f"in direction {self._apart(x)}"

    def _after(self, x: n.Suppose) -> str:
        """What is supposed to have happened, as a clause."""
        done = []
        for statement in x.body:
            match statement:
                case n.CallStmt(call=call):
                    done.append(self.value(call))
                case n.Move(what=what, to=to):
                    done.append(f"{self.value(what)} going to {self.value(to)}")
                case _:
                    raise _NoWordsError
        return f"after {', '.join(done)}"

    # ------------------------------------------------------------ aggregates and walks
    def _aggregate(self, x: n.Aggregate, name: str) -> str:
        """The element, or the elements, that an aggregate takes from a walk."""
        word, last = words.WALKED[name], x.fors[-1]
        is_walked = _is_walked(x.element, x.fors)
        match name:
            case "count" if is_walked:
                return f"{word} {_plural(self._walks(x.fors, x.condition))}"
            case "count":
                return f"{word} {_plural(self._walks(x.fors, x.condition, x.element))}"
            case "sum" | "max" | "min" if is_walked and x.by is None:
                every = "each " if name == "sum" else ""
                return f"{word} {every}{self._walks(x.fors, x.condition)}"
            case "sum" | "max" | "min" if x.by is None:
                every, joint = ("each", "over") if name == "sum" else ("any", "of")
                head = self._head(x.element, last)
                element = f"{self._apart(x.element)} {joint}" if head is None else f"{head} of"
                return f"{word} {element} {every} {self._walks(x.fors, x.condition)}"
            case "best" | "worst" | "ties" if is_walked and x.by is not None and len(x.fors) == 1:
                by = self._key(x.by, last).removeprefix("the ")
                among = _plural(self._among(last)) if name == "ties" else self._among(last)
                return f"{word} {among} with the {words.RANKED[name]} {by}{self._of_those(x.condition)}"
            case "sorted" if x.by is not None:
                each = self._each(x.element, x.fors, x.condition)
                return f"{each}, in the order of {self._key(x.by)}"
            case "list" | "bag" if x.by is None:
                return self._each(x.element, x.fors, x.condition)
            case "set" if x.by is None:
                return f"the different ones of: {self._each(x.element, x.fors, x.condition)}"
            case "first" | "last" | "only" if is_walked:
                return f"{word} {self._walks(x.fors, x.condition)}"
        raise _NoWordsError

    def _key(self, x: n.Expr, walk: n.For | None = None) -> str:
        """What decides an order, the first thing first; of what is walked over without the words for that."""
        parts = x.items if isinstance(x, n.ListLit) else (x,)
        heads = [None if walk is None else self._head(one, walk) for one in parts]
        if None not in heads:
            return ", then ".join(head for head in heads if head)
        return ", then ".join(map(self._apart, parts)) if isinstance(x, n.ListLit) else self.value(x)

    def _of_those(self, where: n.Expr | None) -> str:
        return "" if where is None else f", of those for which {self.condition(where)}"

    def _walks(self, fors: Sequence[n.For], where: n.Expr | None, further: n.Expr | None = None) -> str:
        """The things that are walked over, the innermost first, and the conditions on them."""
        *outer, last = fors
        conditions = [c for c in (where, further) if c is not None]
        among = self._among(last, *conditions)
        if not outer:
            return among
        around = [self._walk(walk, *([] if walk.condition is None else [walk.condition])) for walk in outer]
        return f"{among}, for {_listed(around)}"

    def _among(self, walk: n.For, *conditions: n.Expr) -> str:
        """One thing of those that are walked over: “p of players for which …”."""
        among = self.one_of(walk)
        match conditions:
            case ():
                return among
            case (n.Binary(op="in", left=n.Name() as inner, right=n.Name(name=held)),) if held == walk.name:
                return f"{among} with {self.value(inner)} in it"
            case (n.Aggregate(target=n.Name(name="any" | "all")) as one,):
                return f"{among} where {self.condition(one)}"
        return f"{among} for which {' and '.join(self._joint(c, conditions) for c in conditions)}"

    def one_of(self, walk: n.For) -> str:
        """One thing of those that are walked over, whatever it is: “cell c of board”."""
        name, source = spaced(walk.name), walk.source
        if len(name) <= words.SHORT_NAME:
            template = ""
            match source:
                case n.Name(name="players"):
                    return f"player {name}"
                case n.Name(name=of) if of in self.vocabulary.boards:
                    return f"cell {name} of {spaced(of)}"
                case n.Name(name=of) if of[:1].isupper():
                    return f"{spaced(of)} {name}"
                case n.Binary(op=".."):
                    return f"number {name} from {self.value(source)}"
                case n.Call(target=n.Attr(name=method)):
                    template = words.ONE_OF_METHOD.get(method, "")
                case n.Call(target=n.Name(name=of), args=args) if of not in self.vocabulary.values:
                    template = words.ONE_OF_FUNCTION.get((of, len(args)), "")
                    if template:
                        return template.format(*(self._apart(a.value) for a in args), n=name)
                case n.Attr(target=target, name=of) if of in words.ONE_OF_ATTRIBUTE:
                    return words.ONE_OF_ATTRIBUTE[of].format(n=name, x=self._apart(target))
            if template and isinstance(source, n.Call):
                return self._method(source, template.replace("{n}", name))
        return f"{name} of {self._apart(source)}"

    def _joint(self, x: n.Expr, all_: Sequence[n.Expr]) -> str:
        """A condition beside others."""
        text = self.condition(x)
        return f"({text})" if len(all_) > 1 and isinstance(x, n.Binary) and x.op == "or" else text

    # ------------------------------------------------------------ conditions
    def condition(self, x: n.Expr, holds: bool = True) -> str:
        """A condition in words, or its negation."""
        match x:
            case n.Bool(value=value):
                return "always" if value == holds else "never"
            case n.Unary(op="not", value=value):
                return self.condition(value, not holds)
            case n.Binary(op="and" | "or"):
                return self._conjunction(x, holds)
            case n.Binary(op=op) if op in words.COMPARED:
                return self._comparison(x, op if holds else words.OPPOSITES[op])
            case n.IsNone(value=value, negated=negated):
                return self._existence(value, negated == holds)
            case n.IsKind(value=value, kind=kind, negated=negated):
                noun = spaced(kind)
                return f"{self.value(value)} is {_article(noun) if negated != holds else f'no {noun}'}"
            case n.Attr(target=target, name=name) if name in words.STATES:
                return words.STATES[name][not holds].replace("{x}", self._apart(target))
            case n.Attr(target=target, name=name):
                return self._attribute_holds(self._apart(target), name, holds)
            case n.Aggregate(target=n.Name(name="any" | "all" as name), by=None):
                return self._quantified(x, name, holds)
            case n.Call(target=n.Name(name=name), args=args) if name in self.vocabulary.truths:
                told = self._told(self.vocabulary.truths[name], args)
                if told is not None:
                    return told if holds else _negated(told)
                return self._truth(name, args, holds)
            case n.Suppose(value=value):
                return f"{self.condition(value, holds)} {self._after(x)}"
            case n.IfElse(condition=condition, then=then, other=other):
                return (
                    f"{self.condition(then, holds)} if {self.condition(condition)}, else "
                    f"{self.condition(other, holds)}"
                )
            case n.Certain(value=value):
                return self.condition(value, holds)
            case n.Index(target=target, key=key) if _is_flag(x, self.vocabulary):
                return self._attribute_holds(self._apart(key), self.value(target), holds)
            case n.Name(name=name) if name.partition("_")[0] in words.VERBS and "_" in name:
                return f"“{spaced(name)}” {'holds' if holds else 'does not hold'}"
        return f"{'' if holds else 'not '}{self.value(x)}"

    def _conjunction(self, x: n.Binary, holds: bool) -> str:
        """Conditions joined by “and” or “or”; of their negation each is negated."""
        op = x.op if holds else words.OPPOSITES[x.op]
        joined = _parts(x, x.op)
        parts = [self._part(p, holds, last=p is joined[-1]) for p in joined]
        return f" {op} ".join(parts) if len(parts) == 2 else f", {op} ".join(parts)

    def _part(self, x: n.Expr, holds: bool, *, last: bool) -> str:
        """One of several conditions; in brackets where it would reach into the next one."""
        text = self.condition(x, holds)
        reaches = not last and any(word in text for word in (": ", " exactly if ", NOT_SO))
        return f"({text})" if reaches or isinstance(x, n.Binary) and x.op in ("and", "or") else text

    def _comparison(self, x: n.Binary, op: str) -> str:
        left, right = x.left, x.right
        match (op, left, right):
            case ("==" | "!=", n.Binary(op="mod", left=of, right=n.Int(value=2)), n.Int(value=0 | 1 as rest)):
                return f"{self._apart(of)} is {'even' if (rest == 0) == (op == '==') else 'odd'}"
            case ("==" | "!=", n.Binary(op="mod", left=of, right=divisor), n.Int(value=0)):
                return f"{self._apart(of)} {words.COMPARED[op]} a multiple of {self._apart(divisor)}"
            case ("==" | "!=", n.Expr(), n.Expr()) if is_condition(left, self.vocabulary):
                if is_condition(right, self.vocabulary):
                    return f"{self.condition(left)} exactly if {self.condition(right, op == '==')}"
            case ("in" | "not in", n.Expr(), n.Binary(op="..")):
                verb = "is from" if op == "in" else "is not from"
                return f"{self._operand(left, op)} {verb} {self.value(right)}"
        return f"{self._operand(left, op)} {words.COMPARED[op]} {self._operand(right, op)}"

    def _existence(self, x: n.Expr, exists: bool) -> str:
        """The words for there being something, or nothing."""
        text = self.value(x)
        if isinstance(x, n.Name):
            return f"there is {_article(text) if exists else f'no {text}'}"
        if isinstance(x, n.Call | n.Aggregate) and text.startswith("the "):
            noun = text.removeprefix("the ")
            return f"there is {_article(noun) if exists else f'no {noun}'}"
        return f"{text} is {'not none' if exists else 'none'}"

    def _truth(self, name: str, args: Sequence[n.Arg], holds: bool) -> str:
        """What a definition without words of its own says of its arguments."""
        verb, _, rest = name.partition("_")
        if rest and verb in words.VERBS and len(args) == 1:
            return f"{self._apart(args[0].value)} {words.VERBS[verb][not holds]} {spaced(rest)}"
        if not args:
            return f"{'' if holds else 'not '}{spaced(name)}"
        of = _listed([self._apart(a.value) for a in args])
        return f"“{spaced(name)}” {'holds' if holds else 'does not hold'} for {of}"

    def _attribute_holds(self, target: str, name: str, holds: bool) -> str:
        """A truth of a thing: “c has gold”, or “gold of c is yes” where its name is no verb."""
        verb, _, rest = spaced(name).partition(" ")
        if rest and verb in words.VERBS:
            return f"{target} {words.VERBS[verb][not holds]} {rest}"
        return f"{spaced(name)} of {target} is {'yes' if holds else 'no'}"

    # ------------------------------------------------------------ for each and for one
    def _quantified(self, x: n.Aggregate, name: str, holds: bool) -> str:
        """What holds for at least one, for no, for every or not for every thing."""
        told = self._line_of_equals(x) if name == "any" and holds else None
        told = told or self._about_each(x, name, holds)
        if told is not None:
            return told
        quantity = {
            ("any", True): "for at least one", ("any", False): "for no",
            ("all", True): "for every", ("all", False): "not for every",
        }[name, holds]  # fmt: skip
        conditions = [walk.condition for walk in x.fors[:-1]] + [x.condition]
        walked = [
            self._among(walk, *([] if condition is None else [condition]))
            for walk, condition in zip(x.fors, conditions, strict=True)
        ]
        return f"{quantity} {_listed(walked)}: {self.condition(x.element)}"

    def _line_of_equals(self, x: n.Aggregate) -> str | None:
        """A line whose cells all have the same: `any(all(mark[c] == p for c in line) for line in …)`."""
        match x:
            case n.Aggregate(
                fors=(n.For(condition=None) as walk,),
                element=n.Aggregate(
                    target=n.Name(name="all"),
                    fors=(n.For(name=cell, source=n.Name(name=line), condition=None),),
                    condition=None,
                    by=None,
                    element=n.Binary(
                        op="==",
                        left=n.Index(target=n.Name() | n.Index() as kept, key=n.Name(name=key)),
                        right=held,
                    ),
                ),
            ) if line == walk.name and key == cell and cell not in _names(held):
                among = self._line(walk, x.condition)
                is_line = among.startswith("line of ")
                each, one = ("cell", _article(among)) if is_line else (spaced(cell), f"at least one {among}")
                return f"every {each} of {one} has {self._the_same(kept, held)}"
        return None

    def _line(self, walk: n.For, where: n.Expr | None) -> str:
        """A line that is walked over, and what must be in it."""
        among = self._among(walk, *([] if where is None else [where]))
        match walk.source:
            case n.Call(target=n.Attr(name="lines")):
                line = self._method(walk.source, words.LINE)
                return among.replace(self.one_of(walk), line, 1)
        return among

    def _the_same(self, kept: n.Expr, held: n.Expr) -> str:
        """What every cell of a line has: a value, or the same as another cell."""
        match kept, held:
            case n.Name(name=name), n.Index(target=n.Name(name=other), key=key) if name == other:
                return f"the same {spaced(name)} as {self.value(key)}"
        return f"{self.value(kept)} {self.value(held)}"

    def _about_each(self, x: n.Aggregate, name: str, holds: bool) -> str | None:
        """One value of every, one or no thing: “stone of every c of line is p”."""
        match x:
            case n.Aggregate(
                fors=(n.For(condition=None) as walk,),
                element=n.Binary(
                    op=op,
                    left=n.Index(target=n.Name() | n.Index() as kept, key=n.Name(name=key)),
                    right=held,
                ),
            ) if op in words.COMPARED and key == walk.name and walk.name not in _names((held, kept)):
                quantity = {
                    ("any", True): "at least one", ("any", False): "no", ("all", True): "every",
                }.get((name, holds))  # fmt: skip
                if quantity is None or (name == "all" and op in ("!=", "not in")):
                    return None
                among = self._among(walk)
                subject = f"{self.value(kept)} of {quantity} {among}{self._of_those(x.condition)}"
                comma = "," if x.condition is not None else ""
                return f"{subject}{comma} {words.COMPARED[op]} {self._operand(held, op)}"
        return None


def _negated(clause: str) -> str:
    """The opposite of a clause: with “not” behind its first verb, or in front of it all."""
    match = _VERB.search(clause)
    if match is None:
        return f"{NOT_SO} {clause}"
    return f"{clause[: match.end()]} not{clause[match.end() :]}"


def _plural(among: str) -> str:
    """Several things that are walked over: “players p”, “cells c of board”."""
    return _NOUN.sub(lambda found: f"{found[0]}s", among, count=1) if _NOUN.match(among) else among


def _is_flag(x: n.Expr, vocabulary: Vocabulary) -> bool:
    """Tell whether an expression is a value of the state that is yes or no."""
    keys = 0
    while isinstance(x, n.Index):
        x, keys = x.target, keys + 1
    return isinstance(x, n.Name) and keys > 0 and vocabulary.flags.get(x.name) == keys


def _parts(x: n.Expr, op: str) -> list[n.Expr]:
    """The conditions that an operator joins."""
    return [*_parts(x.left, op), *_parts(x.right, op)] if isinstance(x, n.Binary) and x.op == op else [x]


__all__ = [
    "NO_VOCABULARY",
    "CallWords",
    "Vocabulary",
    "is_condition",
    "phrase",
    "phrase_of",
    "spaced",
    "walked_over",
    "why",
]
