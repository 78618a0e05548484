"""Parsing rule text: Lark's LALR parser with indentation, limits and error recovery.

What comes in is a `RuleText` and its kind (`module`, `block`, `expression`, `declaration`, `binding`); what
goes out are nodes and diagnostics. After a mistake the statement is replaced by a marker and the text is
parsed again, so that every statement with a mistake is reported once. Nesting is limited here, before any
recursive walk.

Lark's parse tables are stored in a JSON file that `tools/tables` builds: reading it takes a fifth of the time
of building them. The file names its grammar and version of Lark; if either differs, the tables are built in
memory.
"""

from __future__ import annotations

import gc
import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import lru_cache, partial
from operator import itemgetter
from typing import Any, TypeVar

import lark
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedInput
from lark.common import LexerConf
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.indenter import DedentError, Indenter
from lark.lexer import BasicLexer, ContextualLexer, TerminalDef
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import LALR_Parser, _Parser

from croupier.diagnostics import Diagnostic, Fix, Span, diagnose
from croupier.limits import MAX_RULE_DEPTH, MAX_RULE_TEXT, MAX_SYNTAX_ERRORS
from croupier.records import dataclass
from croupier.resources import grammar_file
from croupier.source.files import plain_name
from croupier.source.lookalikes import title_of_fix
from croupier.source.statement_words import YOUNG_LINES
from croupier.syntax import nodes as n
from croupier.syntax.builder import TreeBuilder
from croupier.syntax.lines import (
    SOFT_KEYWORDS,
    STAND_INS,
    Lines,
    Positioned,
    confusable_names,
    is_marker,
    lookalikes,
    mask,
    names_not_keywords,
    without_block,
    without_statement,
    without_trivia,
    words_as_names,
)

CACHE_FILE = "rules.tables.json"
SOFT_WORDS = (*SOFT_KEYWORDS, *YOUNG_LINES)
V = TypeVar("V")
_Action = tuple[object, object]  # of Lark: `Shift` and the next state, or `Reduce` and the rule


def build_parser(grammar: str, layout: object, starts: tuple[str, ...]) -> Lark:
    """The parser, from the grammar."""
    return Lark(
        grammar,
        parser="lalr",
        lexer="contextual",
        postlex=layout,
        start=list(starts),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def cache_key(grammar: str) -> str:
    """A key of what the tables depend on: the grammar and the version of Lark."""
    return hashlib.sha256(f"{lark.__version__}\n{grammar}".encode()).hexdigest()


def serialise_parser(parser: Lark, grammar: str) -> str:
    """The tables as the text of a file: what Lark serialises, without what can be computed from the rest, to
    save time at start-up.

    A row of `rows` is a state: numbers of tokens, each followed by its action: 2 × the next state for a
    shift, 2 × the rule + 1 for a reduction.
    """
    parser.options.options["postlex"] = None
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    table = data["parser"]["parser"]
    rows = [_row(table["states"][state]) for state in range(len(table["states"]))]
    tokens = [table["tokens"][number] for number in range(len(table["tokens"]))]
    del table["states"], table["tokens"]
    stored = {
        "key": cache_key(grammar),
        "data": data,
        "memo": [memo[number] for number in range(len(memo))],
        "rows": rows,
        "tokens": tokens,
    }
    return json.dumps(stored, separators=(",", ":"), sort_keys=True) + "\n"


def _row(actions: dict[int, tuple[int, Any]]) -> list[int]:
    return [
        number
        for token, (reduces, to) in actions.items()
        for number in (token, 2 * to["@"] + 1 if reduces else 2 * to)
    ]


def is_fresh(grammar: str) -> bool:
    """Tell whether the file of tables belongs to this grammar and this Lark.

    The numbers of the states differ from run to run.
    """
    path = grammar_file(CACHE_FILE)
    return path.is_file() and json.loads(path.read_text(encoding="utf-8")).get("key") == cache_key(grammar)


def load_parser(grammar: str, layout: object, starts: tuple[str, ...]) -> Lark:
    """The parser, from the file of tables if that belongs to this grammar, else built."""
    path = grammar_file(CACHE_FILE)
    if path.is_file():
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored.get("key") == cache_key(grammar):
            memo, tables = dict(enumerate(stored["memo"])), _StoredTables(stored["rows"], stored["tokens"])
            plugins = {"LALR_Parser": tables, "ContextualLexer": tables.lexer}
            parser: Lark = Lark._load_from_dict(stored["data"], memo, postlex=layout, _plugins=plugins)  # type: ignore[no-untyped-call]
            return parser
    return build_parser(grammar, layout, starts)


class _StoredTables:
    """The stored tables, in place of Lark's classes that read them: a row, and what reads tokens in a state,
    are made when a text leads there.

    A text of a few lines comes to a tenth of the states. `deserialize` stands for that of `LALR_Parser`,
    `lexer` for `ContextualLexer`.
    """

    def __init__(self, rows: Sequence[Sequence[int]], tokens: Sequence[str]) -> None:
        self._rows, self._tokens = rows, tokens
        self._states: _Made[dict[str, _Action]] = _Made(self._row)
        self._rules: Mapping[int, Rule] = {}
        self._actions: _Made[_Action] = _Made(self._action)

    def deserialize(
        self, data: Mapping[str, Any], memo: Mapping[int, Rule], callbacks: object, debug: bool = False
    ) -> LALR_Parser:
        """The parser, with these rules by their numbers."""
        self._rules = memo
        parser = LALR_Parser.__new__(LALR_Parser)
        table: Any = IntParseTable(self._states, data["start_states"], data["end_states"])  # type: ignore[no-untyped-call]
        parser._parse_table, parser.parser = table, _Parser(table, callbacks, debug)  # type: ignore[arg-type]
        return parser

    def lexer(self, conf: LexerConf, states: object, always_accept: Collection[str] = ()) -> ContextualLexer:
        """Return the lexer that reads in each state only those tokens that can follow there; states with the
        same ones share it.
        """
        known, shared = conf.terminals_by_name, dict[frozenset[str], BasicLexer]()

        def of_state(state: int) -> BasicLexer:
            accepted = frozenset(self._states[state])
            if accepted not in shared:
                names = {*accepted, *conf.ignore, *always_accept}
                shared[accepted] = _basic_lexer(conf, [known[name] for name in names if name in known])
            return shared[accepted]

        lexer = ContextualLexer.__new__(ContextualLexer)
        lexer.lexers = _Made(of_state)
        lexer.root_lexer = _basic_lexer(conf, conf.terminals)
        return lexer

    def _row(self, state: int) -> dict[str, _Action]:
        row = self._rows[state]
        return {self._tokens[token]: self._actions[to] for token, to in zip(row[::2], row[1::2], strict=True)}

    def _action(self, to: int) -> _Action:
        return (Reduce, self._rules[to >> 1]) if to & 1 else (Shift, to >> 1)


def _basic_lexer(conf: LexerConf, terminals: Collection[TerminalDef]) -> BasicLexer:
    of_these = copy(conf)
    of_these.terminals = terminals
    of_these.skip_validation = True
    return BasicLexer(of_these)


class _Made(dict[int, V]):
    """Values by number, each made when it is asked for."""

    def __init__(self, make: Callable[[int], V]) -> None:
        self._make = make

    def __missing__(self, number: int) -> V:
        self[number] = made = self._make(number)
        return made


def skip_unit_rules(parser: Lark) -> Lark:
    """The same parser, faster: a rule with a single part returns that part, without computing positions.

    Most steps of parsing an expression are such unit rules, one for each level of precedence.
    """
    for rule in parser._callbacks:
        if rule.options.expand1 and len(rule.expansion) == 1 and rule.alias is None:
            parser._callbacks[rule] = itemgetter(0)
    return parser


# ---------------------------------------------------------------- parser
# ---------------------------------------------------------------- depth
_FLAT = {
    "suite",
    "else_",
    "elif_",
    "args",
    "items",
    "entries",
    "entry",
    "conditions",
    "comp_for",
    "comp_if",
    "clause",
    "params",
    "pats",
}


ELIFS_A_LEVEL = 4


def too_deep(tree: Tree[Token], limit: int) -> tuple[int, int] | None:
    """The offsets (start, end) of the first construct nested more than `limit` deep, or `None`.

    A branch of a chain of `elif` stands, for whoever walks the tree, in those before it. To readers that is
    no nesting: `ELIFS_A_LEVEL` branches count as one level.
    """
    stack: list[tuple[Tree[Token], int]] = [(tree, 0)]
    while stack:
        node, depth = stack.pop()
        if node.data not in _FLAT:
            depth += 1
        if depth > limit + 1:
            return node.meta.start_pos, node.meta.start_pos + 1
        branches = 0
        children: list[tuple[Tree[Token], int]] = []
        for child in node.children:
            if isinstance(child, Tree) and not child.meta.empty:
                branches += child.data == "elif_"
                children.append((child, depth + branches // ELIFS_A_LEVEL))
        stack.extend(reversed(children))
    return None


# ---------------------------------------------------------------- parsing
GRAMMAR = "rules.lark"  # its file
STARTS = ("module", "block", "expression", "declaration", "binding", "audience")
LINE_WISE = ("module", "block")
CACHED_TREES = 1024  # texts whose trees are kept
MAX_REREAD = 100_000  # characters that are parsed again because of mistakes
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
T = TypeVar("T")


class IndentationTokens(Indenter):
    """Lines and indentation as tokens, outside of brackets."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def _process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of Lark's indenter; two words without a space between them are refused (`andc`,
        `in1..13`).
        """
        token: Token | None = None
        before = Token("", " ")
        for token in stream:
            if token.type == self.NL_type:
                yield from self.handle_NL(token)
                continue
            if token.start_pos == before.end_pos and _is_of_a_word(token[0]) and _is_of_a_word(before[-1]):
                raise Glued(before, token)
            yield token
            before = token
            if token.type in self.OPEN_PAREN_types:
                self.paren_level += 1
            elif token.type in self.CLOSE_PAREN_types:
                self.paren_level -= 1
        while len(self.indent_level) > 1:
            self.indent_level.pop()
            yield (
                Token.new_borrow_pos(self.DEDENT_type, "", token)
                if token
                else Token(self.DEDENT_type, "", 0, 0, 0, 0, 0, 0)
            )

    def handle_NL(self, token: Token) -> Iterator[Token]:
        if self.paren_level > 0:
            return
        yield token
        indent = token.rsplit("\n", 1)[1]
        width = (
            indent.count(" ") + indent.count("\t") * self.tab_len
            if not indent.lstrip(" \t")
            else self.indent_level[-1]
        )
        if width > self.indent_level[-1]:
            self.indent_level.append(width)
            yield Token.new_borrow_pos(self.INDENT_type, indent, token)
        else:
            while width < self.indent_level[-1]:
                self.indent_level.pop()
                yield Token.new_borrow_pos(self.DEDENT_type, indent, token)
            if width != self.indent_level[-1]:
                raise Misaligned(token)


def _is_of_a_word(character: str) -> bool:
    """Tell whether a character can stand in a name or a number."""
    return character.isalnum() or character == "_"


class Glued(UnexpectedInput):
    """A word or a number that follows another one without a space."""

    def __init__(self, before: Token, token: Token) -> None:
        super().__init__("glued")
        self.before, self.token = before, token


class Misaligned(DedentError):
    """A line is indented less than the one before it, and no line above has the same indentation."""

    def __init__(self, token: Token) -> None:
        super().__init__("misaligned")
        self.token = token


@lru_cache(maxsize=1)
def lark_parser() -> Lark:
    """The parser of the grammar, from its stored tables."""
    grammar = grammar_file(GRAMMAR).read_text(encoding="utf-8")
    with _everything_stays():
        return skip_unit_rules(load_parser(grammar, IndentationTokens(), STARTS))


@contextmanager
def _everything_stays() -> Iterator[None]:
    """Collect no garbage while many small objects are made that all stay, and count them as old ones
    afterwards.

    Looking through them for garbage took as long as making them. Freezing puts what there is among the old
    objects, where thawing leaves it; who has frozen objects before is left alone.
    """
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:
            gc.freeze()
            gc.unfreeze()
        if is_collecting:
            gc.enable()


@lru_cache(maxsize=CACHED_TREES)
def _tree(source: str, start: str) -> tuple[Tree[Token], tuple[int, int] | None]:
    """The tree of a text, and the offsets where it is nested too deep, or `None`.

    Cached: short texts repeat, and an edit changes one long text.
    """
    tree = lark_parser().parse(source, start=start)
    if any(word.translate(STAND_INS) in source for word in SOFT_WORDS):
        _restore_names(tree)
    return tree, too_deep(tree, MAX_RULE_DEPTH)


def _restore_names(tree: Tree[Token]) -> None:
    """Give names that were masked because they are words, too, their own text."""
    called = {word.translate(STAND_INS): word for word in SOFT_WORDS}
    for part in tree.iter_subtrees():
        part.children = [
            Token.new_borrow_pos(k.type, called[k], k) if isinstance(k, Token) and k in called else k
            for k in part.children
        ]


def parse_module(text: Positioned) -> tuple[tuple[n.Item | n.Revision | n.Broken, ...], list[Diagnostic]]:
    """Definitions and hooks of one text."""
    tree, builder, found = parse_tree(text, "module")
    items = () if tree is None else tuple(builder.item(t) for t in tree.children if isinstance(t, Tree))
    return ((*items, *builder.rest()) if found else items), found + builder.mistakes


def parse_block(text: Positioned) -> tuple[n.Block, list[Diagnostic]]:
    """The statements of a phase."""
    tree, builder, found = parse_tree(text, "block")
    block = () if tree is None else builder.block(tree.children)
    return ((*block, *builder.rest()) if found else block), found + builder.mistakes


def parse_expression(text: Positioned) -> tuple[n.Expr | None, list[Diagnostic]]:
    """Parse one expression.

    Returns the expression, `None` if it cannot be read, and diagnostics.
    """
    return _parse_one(
        text, "expression", lambda b, t: b.expr(next(k for k in t.children if isinstance(k, Tree)))
    )


def parse_declaration(text: Positioned) -> tuple[n.Declaration | None, list[Diagnostic]]:
    """A type, perhaps with a start value and an audience."""
    return _parse_one(text, "declaration", lambda b, t: b.declaration(_without_newlines(t)))


def parse_audience(text: Positioned) -> tuple[n.Audience | None, list[Diagnostic]]:
    """Parse an audience: an expression, or `one if condition`.

    Returns the audience, `None` if it cannot be read, and diagnostics.
    """
    return _parse_one(
        text, "audience", lambda b, t: b.audience(next(k for k in t.children if isinstance(k, Tree)))
    )


def parse_binding(text: Positioned) -> tuple[n.Binding | None, list[Diagnostic]]:
    """`name in source if condition`."""
    return _parse_one(text, "binding", lambda b, t: b.binding(_without_newlines(t)))


def parse_template(text: Positioned) -> tuple[n.Template, list[Diagnostic]]:
    """A text with `{expression}` parts, without quotes of the rule language (labels)."""
    builder = TreeBuilder(text, _parse_part)
    return builder.template_parts(text.text, 0, text.span(0, len(text.text))), builder.mistakes


def _without_newlines(t: Tree[Token]) -> Tree[Token]:
    return Tree(t.data, [k for k in t.children if not (isinstance(k, Token) and k.type == "_NL")], t.meta)


def _parse_one(
    text: Positioned, start: str, build: Callable[[TreeBuilder, Tree[Token]], T]
) -> tuple[T | None, list[Diagnostic]]:
    tree, builder, found = parse_tree(text, start)
    if tree is None or found:
        return None, found
    built = build(builder, tree)
    return (None if builder.mistakes else built), builder.mistakes


def _refuse(text: Positioned) -> list[Diagnostic]:
    """The diagnostics because of which a text is not parsed at all."""
    source = text.text
    if len(source) > MAX_RULE_TEXT:
        return [diagnose("P052", text.span(MAX_RULE_TEXT, MAX_RULE_TEXT + 1), limit=MAX_RULE_TEXT)]
    control = _CONTROL.search(source)
    if control is not None:
        return [diagnose("P009", text.span(*control.span()), character=control.group())]
    deep = _bracket_depth(source)
    if deep is not None:
        return [diagnose("P003", text.span(*deep), limit=MAX_RULE_DEPTH)]
    return _misleading(text)


_PLUS_BEHIND = re.compile(r"(?<![=<>!+-])=\+(?=\s|\d|\w)")


def plus_behind(text: Positioned) -> list[Diagnostic]:
    """A diagnostic for each `=+`, which reads like `+=` and gives the value itself."""
    found = []
    for sign in _PLUS_BEHIND.finditer(mask(text.text)):
        span = text.span(*sign.span())
        found.append(diagnose("P078", span, fix=Fix(span, "+=", "write `+=`", safe=False)))
    return found


def mixed_tabs(text: Positioned) -> list[Diagnostic]:
    """A diagnostic for each line that is indented with tabs, where others are indented with spaces.

    A tab counts as far as the next eighth column.
    """
    lines = [line for line in Lines(text.text).all if not line.blank]
    indents = [line.text[: line.indent] for line in lines]
    if not any("\t" in indent for indent in indents) or not any(" " in indent for indent in indents):
        return []
    found = []
    for line, indent in zip(lines, indents, strict=True):
        if "\t" in indent:
            width = indent.count(" ") + indent.count("\t") * IndentationTokens.tab_len
            span = text.span(line.start, line.first)
            found.append(diagnose("P075", span, fix=Fix(span, " " * width, f"write {width} spaces")))
    return found


def _misleading(text: Positioned) -> list[Diagnostic]:
    """A diagnostic for each character, and the first occurrence of each name, that looks like others."""
    found: list[Diagnostic] = []
    for sign in lookalikes(text.text):
        span = text.span(sign.start, sign.end)
        fix = Fix(span, sign.instead, title_of_fix(sign), sign.safe)
        found.append(diagnose("P067", span, what=sign.what, needed=sign.needed, fix=fix))
    for name, start, end in confusable_names(text.text):
        span = text.span(start, end)
        plain = plain_name(name)
        change = None if plain is None else Fix(span, plain, f"write `{plain}`")
        marks = [c for c in name if unicodedata.combining(c)]
        help = (
            f"an accent in it is a character of its own (U+{ord(marks[0]):04X}): type the letter with its "
            f"accent as one"
            if marks
            else None
        )
        found.append(diagnose("P019", span, name=name, fix=change, help=help))
    return found


def parse_tree(text: Positioned, start: str) -> tuple[Tree[Token] | None, TreeBuilder, list[Diagnostic]]:
    """The tree of a text (`None` if it cannot be parsed), the builder of its nodes, and the diagnostics."""
    source, line_wise = text.text, start in LINE_WISE
    builder = TreeBuilder(text, _parse_part)
    refused = _refuse(text)
    if refused:
        builder.note_lost(source)
        return None, builder, refused
    if not mask(source).strip():
        return (
            (Tree(start, []), builder, [])
            if start == "module"
            else (None, builder, [diagnose("P002", text.span(0, 0))])
        )
    if line_wise:
        source = source.rstrip() + "\n"
    found: list[Diagnostic] = []
    read = 0
    while True:
        if found and not source.strip():
            return None, builder, found
        try:
            tree, deep = _tree(_parsed(source), start)
            if "=+" in source and not found:
                found += plus_behind(text)
            if "\t" in source and not found:
                found += mixed_tabs(text)
            break
        except (UnexpectedInput, Misaligned) as error:
            offset, read = _offset(error, source), read + len(source)
            lines = Lines(source)
            at, misaligned, others, meant = offset, False, tuple[int, ...](), ""
            if not is_marker(source[offset : offset + 1]):
                # imported here: texts without mistakes do not need it
                from croupier.syntax.mistakes import describe_mistake

                mistake = describe_mistake(
                    text, lines, offset, error, start, partial(first_mistake, start=start)
                )
                found.append(mistake.diagnostic)
                at, misaligned, others, meant = mistake.at, mistake.misaligned, mistake.others, mistake.meant
                if mistake.diagnostic.fix is not None:
                    builder.note_lost(mistake.diagnostic.fix.replacement)
                if mistake.gone:
                    builder.note_lost("\n".join(lines.all[number].code for number in mistake.gone))
                    source = "\n".join(
                        " " * len(x.text) if x.number in mistake.gone else x.text for x in lines.all
                    )
                    continue
                if mistake.whole and line_wise:
                    source, lost = without_block(lines, at)
                    builder.note_lost(lost)
                    continue
                if mistake.ends_text:
                    builder.note_lost(source)
                    return None, builder, found
            repaired, lost = (
                without_statement(lines, at, start, misaligned, meant) if line_wise else (source, "")
            )
            builder.note_lost(lost)
            for other in others:
                repaired, lost = without_statement(Lines(repaired), other, start, misaligned=False)
                builder.note_lost(lost)
            if repaired == source or len(found) >= MAX_SYNTAX_ERRORS or read > MAX_REREAD:
                builder.note_lost(source)
                return None, builder, found
            source = repaired
        except LarkError:  # pragma: no cover - any other refusal of the library
            return (
                None,
                builder,
                [diagnose("P001", text.span(0, len(text.text)), problem="this text cannot stand here")],
            )
    if deep is not None:
        builder.note_lost(source)
        return None, builder, [diagnose("P003", text.span(*deep), limit=MAX_RULE_DEPTH)]
    builder.read(tree)
    return tree, builder, found


def _parsed(source: str) -> str:
    """The characters that the parser is given: without comments and citations, and with stand-ins for words
    that are names.
    """
    code, masked = without_trivia(source), mask(source)
    for first, last in (*names_not_keywords(masked), *words_as_names(masked)):
        code = code[:first] + code[first:last].translate(STAND_INS) + code[last:]
    return code


def first_mistake(source: str, start: str) -> int:
    """The offset of the first mistake of a text of the kind `start`; its length if there is none.

    Not cached: the text is a guess.
    """
    try:
        lark_parser().parse(_parsed(source), start=start)
    except (UnexpectedInput, Misaligned) as error:
        ended = getattr(getattr(error, "token", None), "type", "") == "$END"
        if ended and start in LINE_WISE:  # only the block below its last line is missing
            return len(source)
        return _offset(error, source) - ended
    return len(source)


def _parse_part(text: Positioned, begin: int, end: int) -> tuple[n.Expr | None, list[Diagnostic]]:
    """The expression between two braces of a template."""
    inner = text.text[begin:end]
    if not inner.strip():
        return None, [diagnose("P005", text.span(max(0, begin - 1), min(len(text.text), end + 1)))]
    expr, found = parse_expression(Slice(text, begin, end))
    shape = _FORMAT.search(inner)
    if found and shape is not None and found[0].code in ("P001", "P009", "P047"):
        return None, [diagnose("P051", text.span(begin + shape.start(), begin + len(inner.rstrip())))]
    return expr, found


_FORMAT = re.compile(r"![rsa]\s*(?::|$)|:")


class Slice:
    """A part of a rule text as a rule text; spans are those of the file."""

    def __init__(self, whole: Positioned, begin: int, end: int) -> None:
        self.whole, self.begin = whole, begin
        self.text = whole.text[begin:end]

    def span(self, start: int, end: int) -> Span:
        return self.whole.span(self.begin + start, self.begin + end)


def _offset(error: Exception, source: str) -> int:
    """The offset of the parser's error."""
    if isinstance(error, Misaligned):
        return (error.token.start_pos or 0) + len(error.token)
    if isinstance(error, UnexpectedCharacters):
        return error.pos_in_stream or 0
    token = getattr(error, "token", None)
    if token is not None and token.type != "$END" and token.start_pos is not None:
        return int(token.start_pos)
    return len(source.rstrip())


@lru_cache(maxsize=CACHED_TREES)
def _bracket_depth(source: str) -> tuple[int, int] | None:
    """The offsets of the first bracket or indentation beyond the limit of depth; `None` if there is none.

    Runs before parsing.
    """
    depth = 0
    for m in re.finditer(r'"[^"\n]*"|#[^\n]*|[(\[{]|[)\]}]', source):
        if m.group() in "([{":
            depth += 1
            if depth > MAX_RULE_DEPTH:
                return m.span()
        elif m.group() in ")]}":
            depth = max(0, depth - 1)
    wide = next(
        (m for m in re.finditer(r"(?m)^[ \t]*(?=\S)", source) if len(m.group()) > 8 * MAX_RULE_DEPTH), None
    )
    return None if wide is None else (wide.end(), wide.end() + 1)


# ---------------------------------------------------------------- tokens
INDENT, DEDENT = "_INDENT", "_DEDENT"
_LAYOUT_TOKENS = {"_NL", INDENT, DEDENT}


@dataclass(frozen=True, slots=True)
class CodeToken:
    """A token: its kind in the grammar (`NAME`, `SIGN`, `IF` …), its text, its offset, and how many blocks it
    stands in.
    """

    kind: str
    text: str
    start: int
    depth: int

    @property
    def end(self) -> int:
        """The offset after its last character."""
        return self.start + len(self.text)


def code_tokens(text: str, start: str) -> list[CodeToken] | None:
    """The tokens of a text of the kind `start`, without line ends, comments and citations; `None` if there
    are mistakes in it.
    """
    tokens, whole = tokens_until_mistake(text, start)
    return tokens if whole else None


def tokens_until_mistake(text: str, start: str) -> tuple[list[CodeToken], bool]:
    """The tokens of a text up to its first mistake, and whether the text ends without one."""
    if len(text) > MAX_RULE_TEXT:
        return [], False
    source = text.rstrip() + "\n" if start in LINE_WISE else text
    tokens: list[CodeToken] = []
    depth = 0
    try:
        reading = lark_parser().parse_interactive(without_trivia(source), start=start)
        for token in reading.iter_parse():
            depth += {INDENT: 1, DEDENT: -1}.get(token.type, 0)
            if token.type not in _LAYOUT_TOKENS:
                tokens.append(CodeToken(token.type, str(token), token.start_pos or 0, depth))
        reading.feed_eof()  # type: ignore[no-untyped-call]
    except (UnexpectedInput, Misaligned):
        return tokens, False
    return tokens, True


def accepted(text: str, start: str) -> frozenset[str] | None:
    """The kinds of token that may follow a text of the kind `start`; `None` if there is a mistake in it."""
    if len(text) > MAX_RULE_TEXT:
        return None
    try:
        reading = lark_parser().parse_interactive(without_trivia(text), start=start)
        line_end = "."
        for token in reading.iter_parse():
            # blocks that end only because the text ends
            if token.type == DEDENT and not token and not line_end.endswith("\n"):
                break
            if token.type != DEDENT:
                line_end = str(token) if token.type == "_NL" else "."
    except (UnexpectedInput, Misaligned):
        return None
    return frozenset(reading.accepts())  # type: ignore[no-untyped-call]
