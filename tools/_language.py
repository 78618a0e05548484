"""The generated parts of grammar/LANGUAGE.md and grammar/reference: tables of keys, built-in words, limits,
errors, commands, exit codes, the grammar, vectors of the random streams.

A part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`. Everything in it comes from the
tables that the interpreter itself reads, so the specification cannot say less or more.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from _calibration_table import read as calibration_read
from _calibration_table import table as calibration_table
from _commands import command, commands, exit_codes
from _outputs import header_keys, output, output_parts, outputs
from _site_pages import FIRST
from croupier.diagnostics.catalogue import CODES
from croupier.resources import grammar_file
from croupier.runtime import streams
from croupier.schema import declaration, document, leaves, shapes, values
from croupier.schema import sections as schema_sections
from croupier.schema.declaration import Declaration
from croupier.semantics import builtins
from croupier.semantics.check import DEFAULT_LIMITS

PART = re.compile(r"(<!-- generated: (\w+) ?([\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(text: str) -> str:
    """A page with its generated parts as they should be. Raises KeyError for a part of an unknown name."""
    return PART.sub(
        lambda m: m.group(1) + PARTS[m.group(2)](m.group(3)).rstrip("\n") + "\n" + m.group(4), text
    )


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A Markdown table."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in lines)


# ---------------------------------------------------------------- keys of the document
MODELS: dict[str, type[Declaration]] = {
    "RulesetDoc": document.RulesetDoc, "VariantDoc": document.VariantDoc, "Limits": document.Limits,
    "Enumeration": values.Enumeration,
    "RecordType": values.RecordType, "Parameter": values.Parameter, "Component": schema_sections.Component,
    "StackOptions": schema_sections.StackOptions, "Zone": schema_sections.Zone,
    "Board": schema_sections.Board, "CellLabels": schema_sections.CellLabels,
    "StateVariable": schema_sections.StateVariable, "Phase": schema_sections.Phase,
    "Claim": schema_sections.Claim,
    "AddedPhase": document.AddedPhase, "Additions": document.Additions, "Removals": document.Removals,
    "TableLook": schema_sections.TableLook, "ModuleDoc": document.ModuleDoc,
}  # fmt: skip
SHAPES: dict[str, str] = {  # how to write what has a reader of its own
    "PlayerCounts": "`2`, `2..6`, `[2, 4]`, `{range: 2..6, default: 4}`",
    "Cites": "rule ids", "Seen": "an audience", "Definitions": "rule text, or such texts by title",
    "links": "pairs of names", "uses": "names, or groups of names by module",
    "powers": "rule text, or such texts by id", "table": "rows, or the name of a file",
    "values": "names, or rows by name", **dict.fromkeys(("edge_values", "corner_values"), "rows by name"),
    "valid": "an expression, or such by their words",
    "Located": "a value", "default": "a value", "start": "a value",
}  # fmt: skip
ALIASES = {
    "players": "PlayerCounts",
    "cites": "Cites",
    "seen_by": "Seen",
    "counted_by": "Seen",
    "definitions": "Definitions",
}
WRITTEN = {
    ("Parameter", "variants"): "by value a name, or a list of names",
    ("TableLook", "values"): "groups of colours, by enumeration",
}
WRITTEN |= {("TableLook", "large"): "names by component", ("TableLook", "together"): "names by title"}
WRITTEN |= dict.fromkeys(
    ((model, "policies") for model in ("RulesetDoc", "VariantDoc", "Additions")),
    "groups of expressions, by name",
)
DEFAULTS: dict[tuple[str, str], str] = {
    ("Limits", "decisions"): f"{DEFAULT_LIMITS['decisions']:,}",
    ("Limits", "chance"): f"{DEFAULT_LIMITS['chance']:,}",
    ("Limits", "fuel"): f"{DEFAULT_LIMITS['fuel']:,}",
    ("Parameter", "default"): "the first of `one_of`; with `type` it is needed",
    ("Parameter", "valid"): "always", ("Parameter", "type"): "this or `one_of`",
    ("Parameter", "one_of"): "this or `type`",
    ("Component", "copies"): "1", ("Component", "label"): "see below",
    ("Component", "rolls"): "the only mutable one",
    ("Component", "live"): "`zones`", ("Zone", "order"): "`set`", ("Zone", "capacity"): "no limit",
    ("Zone", "seen_by"): "`nobody`",
    ("Zone", "counted_by"): "`everybody`", ("Zone", "live"): "`false`", ("Zone", "per"): "one zone",
    ("Zone", "start"): "nothing",
    ("Board", "adjacency"): "`orthogonal`", ("Board", "cell"): "`Cell`, or `NAME_cell`",
    ("Board", "stack"): "cells hold nothing",
    ("StateVariable", "start"): "see below", ("StateVariable", "seen_by"): "`nobody`",
    ("StateVariable", "type"): "needed",
    ("Claim", "only if"): "always", ("Phase", "for"): "once", ("Phase", "repeat"): "once",
    ("Phase", "repeat until"): "once",
    ("Phase", "phases"): "needed",
}  # fmt: skip


def keys(name: str) -> str:
    """The keys of one model: how they are written, what holds without them, what they mean."""
    if name == "COMMON":
        return table(
            ("key", "value", "meaning"),
            [(f"`{k}`", written("", k, None), line) for k, line in declaration.COMMON.items()],
        )
    model = MODELS[name]
    hints = typing.get_type_hints(model, include_extras=True)
    rows = []
    for key in model.keys():
        if key not in declaration.COMMON:
            field = next(n for n, f in model.model_fields.items() if (f.alias or n) == key)
            without = "needed" if key in model.required() else DEFAULTS.get((name, key), "")
            rows.append(
                (f"`{key}`", written(name, key, hints[field]), without, declaration.describe_key(name, key))
            )
    return table(("key", "value", "without it", "meaning"), rows)


def written(model: str, key: str, annotation: Any) -> str:
    """Return how the value of a key is written, in a few words."""
    if key in ALIASES:
        return SHAPES[ALIASES[key]]
    if key == "doc":
        return "a text"
    if (model, key) in WRITTEN:
        return WRITTEN[model, key]
    leaf = _find(annotation, leaves.Leaf)
    group = _find(annotation, shapes.Group)
    items = _find(annotation, shapes.ShapeList)
    if group is not None:
        if leaf is None or " " not in leaf.wanted:
            return "entries"
        return f"{leaf.wanted.split(' ', 1)[1]} by name"
    if items is not None:
        return str(items.wanted)
    if leaf is not None:
        return str(leaf.wanted).replace("one of the words ", "")
    if key in SHAPES:
        return SHAPES[key]
    inner = next((a for a in _parts(annotation) if isinstance(a, type) and issubclass(a, Declaration)), None)
    if inner is not None:
        return "a group of keys"
    raise KeyError(f"{model}.{key}")


def _parts(annotation: Any) -> list[Any]:
    """An annotation and everything in it, outermost first."""
    found = [annotation]
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is not None:
        found += [p for a in typing.get_args(annotation) for p in _parts(a)]
    return found


def _find(annotation: Any, kind: type[Any]) -> Any:
    return next((p for p in _parts(annotation) if isinstance(p, kind)), None)


# ---------------------------------------------------------------- built-in words
def functions(_: str) -> str:
    """The built-in functions."""
    rows = [(f"`{f.signature}`", f.doc) for f in builtins.FUNCTIONS.values()]
    return table(
        ("function", "gives"), [*rows, *((f"`{name}`", doc) for name, doc in builtins.PLAIN_VALUES.items())]
    )


def members(kind: str) -> str:
    """Attributes and methods of a kind of value; what zones share with lists is left out."""
    rows = builtins.MEMBERS[kind]
    own = [m for n, m in rows.items() if kind not in ("zone", "family") or builtins.SEQUENCE.get(n) is not m]
    return table(("written", "gives"), [(f"`{m.signature}`", m.doc) for m in own])


def aggregates(_: str) -> str:
    """The aggregates."""
    return table(
        ("written", "gives"),
        [(f"`{signature}`", doc) for signature, doc in (builtins.AGGREGATES | builtins.CLOSURES).values()],
    )


# ---------------------------------------------------------------- limits
# what is limited, where the number stands, what is said beyond it
LIMITS: tuple[tuple[str, str, str], ...] = (
    ("bytes of a YAML file", "limits.MAX_YAML_BYTES", "`Y203` `X005`"),
    ("lines of a YAML file", "limits.MAX_YAML_LINES", "`Y204`"),
    ("characters of a line", "limits.MAX_YAML_LINE", "`Y205`"),
    ("lists and mappings within each other", "limits.MAX_YAML_DEPTH", "`Y201`"),
    ("keys, values, lists and mappings of a file", "limits.MAX_YAML_NODES", "`Y202`"),
    ("bytes of a CSV file", "limits.MAX_TABLE_BYTES", "`X005`"),
    ("rows of a CSV file", "limits.MAX_TABLE_ROWS", "`X107`"),
    ("columns of a CSV file", "limits.MAX_TABLE_COLUMNS", "`X107`"),
    ("cells of a CSV file", "limits.MAX_TABLE_CELLS", "`X107`"),
    ("variants that extend each other", "limits.MAX_EXTENDS", "`V107`"),
    ("variants that are combined", "limits.MAX_COMBINED_VARIANTS", "`V107`"),
    (
        "combinations of variants switched on by parameters that `check` checks",
        "limits.MAX_CHECKED_COMBINATIONS",
        "others are checked when a game is set up",
    ),
    ("characters of a path that a ruleset names", "limits.MAX_NAMED_PATH", "`X010`"),
    ("characters of a path", "limits.MAX_PATH", "`X010`"),
    ("bytes of a saved game", "play.saved.LARGEST_FILE", "`X005`"),
    ("characters of a name", "limits.MAX_NAME", "`D103`"),
    ("characters of a title, label or template", "limits.MAX_LABEL", "`D103`"),
    ("characters of one rule text", "limits.MAX_RULE_TEXT", "`P052`"),
    ("characters of all rule texts of a ruleset together", "limits.MAX_RULE_TEXTS", "`P052`"),
    ("brackets, blocks, operators within each other", "limits.MAX_RULE_DEPTH", "`P003`"),
    ("mistakes reported in one rule text", "limits.MAX_SYNTAX_ERRORS", ""),
    ("findings of one code in one file", "limits.MAX_ALIKE_FINDINGS", ""),
    ("players", "limits.MAX_PLAYERS", "`D105`"),
    ("components of all classes", "limits.MAX_COMPONENTS", "`G014`"),
    ("cells of all boards", "limits.MAX_CELLS", "`G015`"),
    ("zones, each of a `per` counted", "limits.MAX_ZONES", "`G016`"),
    ("values of the state, each entry of a map counted", "limits.MAX_ENTRIES", "`G016`"),
    ("values of a record, those of the records in it counted", "limits.MAX_FIELDS", "`G016`"),
    ("values of a local, each entry of a map counted", "limits.MAX_ENTRIES", "`G016`"),
    ("things that a claim can say", "limits.MAX_CLAIMS", "`G016`"),
    ("size of a number, either way", "limits.MAX_NUMBER", "`T018` `R004`"),
    ("elements of a list", "limits.MAX_LIST", "`R012`"),
    ("cells looked at to find the runs of a board", "limits.MAX_CELLS_EXAMINED", "`R012`"),
    ("cells looked at to find the lines of a board", "limits.MAX_CELLS_EXAMINED", "`R012`"),
    (
        "words of the table of the lines of a board, all lengths that a rule may ask for, in compiled code",
        "limits.MAX_TABLED_LINES",
        "`L050`",
    ),
    ("seconds of a block that takes its time at a table", "limits.MAX_SECONDS", "`T085`"),
    ("options of a decision", "limits.MAX_OPTIONS", "`R016`"),
    ("values of one `for` of a menu that have no place in a type", "limits.MAX_MENU_ROWS", "`R016`"),
    ("attempts to complete a choice of several", "limits.MAX_COMPLETIONS", "`R016`"),
    ("positions examined ahead in one action", "limits.MAX_POSITIONS", "`R018`"),
    ("decisions in a row ahead, without `within`", "limits.MAX_LOOKAHEAD_DECISIONS", "`R025`"),
    ("characters of a symbol on a table", "limits.MAX_SYMBOL", "`D113`"),
    ("depth of all rules that have begun and not ended", "limits.MAX_CALL_DEPTH", "`R023`"),
    ("events of a game that are kept", "limits.MAX_EVENTS", ""),
    ("events of one action that are kept", "limits.MAX_EVENTS_AT_ONCE", ""),
    ("samples of a measure along the way of a game", "limits.MAX_SAMPLES", "later ones are not taken"),
    ("values of a list or map that a text shows", "limits.MAX_SHOWN", ""),
    ("decisions, and chance events, that `limits` may say", "limits.MAX_LIMIT_OF_EVENTS", "`D105`"),
    ("steps that `limits` may say", "limits.MAX_LIMIT_OF_FUEL", "`D105`"),
)
LIMITS_OF_A_GAME = {
    "decisions": ("decisions of a game, unless `limits` says otherwise", "unfinished"),
    "chance": ("chance events of a game, unless `limits` says otherwise", "unfinished"),
    "fuel": ("steps from one of them to the next, unless `limits` says otherwise", "`R010`"),
}


def constant(where: str) -> int:
    """The number of a constant: `limits.MAX_COMPONENTS`."""
    module, _, name = where.rpartition(".")
    value = getattr(import_module(f"croupier.{module}"), name)
    assert isinstance(value, int)
    return value


def limits(_: str) -> str:
    """Every limit with the code that reports it."""
    rows = [(what, constant(where), code) for what, where, code in LIMITS]
    rows += [(what, DEFAULT_LIMITS[key], code) for key, (what, code) in LIMITS_OF_A_GAME.items()]
    return table(
        ("limit", "number", "beyond it"),
        [(what, "2⁵³" if n == 2**53 else f"{n:,}", code) for what, n, code in rows],
    )


# ---------------------------------------------------------------- streams
KNOWN_ANSWERS = Path(__file__).parents[1] / "tests" / "data" / "philox.txt"  # of Random123


def random_streams(_: str) -> str:
    """The essay of the module, and vectors worked out by it."""
    essay = (streams.__doc__ or "").split("\n\n", 1)[1].split("Purposes in use")[0].rstrip()
    rows = []
    for seed, game, purpose in (
        (0, 1, "chance"),
        (1, 1, "chance"),
        (1, 2, "chance"),
        (1, 1, "seat 1"),
        (streams.LARGEST_SEED, 1, "seat 2"),
    ):
        stream = streams.Stream(seed, game, purpose)
        words = ", ".join(f"{stream.word():08x}" for _ in range(4))
        again = streams.Stream(seed, game, purpose)
        numbers = ", ".join(str(again.uniform(6)) for _ in range(8))
        key = " ".join(f"{half:08x}" for half in streams.stream_key(seed, purpose))
        rows.append((f"`{seed}` `{game}` `{purpose}`", f"`{key}`", f"`{words}`", f"`{numbers}`"))
    weights = streams.Stream(1, 1, "chance")
    drawn = ", ".join(str(weights.weighted([1, 2, 3])) for _ in range(12))
    answers = [
        line.split("|") for line in KNOWN_ANSWERS.read_text(encoding="ascii").splitlines() if line[0] != "#"
    ]
    known = [tuple(f"`{words.strip()}`" for words in line) for line in answers]
    return (
        "A stream has three keys: the *seed* of a run (0 to 2⁶⁴ - 1), the number of the *game* (from 1), "
        "and a *purpose*: `chance` for chance\n"
        "events, `seat P` for a random player at seat P, counted from 1. There is no hidden state.\n\n"
        "```text\n" + essay.split("\n\n", 1)[-1] + "\n```\n\n"
        "A chance event takes `weighted` over its outcomes in their canonical order, a random player "
        "`uniform` over the options in theirs.\n"
        "A shuffled part is drawn from one by one, each of what is left as likely as the others: the "
        "shuffle of Fisher and Yates.\n\n"
        + table(("seed, game, purpose", "key", "first four words", "`uniform(6)`, eight times"), rows)
        + f"\nThe first twelve of `weighted(1, 2, 3)` for seed 1, game 1, `chance`: `{drawn}`.\n\n"
        "What Random123, the library of the authors of Philox, publishes of Philox4x32-10:\n\n"
        + table(("counter", "key", "block"), known)
    )


# ---------------------------------------------------------------- the grammar
NAMES = {
    "_NL": "NEWLINE", "_INDENT": "INDENT", "_DEDENT": "DEDENT", "BEFORE": '"before"', "AFTER": '"after"',
    "REPLACE": '"replace"',
    "_GROUP": '"group"', "POSSIBLE": '"possible"', "VAR": '"var"', "ANY": '"any"', "SOME": '"some"',
    "LET": '"let"',
    "PLACE": '("top" | "bottom")', "AUGMENT": '("+=" | "-=")',
    "CMP": '("==" | "!=" | "<=" | ">=" | "<" | ">")', "SIGN": '("+" | "-")', "MUL": '("*" | "//" | "mod")',
}  # fmt: skip
WORDS = {
    "NAME": "a letter, then letters, digits and _", "INT": "digits",
    "STRING": "a text in double quotes on one line, with {expression} parts",
    "CITE": "@AB-12 or @AB-3,5 or @AB-17..20, at the end of a line", "COMMENT": "# and the rest of the line",
}  # fmt: skip
HIDDEN = ("lost", "_lost")


def grammar(_: str) -> str:
    """The rules of the grammar without what only the parser needs."""
    text = grammar_file("rules.lark").read_text(encoding="utf-8")
    lines: list[str] = []
    for line in text.split("\n"):
        if line.startswith("// ------"):
            title = line.strip("/- ").strip()
            if title == "terminals":
                break
            lines += ["", f"# {title}"]
        elif line.strip() and not line.startswith("//"):
            lines.append(_rule(line))
    kept: list[str] = []
    skipping = False
    for line in lines:
        name = line.split(":")[0].strip()
        if line and not line.startswith(" "):
            skipping = name.startswith(HIDDEN) or line == f"{name}: {name}"
        if not skipping:
            kept.append(line)
    terminals = "\n# words\n" + "".join(f"{name}: {what}\n" for name, what in WORDS.items())
    body = re.sub(r"\n# what a statement with a mistake[^\n]*\n", "\n", "\n".join(kept)).strip("\n")
    return "```text\n" + re.sub(r"\n{3,}", "\n\n", body) + "\n" + terminals + "```\n"


def _rule(line: str) -> str:
    line = re.sub(r"\s*->\s*\w+\s*$", "", line)
    line = re.sub(r"\s*\|\s*_?lost\w*", "", line)
    line = re.sub(r"\((\w+) \| _?lost\w*\)", r"\1", line)
    line = re.sub(r"\((\w+)\)([+*])", r"\1\2", line)
    line = re.sub(r"^\?(?=\w)", "", line)
    line = re.sub(r"^ +(?=\|)", "    ", line)
    for name, shown in NAMES.items():
        line = re.sub(rf'(?<!["\w]){name}(?!["\w])', shown, line)
    line = re.sub(r'(?<![\w"])_(?=[a-z])', "", line)
    return re.sub(r'(?<=[a-z])_(?![\w"])', "", line)


# ---------------------------------------------------------------- errors
STAGES = {  # by the letter of a code what its errors are about, and where that is described
    "Y": ("YAML", "[The document](document.md)"),
    "D": ("the shape of the document", "[The document](document.md)"),
    "V": (
        "variants, modules, tables, rule lists",
        "[Parameters, variants, tables](variants.md), [modules](modules.md), "
        "[citations](scenarios.md#1-citations)",
    ),
    "P": ("the form of rule text", "[The grammar](grammar.md)"),
    "N": ("names", "[Types and values](types.md)"),
    "T": (
        "types",
        "[Types and values](types.md), [expressions](expressions.md), [statements](statements.md), "
        "[choices](choices.md), [definitions](definitions.md)",
    ),
    "F": (
        "the course of rules",
        "[Statements](statements.md), [choices](choices.md), [definitions](definitions.md), "
        "[hooks](hooks.md), [looking ahead](lookahead.md)",
    ),
    "L": ("things to look at again", "[Warnings](#1-warnings)"),
    "G": ("setting up", "[The document](document.md), [parameters](variants.md#1-parameters)"),
    "R": ("faults while a game runs", "[Faults](limits.md#1-faults)"),
    "K": ("scenarios", "[Scenarios](scenarios.md#2-scenarios)"),
    "X": ("files, saved games, scripts", "[Tables](variants.md#3-tables), [command line](cli.md)"),
}
CATALOGUE = "../../interpreter/croupier/diagnostics/catalogue"


def errors(_: str) -> str:
    """Every code by stage."""
    out = []
    for letter, (title, pages) in STAGES.items():
        rows = []
        for code, e in CODES.items():
            if code[0] == letter:
                name = f"`{e.name}`" + (" (warning)" if e.severity == "warning" else "")
                rows.append(
                    (
                        f"[`{code}`]({CATALOGUE}/{code}-{e.name}.md)",
                        name,
                        re.sub(r"\{(\w+)\}", r"…", e.message),
                    )
                )
        if rows:
            out.append(
                f"### {letter}: {title}\n\nDescribed in: {pages}.\n\n"
                + table(("code", "name", "message"), rows)
            )
    missing = {code[0] for code in CODES} - set(STAGES)
    if missing:
        raise KeyError(f"codes of unknown stages: {sorted(missing)}")
    return "\n".join(out)


# ---------------------------------------------------------------- the pages and their sections
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
FENCED = re.compile(r"^(`{3,})[^\n]*\n.*?^\1$", re.MULTILINE | re.DOTALL)
GENERATED = re.compile(r"<!-- generated: .*?<!-- end -->", re.DOTALL)


def sections(_: str) -> str:
    """Every page of the reference in the order of the site's menu, with its sections."""
    folder = grammar_file("rules.lark").parent
    order = FIRST["reference"]

    def rank(page: Path) -> tuple[int, str]:
        return order.index(page.stem) if page.stem in order else len(order), page.stem

    rows = []
    for page in sorted((folder / "reference").glob("*.md"), key=rank):
        path = page.relative_to(folder).as_posix()
        text = GENERATED.sub("", FENCED.sub("", page.read_text(encoding="utf-8")))
        found = [f"[{title}]({path}#{anchor(title)})" for title in SECTION.findall(text)]
        for below in sorted(page.with_suffix("").glob("*.md")):  # of commands, of outputs
            found.append(f"[{below.stem}]({below.relative_to(folder).as_posix()})")
        rows.append((f"[{first_line(text).removeprefix('# ')}]({path})", " · ".join(found)))
    return table(("page", "sections"), rows)


def first_line(text: str) -> str:
    """The line that a text begins with."""
    return text.partition("\n")[0]


def anchor(title: str) -> str:
    """Return the anchor of a heading within its page, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# ---------------------------------------------------------------- columns of decisions and events
def columns(what: str) -> str:
    """The columns of the rows of `decisions` or `events`."""
    from croupier.play.decisions import DECISION_COLUMNS, EVENT_COLUMNS

    found = DECISION_COLUMNS if what == "decisions" else EVENT_COLUMNS
    return table(("column", "type", "meaning"), [(f"`{c.name}`", f"`{c.type}`", c.meaning) for c in found])


def calibration(_: str) -> str:
    """How often intervals and tests of comparisons err, as `tools/calibration` found it."""
    return "\n".join(calibration_table(calibration_read()))


PARTS: dict[str, Callable[[str], str]] = {
    "keys": keys, "functions": functions, "members": members, "aggregates": aggregates, "limits": limits,
    "streams": random_streams,
    "grammar": grammar, "errors": errors, "exit_codes": exit_codes, "commands": commands, "command": command,
    "sections": sections, "outputs": outputs, "output": output,
    "header": header_keys, "output_parts": output_parts, "columns": columns, "calibration": calibration,
}  # fmt: skip
__all__ = ["PARTS", "filled"]
