"""How statements are written: a row for each rule of the grammar that is a statement.

The reader of YAML, the parser, its messages, the names that are reserved and the rulebook know statements by
these rows. A test holds them against the grammar.
"""

from __future__ import annotations

from croupier.records import dataclass


@dataclass(frozen=True, slots=True)
class StatementWords:
    """How a statement is written.

    `line` is a pattern of what is certainly such a line though it stands where a key of YAML might: of one
    without a block the whole line, of one with a block the line up to the sign `:`.
    """

    rule: str  # of the grammar
    words: tuple[str, ...] = ()  # that it may begin with
    line: str | None = None
    has_block: bool = False
    may_share_line: bool = False  # what is done may stand behind `:` where no title looks like that
    is_verb: bool = False  # a word with operands: its node is a `Verb`
    joints: tuple[str, ...] = ()  # of a verb, the words between its operands
    form: str = ""  # the form that it is checked to, where that is another statement's
    is_word: bool = False  # nothing but its word: its node is a `Simple`
    # younger than version 1: its word stays a name, but for where it begins such a line
    is_young: bool = False


WRITTEN = (
    StatementWords("let", ("let", "var"), r"(?:let|var)\s+\w+\s*(?::[^:]*)?=[^:]*"),
    StatementWords("assign", line=r"\w[\w.\[\]]*\s*(?:\+=|-=|=)\s[^:]+"),
    StatementWords("callstmt"),
    StatementWords("return_", ("return",)),
    StatementWords("break_", ("break",), is_word=True),
    StatementWords("continue_", ("continue",), is_word=True),
    StatementWords("pass_", ("pass",), is_word=True),
    StatementWords("if_", ("if",), r"if\s[^:]+", has_block=True),
    StatementWords("for_", ("for",), r"for\s+\w+\s+in\s[^:]+", has_block=True, may_share_line=True),
    StatementWords(
        "for_seconds",
        ("for",),
        r"for\s[^:]+\sseconds?(?:\s+otherwise\s+\w+)?",
        has_block=True,
        may_share_line=True,
    ),
    StatementWords("repeat", ("repeat",), r"repeat(?:\suntil\s[^:]+)?", has_block=True),
    StatementWords("match_", ("match",), r"match\s[^:]+", has_block=True),
    StatementWords("pass_on", ("pass",), is_verb=True, joints=("to",), form="swap"),
    StatementWords("move", ("move",), r"move\s[^:]+\sto\s[^:]+"),
    StatementWords("draw", ("draw",), r"draw\s[^:]+\sfrom\s[^:]+"),
    StatementWords(
        "deal",
        ("deal",),
        r"deal\s[^:]+\seach\s+from\s[^:]+\sto\s[^:]+",
        is_verb=True,
        joints=("each from", "to", "in"),
        form="draw",
        is_young=True,
    ),
    StatementWords("shuffle", ("shuffle",), r"shuffle\s+\w[^:]*", is_verb=True),
    StatementWords("roll", ("roll",), r"roll\s+\w[^:]*", is_verb=True),
    StatementWords("swap", ("swap",), r"swap\s[^:]+\swith\s[^:]+", is_verb=True, joints=("with",)),
    StatementWords("add", ("add",), is_verb=True, joints=("to",)),
    StatementWords("remove", ("remove",), is_verb=True, joints=("from",)),
    StatementWords("show", ("show",), r"show\s[^:]+\sto\s[^:]+", is_verb=True, joints=("to",)),
    StatementWords("reveal", ("reveal",), r"reveal\s+\w[^:]*", is_verb=True, form="show"),
    StatementWords("tell", ("tell",), r'tell\s[^:]+\sthat\s+"[^"]*"'),
    StatementWords("announce", ("announce",), r'announce\s+"[^"]*"', form="tell"),
    StatementWords("open_", ("open",), r"open\s+\w+\s*\([^:]*"),
    StatementWords("claim_", ("claim",), is_verb=True, form="menu"),
    StatementWords("finish", ("finish",), r"finish\s+(?:win\s[^:]*|rank\s*\{.*|pay\s*\{.*|lose|draw)"),
    StatementWords("choose_line", ("choose",), r"choose\s[^:]+\sfrom\s[^:]+"),
    StatementWords("menu", ("choose",), r"choose\s+by\s[^:]+", has_block=True),
    StatementWords("maychoose", ("may",), r"may\s+choose\s[^:]+\sfrom\s[^:]+", has_block=True),
    StatementWords("sothat", ("so",), r"so\s+that\s[^:]+", has_block=True),
    StatementWords("secretly", ("secretly",), r"secretly\s[^:]+", has_block=True),
)
STATEMENT_WORDS = tuple(dict.fromkeys(word for row in WRITTEN for word in row.words))
"""The words that statements begin with."""
YOUNG_LINES = {row.words[0]: row.line or "" for row in WRITTEN if row.is_young}
"""The lines of statements that are younger than version 1, by their words."""
VERB_ROWS = {row.rule.rstrip("_"): row for row in WRITTEN if row.is_verb}
"""The rows of words with operands, by what their nodes call them."""
BLOCK_WORDS = frozenset(word for row in WRITTEN if row.has_block for word in row.words)
"""Those of statements that may have a block below them."""
