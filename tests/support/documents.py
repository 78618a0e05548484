"""Examples in documents run: the fenced blocks of a Markdown file, checked and played.

Kinds of blocks, by the words after the opening fence:

    yaml ruleset     a whole ruleset or variant: checks without a finding, and 20 random games finish
    yaml fragment    sections laid over a base: the same
    rules            rule text put into a base: what begins like a definition or a hook among its definitions,
                     the rest as a last phase
    values           one `expression → value : type` a line, worked out in the first position of a base
    yaml scenarios   a scenario file for a base: every scenario passes, but for those with expected findings
    python           a doctest; it knows the names and finds the files of the blocks above it
    python openspiel the same, where OpenSpiel is installed
    sh pandas        commands of croupier that make files for the blocks below it; it runs where pandas is
                     installed
    console          commands of croupier, each behind `$ `, and below it its stdout; `…` stands for
                     lines, or the end of one, that are left out
    python pandas    a doctest, where pandas is installed; likewise `python numpy`
    csv, yaml table, yaml file    a file, for the blocks below it: a table, or a variant of a ruleset that
                                  comes below it
    text, sh, json   shown, not run

Comments before a block (`<!-- name: shop -->`) say more: `name` gives a ruleset a name, `base` names the one
that a block is laid over, `file` the name under which the blocks below find it, `cite` may hold anything.  A
comment `#! T001:9` at the end of a line expects exactly that code in that line at that column (`#! T001`: in
that line; several with blanks between).  With such a comment a block must have these findings and no other.
A code that begins with R is a fault that ends every one of the games.

The pages of the specification (`SPECIFICATION`) share their names and files: each is given once, and known on
all of them.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import random
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import croupier
from croupier.cli import main
from croupier.diagnostics import Diagnostic, RulesetError, Source
from croupier.scenarios import run_scenarios
from croupier.semantics import check_expression
from croupier.source.ruletext import whole

ROOT = Path(croupier.__file__).resolve().parents[2]
SPECIFICATION = ("grammar/LANGUAGE.md", "grammar/reference/**/*.md")
GAMES = 20
FAULTY_GAMES = 3  # where every game ends in a fault
SHOWN_ONLY = {"text", "sh", "json", "toml", "lua", "vim"}
RUN = {
    "yaml ruleset", "yaml fragment", "yaml scenarios", "rules", "values", "python", "python openspiel",
    "python pandas", "python numpy", "sh pandas",
    "console",
    "csv", "yaml table", "yaml file",
}  # fmt: skip
# by the second word of a block, what has to be installed for it; arrays of many games want native code, too
LIBRARIES = {"openspiel": ("pyspiel",), "pandas": ("pandas",), "numpy": ("numpy", "llvmlite")}
KNOWN_MARKS = {"name", "base", "file"}
ITEM = re.compile(r"(replace|def|window|instead|before|after|adjust|in|watch|end|at)\b")
EXPECTED = re.compile(r"\s#!((?:\s+[A-Z][0-9]{3}(?::[0-9]+)?)+)\s*$")
ONE = re.compile(r"([A-Z][0-9]{3})(?::([0-9]+))?")
FENCE = re.compile(r"(`{3,})\s*([^`]*)$")
MARK = re.compile(r"<!--\s*([a-z]+):\s*(.*?)\s*-->\s*$")
SECTION = re.compile(r"(?P<key>[^\s#:][^:]*):")
ENTRY = re.compile(r"  (?P<key>[^\s#:][^:]*):")
REPLACED = {"phases", "scoring", "players", "limits", "title", "doc", "rule_list"}


class Wrong(AssertionError):
    """An example does not do what its document says."""


@dataclass(frozen=True)
class Block:
    """One fenced block: its words, its text, the line of the document its text begins at, and what the
    comments above it say.
    """

    document: str
    line: int
    words: tuple[str, ...]
    text: str
    marks: dict[str, str]

    @property
    def place(self) -> str:
        """Where the block stands, for people."""
        return f"{self.document}:{self.line}"

    @property
    def kind(self) -> str:
        """The words that say what it is."""
        return " ".join(self.words)

    @property
    def is_kept_only(self) -> bool:
        """Whether it is a file for the blocks below it, and nothing else."""
        return self.kind in ("csv", "yaml table", "yaml file")

    @property
    def is_alone(self) -> bool:
        """Whether it needs no more of the blocks above it than their names and files."""
        return self.words[:1] not in (("python",), ("sh",), ("console",))


@dataclass
class Row:
    """A line of a composed ruleset: the line of the block it comes from (none: of the base), and how far it
    was moved to the right.
    """

    text: str
    line: int | None = None
    moved: int = 0


@dataclass
class Document:
    """The blocks of a document, and what they gave: rulesets by name, files by name."""

    name: str
    blocks: list[Block]
    bases: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)


# ---------------------------------------------------------------- reading
def read_document(name: str, text: str) -> Document:
    """Every fenced block of a document.

    Raises `Wrong` for a fence that never ends and for unknown comments above a block.
    """
    blocks: list[Block] = []
    marks: dict[str, str] = {}
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        fence, mark = FENCE.match(lines[at]), MARK.match(lines[at])
        if fence:
            end = at + 1
            while end < len(lines) and lines[end].rstrip() != fence.group(1):
                end += 1
            if end == len(lines):
                raise Wrong(f"{name}:{at + 1}: the block is never closed")
            body = "".join(line + "\n" for line in lines[at + 1 : end])
            blocks.append(Block(name, at + 2, tuple(fence.group(2).split()), body, marks))
            at, marks = end, {}
        elif mark and mark.group(1) in KNOWN_MARKS:
            marks[mark.group(1)] = mark.group(2)
        elif lines[at].strip():
            if set(marks) & KNOWN_MARKS:
                raise Wrong(f"{name}:{at + 1}: a comment about a block stands above none")
            marks = {}
        at += 1
    return Document(name, blocks)


@cache
def shared_blocks() -> dict[str, tuple[Block, ...]]:
    """By each document of the specification the blocks of all of them that have a name or a file.

    Raises `Wrong` for a name or file given twice.
    """
    pages = [file for place in SPECIFICATION for file in sorted(ROOT.glob(place))]
    documents = [
        read_document(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")) for file in pages
    ]
    blocks = [
        block for document in documents for block in document.blocks if {"name", "file"} & set(block.marks)
    ]
    for mark in ("name", "file"):
        given = Counter(block.marks[mark] for block in blocks if mark in block.marks)
        if twice := [what for what, times in given.items() if times > 1]:
            raise Wrong(f"the specification gives a {mark} twice: {', '.join(twice)}")
    return dict.fromkeys((document.name for document in documents), tuple(blocks))


def expectations(text: str) -> list[tuple[int, str, int | None]]:
    """What the comments of a text expect: line (from 1), code, column."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        comment = EXPECTED.search(line)
        if comment:
            found += [
                (number, m.group(1), int(m.group(2)) if m.group(2) else None)
                for m in ONE.finditer(comment.group(1))
            ]
        elif "#!" in line:
            raise Wrong(f"line {number}: `#!` is followed by codes like T001:9, not by this: {line.strip()}")
    return found


# ---------------------------------------------------------------- composing
def sections(rows: list[Row], pattern: re.Pattern[str]) -> Iterator[tuple[str, list[Row]]]:
    """Rows by the key they stand under; what stands before the first key comes first, under no key."""
    key = ""
    held: list[Row] = []
    for row in rows:
        head = pattern.match(row.text)
        if head:
            if held:
                yield key, held
            key, held = head.group("key"), []
        held.append(row)
    if held:
        yield key, held


def overlay(base: str, text: str) -> list[Row]:
    """A ruleset with the sections of a fragment: entries are added to or replaced in those of the base;
    `phases` and the like as a whole.
    """
    mine = dict(
        sections([Row(line, number) for number, line in enumerate(text.rstrip("\n").split("\n"), 1)], SECTION)
    )
    rows: list[Row] = []
    for key, old in sections([Row(line) for line in base.rstrip("\n").split("\n")], SECTION):
        new = mine.pop(key, None) if key else None
        if new is None:
            rows += old
        elif key in REPLACED or new[0].text.rstrip() != f"{key}:":
            rows += new
        else:
            entries = dict(sections(new[1:], ENTRY))
            for name, part in sections(old[1:], ENTRY):
                old[1:] = [row for row in old[1:] if name not in entries or all(row is not p for p in part)]
            rows += [*(r for r in old if r.text.strip()), *new[1:]]
    for part in mine.values():
        rows += part
    return rows


def put_in(base: str, text: str) -> list[Row]:
    """A ruleset with rule text: definitions and hooks among its definitions, statements as its last phase."""
    items: list[Row] = []
    statements: list[Row] = []
    held: list[Row] = []
    for number, line in enumerate(text.rstrip("\n").split("\n"), 1):
        row = Row("    " + line if line.strip() else "", number, 4)
        if not line.strip() or line.startswith("#"):
            held.append(row)
            continue
        if line[0] != " ":
            target = items if ITEM.match(line) else statements
        target += [*held, row]
        held = []
    rows = [Row(line) for line in base.rstrip("\n").split("\n")]
    for key, title, new in (("definitions", "Example", items), ("phases", "example", statements)):
        if new:
            rows = _add(rows, key, [Row(f"  {title}: |"), *new])
    return rows


def _add(rows: list[Row], key: str, entry: list[Row]) -> list[Row]:
    out: list[Row] = []
    for name, part in sections(rows, SECTION):
        out += part
        if name == key:
            while out and not out[-1].text.strip():
                out.pop()
            out += entry
            entry = []
    return out + ([Row(f"{key}:"), *entry] if entry else [])


# ---------------------------------------------------------------- running
class Runner:
    """Runs the blocks of one document in order; files live in `folder`.

    `shared` are blocks of other documents whose names and files it knows.
    """

    def __init__(self, document: Document, folder: Path, shared: Iterable[Block] = ()) -> None:
        self.document, self.folder = document, folder
        for block in shared:
            if block.document != document.name:
                self._keep(block)
        self.names: dict[str, object] = {"croupier": croupier}  # of blocks of Python

    def run(self, block: Block) -> None:
        """Run one block. Raises `Wrong`."""
        words = block.words
        if not words or block.kind in SHOWN_ONLY or (words[0] in SHOWN_ONLY and block.kind not in RUN):
            return
        if block.kind not in RUN:
            raise Wrong(f"{block.place}: nothing runs a block of `{block.kind}`")
        if block.is_kept_only:
            self._keep(block)
        elif words[1:2] and words[1] in LIBRARIES and not all(map(find_spec, LIBRARIES[words[1]])):
            return
        elif block.kind == "sh pandas":
            self._commands(block)
        elif block.kind == "console":
            self._printed(block)
        elif words[0] == "python":
            self._doctest(block)
        elif block.kind == "values":
            self._values(block)
        elif block.kind == "yaml scenarios":
            self._scenarios(block)
        elif block.kind == "yaml ruleset":
            self._keep(block)
            self._game(block, [Row(line, n) for n, line in enumerate(block.text.rstrip("\n").split("\n"), 1)])
        else:
            base = self._base(block)
            self._game(
                block,
                overlay(base, block.text) if block.kind == "yaml fragment" else put_in(base, block.text),
            )

    def keep_above(self, block: Block) -> None:
        """Keep the names and files of the blocks above one, without running them."""
        for above in self.document.blocks:
            if above.line < block.line and (above.is_kept_only or above.kind == "yaml ruleset"):
                self._keep(above)

    def _keep(self, block: Block) -> None:
        if "file" in block.marks:
            self._place(block.marks["file"]).write_text(block.text, encoding="utf-8")
        if "name" in block.marks:
            self.document.bases[block.marks["name"]] = block.text

    def _base(self, block: Block) -> str:
        name = block.marks.get("base", "")
        if name not in self.document.bases:
            raise Wrong(f"{block.place}: there is no base `{name}` above this")
        return self.document.bases[name]

    def _place(self, name: str) -> Path:
        """The place of a file, whose folder is there."""
        (self.folder / name).parent.mkdir(exist_ok=True)
        return self.folder / name

    def _write(self, rows: list[Row], name: str = "example.yaml") -> Path:
        path = self.folder / name
        path.write_text("".join(row.text + "\n" for row in rows), encoding="utf-8")
        return path

    def _game(self, block: Block, rows: list[Row]) -> None:
        expected = expectations(block.text)
        path = self._write(
            rows,
            block.marks["file"] if block.kind == "yaml ruleset" and "file" in block.marks else "example.yaml",
        )
        result = croupier.check(path)
        faults = [e for e in expected if e[1].startswith("R")]
        if faults and len(faults) < len(expected):
            raise Wrong(f"{block.place}: what has mistakes is not played, so it cannot have faults too")
        self._compare(block, rows, [e for e in expected if e not in faults], result.diagnostics)
        if result.ruleset is None:
            return
        counts = result.ruleset.players
        switched = [
            {p.name: word == "true" if p.type_text == "bool" else word}
            for p in result.ruleset.parameters
            for word in p.variants
        ]
        setups: list[tuple[int | None, dict[str, object]]] = [(count, {}) for count in counts] + [
            (None, settings) for settings in switched
        ]
        for game in range(FAULTY_GAMES if faults else max(GAMES, len(setups))):
            state = play(result.ruleset, *setups[game % len(setups)], game)
            if faults:
                self._compare(block, rows, faults, (state.fault,) if state.fault else ())
            elif state.outcome()["status"] != "finished":
                raise Wrong(f"{block.place}: game {game} ends so: {state.outcome()}")

    def _compare(
        self,
        block: Block,
        rows: list[Row],
        expected: list[tuple[int, str, int | None]],
        found: tuple[Diagnostic, ...],
    ) -> None:
        """Exactly the expected findings.

        Warnings of lints are about whole rulesets: in a part of one they count only where expected.
        """
        missing = list(expected)
        for d in found:
            here = ("example.yaml", block.marks.get("file", "example.yaml"))
            row = (
                rows[d.span.line - 1] if d.span is not None and d.span.source.name.endswith(here) else Row("")
            )
            lint = d.code.startswith("L") and d.severity != "error"
            if lint and block.kind != "yaml ruleset" and (row.line, d.code) not in [e[:2] for e in missing]:
                continue
            column = 0 if d.span is None else d.span.column - row.moved
            fits = [e for e in missing if e[0] == row.line and e[1] == d.code and e[2] in (None, column)]
            if not fits:
                at = "the base" if row.line is None else f"line {block.line + row.line - 1}, column {column}"
                raise Wrong(f"{block.place}: unexpected {d.code} at {at}: {d.message}; {d.help or ''}")
            missing.remove(fits[0])
        if missing:
            words = (
                f"{code} in line {block.line + line - 1}" + ("" if column is None else f", column {column}")
                for line, code, column in missing
            )
            raise Wrong(f"{block.place}: not found: " + ", ".join(words))

    def _doctest(self, block: Block) -> None:
        test = doctest.DocTestParser().get_doctest(
            block.text, self.names, block.place, block.document, block.line
        )
        said: list[str] = []
        with contextlib.chdir(self.folder):
            failed = doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False).failed
        self.names = test.globs
        if failed or not test.examples:
            raise Wrong(f"{block.place}: {''.join(said) or 'no `>>>` in this'}")

    def _commands(self, block: Block) -> None:
        """Commands, each of which ends well."""
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            for line in block.text.splitlines():
                if main(shlex.split(line)[1:]):
                    raise Wrong(f"{block.place}: `{line}` fails")

    def _printed(self, block: Block) -> None:
        """Commands, with their stdout; paths of shipped files are shown from the folder of the project.

        On stderr a command that takes long says how far it is, which differs from run to run.
        """
        before, *told = re.split(r"^\$ (.+)\n", block.text, flags=re.MULTILINE)
        if before.strip() or not told:
            raise Wrong(f"{block.place}: this begins with no command (`$ croupier …`)")
        for command, shown in zip(told[::2], told[1::2], strict=True):
            printed = io.StringIO()
            told_to = contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO())
            with contextlib.chdir(self.folder), told_to[0], told_to[1]:
                main(shlex.split(command)[1:])
            lines = printed.getvalue().replace(f"{ROOT}/", "").splitlines()
            missing = first_missing(shown.splitlines(), lines)
            if missing is not None:
                raise Wrong(f"{block.place}: `{command}` does not print, at this place: {missing}")

    def _scenarios(self, block: Block) -> None:
        """Scenarios lie in a folder of the ruleset's; their findings are those of the block, line by line."""
        (self.folder / "ruleset.yaml").write_text(self._base(block), encoding="utf-8")
        (self.folder / "scenarios").mkdir(exist_ok=True)
        file = self.folder / "scenarios" / "example.yaml"
        file.write_text(block.text, encoding="utf-8")
        results = run_scenarios(file)
        rows = [Row(line, n) for n, line in enumerate(block.text.split("\n"), 1)]
        self._compare(
            block, rows, expectations(block.text), tuple(d for result in results for d in result.diagnostics)
        )
        if not results:
            raise Wrong(f"{block.place}: there is no scenario in this")

    # ------------------------------------------------------------ values
    def _values(self, block: Block) -> None:
        ruleset = croupier.load(self._write([Row(line) for line in self._base(block).split("\n")]))
        state = ruleset.new_initial_state()
        lines = (
            (block.line + n, line)
            for n, line in enumerate(block.text.split("\n"))
            if line.strip() and not line.startswith("#")
        )
        problems = [
            f"{block.document}:{number}: {problem}"
            for number, line in lines
            if (problem := value_problem(state, line))
        ]
        if problems:
            raise Wrong("\n".join(problems))


def first_missing(shown: list[str], printed: list[str]) -> str | None:
    """The first shown line that is not printed where it should be; `None` if all are.

    `…` alone leaves out lines, at the end of a line its rest.
    """
    at, anywhere = 0, False
    for line in shown:
        if line.strip() == "…":
            anywhere = True
            continue
        places = range(at, len(printed)) if anywhere else range(at, min(at + 1, len(printed)))
        found = next((i for i in places if _is_shown_as(printed[i], line)), None)
        if found is None:
            return line
        at, anywhere = found + 1, False
    return None if anywhere or at == len(printed) else f"an end, before {printed[at]}"


def _is_shown_as(printed: str, line: str) -> bool:
    if line.endswith("…"):
        return printed.startswith(line.removesuffix("…").rstrip())
    return printed.rstrip() == line.rstrip()


def value_problem(state: croupier.State, line: str) -> str | None:
    """What is wrong with `expression → value : type` or `expression → CODE:column …` in a position, or
    none.
    """
    text, arrow, wanted = (part.strip() for part in line.partition("→"))
    if not arrow:
        return "no `→` in this line"
    codes = (
        [(m.group(1), m.group(2)) for m in ONE.finditer(wanted)]
        if re.fullmatch(r"([A-Z][0-9]{3}(:[0-9]+)?\s*)+", wanted)
        else []
    )
    x, _, found = check_expression(state.game.program, whole(Source("expression", text)))
    if x is not None:
        try:
            value, given = state.evaluate(text), str(x.type)
        except RulesetError as error:
            found = list(error.diagnostics)
        else:
            shown = f"`{text}` is {json.dumps(value, ensure_ascii=False)} : {given}"
            value_text, _, type_text = (part.strip() for part in wanted.rpartition(" : "))
            if codes or type_text != given or not same(value_text, value):
                return f"{shown}, not {wanted}"
            return None
    places = [(d.code, str(d.span.column if d.span is not None else 0)) for d in found]
    if (
        not codes
        or len(codes) != len(places)
        or any(c != p[0] or at not in (None, p[1]) for (c, at), p in zip(codes, places, strict=True))
    ):
        return (
            f"`{text}` gives {' '.join(f'{c}:{at}' for c, at in places)} ({found[0].message}), not {wanted}"
        )
    return None


def same(text: str, value: object) -> bool:
    """Is this text the value, written as JSON?"""
    try:
        written = json.loads(text)
    except ValueError:
        return False
    return type(written) is type(value) and bool(written == value)


def play(
    ruleset: croupier.Ruleset, players: int | None, parameters: dict[str, object], seed: int
) -> croupier.State:
    """One random game to its end; invariants hold all along, and what is saved half-way is read again as the
    same.
    """
    draw = random.Random(seed)
    state = ruleset.new_initial_state(players, parameters)
    steps = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw.choice(state.chance_outcomes())[0])
        else:
            for seat in state.pending_seats():
                options = state.legal_actions(seat)
                if not options:
                    break  # the options themselves could not be worked out: the state is at its end
                words = [state.action_to_string(seat, a) for a in options]
                if "" in words:
                    raise Wrong(f"an option without words: {words}")
                state.apply_action(draw.choice(options), seat)
        steps += 1
        broken = state.check_invariants() if state.fault is None else []
        if broken:
            raise Wrong(broken[0].message)
        if steps == 3 and not state.is_terminal() and ruleset.deserialize(state.serialize()) != state:
            raise Wrong("a saved state is another one when it is read")
    state.events(0)
    return state
