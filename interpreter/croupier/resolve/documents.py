"""Reading one file: its text, its tree, its shape, and the tables and the rule list that it names.

Paths that a ruleset names are relative, inside the ruleset's folder, and the same on every system: the text
of a path is checked before the file system is used; `read_file` checks links by comparing real paths.

A component's table from a file of its own has the same rows as a table written in the ruleset, with spans in
that file: a CSV file has a line for each row; a YAML file is the list of rows, as it would stand in the
ruleset, whose rows may have `powers`. The rule list is a CSV file `id,tag,text` with the rules that the
ruleset implements, which citations are checked against. If another kind of file is given for a ruleset, the
diagnostic names the kind and the command for it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path, PurePosixPath

from croupier.diagnostics import Diagnostic, Label, Source, Span, diagnose
from croupier.limits import MAX_NAME, MAX_NAMED_PATH
from croupier.records import dataclass
from croupier.resources import MAIN_FILE, RulesetPlace
from croupier.schema import (
    AnyDoc,
    Board,
    Cells,
    Component,
    Dropped,
    Findings,
    ModuleDoc,
    Row,
    Table,
    Text,
    VariantDoc,
    read_document,
)
from croupier.schema.findings import Refused, first_line
from croupier.schema.leaves import IDENTIFIER_PATTERN
from croupier.schema.values import is_empty, read_table, row_of, with_rows, without_duplicates
from croupier.source import (
    CsvCell,
    YamlMapping,
    YamlNode,
    YamlScalar,
    YamlSequence,
    read,
    read_csv,
    read_file,
)
from croupier.source.renaming import renamed
from croupier.source.yaml_tree import parse_plain_scalar

# ---------------------------------------------------------------- paths
_ADDRESS = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*://|(data|file|ftp|git|https?|javascript|mailto|ssh):", re.IGNORECASE
)
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = re.compile(r'[<>:"|?*\x00-\x1f\x7f]')
DEVICE_NAME = re.compile(
    r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?\Z", re.IGNORECASE
)


def check_path(named: Text, folder: Path, root: Path) -> tuple[Path | None, Diagnostic | None]:
    """The path that a file in `folder` names, confined to `root`, or what is wrong with its text."""
    text = named.text.strip()
    if len(text) > MAX_NAMED_PATH:
        return None, diagnose("X010", named.span, limit=MAX_NAMED_PATH)
    if text.startswith("/") or text.startswith("\\\\") or _DRIVE.match(text) and not _ADDRESS.match(text):
        file = re.split(r"[/\\]", text)[-1]
        help = f"write the path from this file's folder, as in `{file}`" if file else None
        return None, diagnose("X008", named.span, name=text, help=help)
    reason = _problem_of_path(text)
    if reason is not None:
        return None, diagnose("X009", named.span, name=text, reason=reason)
    path = Path(os.path.normpath(os.path.join(os.path.abspath(folder), *PurePosixPath(text).parts)))
    if not path.is_relative_to(os.path.abspath(root)):
        return None, diagnose("X007", named.span, name=text)
    return folder / text if path.is_relative_to(os.path.abspath(folder)) else path, None


def display_path(path: Path) -> Path:
    """The path as it is shown: relative to the working folder if it lies in it."""
    if not path.is_absolute():
        return path
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):
        return path


def _problem_of_path(text: str) -> str | None:
    if _ADDRESS.match(text):
        return "it is an address, and nothing is fetched from a network"
    if "\\" in text:
        return "folders are separated by `/`"
    if text.startswith("~"):
        return "`~` does not stand for a folder here"
    for part in text.split("/"):
        forbidden = _FORBIDDEN.search(part)
        if forbidden:
            return "it holds a sign that cannot stand in the name of a file"
        if not part:
            return "the name of a folder is empty"
        if DEVICE_NAME.match(part):
            return f"`{part}` is a device on some systems"
        if part not in (".", "..") and part.endswith((".", " ")):
            return f"`{part}` ends with a dot or a space"
    return None


# ---------------------------------------------------------------- other kinds of files
# keys of rulesets and variants: of these a scenario file may have only the first
_RULESET_KEYS = {"ruleset", "title", "phases", "extends"}
_RULE_LIST = "id,tag,text"


def check_not_csv(path: Path, source: Source) -> Diagnostic | None:
    """The diagnostic for a CSV file; `None` for a file with another ending."""
    if path.suffix.lower() != ".csv":
        return None
    head = source.text.split("\n", 1)[0].strip()
    found = (
        _row_file("a rule list", "rule_list", path)
        if head == _RULE_LIST
        else _row_file("a table", "table", path)
    )
    return _not_a_ruleset(found, source.span(0, len(head)))


def check_kind(path: Path, node: YamlNode) -> Diagnostic | None:
    """The diagnostic for a file that holds scenarios, rows of a table, a saved game or actions; `None` where
    it may be a ruleset.
    """
    found = _kind_of_file(path, node)
    return None if found is None else _not_a_ruleset(found, first_line(node))


def _not_a_ruleset(found: tuple[str, str], span: Span) -> Diagnostic:
    return diagnose("V003", span, what=found[0], help=found[1])


def _kind_of_file(path: Path, node: YamlNode) -> tuple[str, str] | None:
    if isinstance(node, YamlSequence):
        rows = bool(node.items) and all(isinstance(row, YamlMapping | YamlSequence) for row in node.items)
        return _row_file("a table", "table", path) if rows else None
    if not isinstance(node, YamlMapping):
        return None
    name, keys = display_path(path).as_posix(), {key.text for key, _ in node.entries}
    if "scenarios" in keys and not keys & (_RULESET_KEYS - {"ruleset"}):
        return "a scenario file", f"`croupier test {name}` plays its scenarios{_nearby_ruleset(path)}"
    if {"ruleset_hash", "actions"} <= keys:
        return (
            "a saved game",
            f"`croupier replay {name}` plays it again, `croupier play --from {name}` goes on with it",
        )
    if "actions" in keys and not keys & _RULESET_KEYS:
        return (
            "a list of actions",
            f"`croupier run {_ruleset_folder(path) or 'NAME'} --actions {name}` plays a game with them",
        )
    return None


def _row_file(what: str, key: str, path: Path) -> tuple[str, str]:
    return what, f"a ruleset reads it where it says `{key}: {path.name}`{_nearby_ruleset(path)}"


def _nearby_ruleset(path: Path) -> str:
    """The ruleset in whose folder a file lies, as it is named on the command line, in words."""
    name = _ruleset_folder(path)
    return "" if name is None else f"; the ruleset beside it is `{name}`"


def _ruleset_folder(path: Path) -> str | None:
    for folder in list(path.parents)[:2]:
        if os.path.isfile(folder / MAIN_FILE):
            return display_path(folder).as_posix()
    return None


# ---------------------------------------------------------------- tables
def cell_scalar(cell: CsvCell) -> YamlScalar:
    """A cell as a scalar with its span: without quotes it is a number, a switch or a word as in YAML; an
    empty one is `None`.
    """
    if cell.quoted:
        return YamlScalar(cell.span, cell.text, "double", cell.text, False)
    value, problem = parse_plain_scalar(cell.text, cell.span)
    return YamlScalar(cell.span, cell.text, "plain", cell.text if problem is not None else value, False)


def read_table_file(source: Source, named: Table) -> tuple[Table, list[Diagnostic]]:
    """The table of a CSV text, and everything that is wrong with it; `named` is the table that names the
    file.
    """
    read, diagnostics = read_csv(source)
    if read is None:
        return named, diagnostics
    is_misread = any(d.code in ("X102", "X103") for d in diagnostics)
    columns = [Text(cell_scalar(cell)) for cell in read.columns]
    fine = [
        bool(IDENTIFIER_PATTERN.match(column.text)) and len(column.text) <= MAX_NAME for column in columns
    ]
    diagnostics += [
        diagnose("V201", c.span, name=c.text)
        for c, good in zip(columns, fine, strict=True)
        if not good and c.text
    ]
    findings = Findings()

    def written() -> Iterator[Row | None]:
        for cells in read.rows:
            for cell in cells:
                problem = None if cell.quoted else parse_plain_scalar(cell.text, cell.span)[1]
                if problem is not None:
                    findings.report(problem)
            pairs = tuple(
                (column, cell_scalar(cell))
                for column, cell, good in zip(columns, cells, fine, strict=True)
                if good
            )
            yield _read_row(cells[0].span.to(cells[-1].span), pairs, findings)

    rows = without_duplicates(written(), findings)
    diagnostics += findings.diagnostics
    if not rows and not diagnostics:
        diagnostics.append(diagnose("V205", source.span(0, len(source.line(1))), name=source.name))
    kept = tuple(column for column, good in zip(columns, fine, strict=True) if good)
    return replace(named, rows=rows, columns=kept, is_misread=is_misread or not all(fine)), diagnostics


def read_rows_file(source: Source, named: Table) -> tuple[Table, list[Diagnostic]]:
    """The table of a YAML text, and everything that is wrong with it; `named` is the table that names the
    file, with its columns.
    """
    node, diagnostics = read(source)
    if node is None:
        return named, diagnostics
    findings = Findings()
    written = findings.attempt(read_table, node)
    if written is None or written.file is not None:
        if written is not None:
            diagnostics.append(diagnose("V205", node.span, name=source.name))
        return named, diagnostics + findings.diagnostics
    table = with_rows(written, named.columns, findings)
    return replace(named, rows=table.rows), diagnostics + findings.diagnostics


def _read_row(span: Span, cells: Cells, findings: Findings) -> Row | None:
    try:
        return row_of(span, cells, findings)
    except Refused:
        return None


# ---------------------------------------------------------------- rule lists
RULE_LIST_COLUMNS = ("id", "tag", "text")
RULE_ID = re.compile(r"[A-Z]{1,8}-[A-Z]*[0-9]+[a-z]?\Z")


@dataclass(frozen=True)
class RuleEntry:
    """A rule of the game: the id that is cited, a tag, and one line that says it."""

    id: Text
    tag: Text
    text: Text

    @property
    def span(self) -> Span:
        """The place of the id."""
        return self.id.span


def read_rule_list(source: Source) -> tuple[dict[str, RuleEntry], list[Diagnostic]]:
    """The rules by id, in the order of the file, and everything that is wrong with the list."""
    table, diagnostics = read_csv(source)
    if table is None:
        return {}, diagnostics
    found = tuple(cell.text for cell in table.columns)
    if found != RULE_LIST_COLUMNS:
        words = ", ".join(f"`{name}`" for name in found)
        return {}, [
            *diagnostics,
            diagnose("V202", table.columns[0].span.to(table.columns[-1].span), found=words),
        ]
    rules: dict[str, RuleEntry] = {}
    for row in table.rows:
        id, tag, text = (Text(cell_scalar(cell)) for cell in row)
        if not RULE_ID.match(id.text):
            diagnostics.append(diagnose("V204", id.span, name=id.text))
        elif id.text in rules:
            labels = [Label(rules[id.text].span, "it stands here already")]
            diagnostics.append(diagnose("V203", id.span, name=id.text, labels=labels))
        else:
            rules[id.text] = RuleEntry(id, tag, text)
    return rules, diagnostics


# ---------------------------------------------------------------- documents
TABLE_ENDINGS = (".csv", ".yaml", ".yml")


@dataclass
class Loaded:
    """A file, as far as it could be read.

    Components and rows have their tables, `rules` is the rule list that the file names.

    Of a module `added_components` are those that it needs.
    """

    place: RulesetPlace
    source: Source
    diagnostics: list[Diagnostic]
    document: AnyDoc | None = None
    node: YamlNode | None = None
    dropped: tuple[Dropped, ...] = ()
    components: tuple[tuple[Text, Component], ...] = ()
    added_components: tuple[tuple[Text, Component], ...] = ()
    rows: tuple[tuple[Text, Table], ...] = ()
    added_rows: tuple[tuple[Text, Table], ...] = ()
    rules: dict[str, RuleEntry] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)


def read_source(
    place: RulesetPlace, span: Span | None = None, root: Path | None = None
) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a file; links are followed only within its root, or within `root`.

    `span`: where a ruleset names it (`None`: the user does).
    """
    return read_file(display_path(place.path), root or Path(os.path.abspath(place.root)), span=span)


def load_source(source: Source, place: RulesetPlace) -> Loaded:
    """The document of a text, with its tables and its rule list."""
    table = check_not_csv(place.path, source)
    if table is not None:
        return Loaded(place, source, [table], sources=[source])
    node, diagnostics = read(source)
    loaded = Loaded(place, source, diagnostics, sources=[source])
    if node is None:
        return loaded
    other = check_kind(place.path, node)
    if other is not None:
        loaded.diagnostics.append(other)
        return loaded
    return _load_document(loaded, node)


def load_renamed(loaded: Loaded, names: Mapping[str, str]) -> Loaded:
    """A loaded file with names replaced; its diagnostics are those of `loaded`."""
    assert loaded.node is not None
    again = Loaded(loaded.place, loaded.source, [], sources=[loaded.source])
    return _load_document(again, renamed(loaded.node, names))


def _load_document(loaded: Loaded, node: YamlNode) -> Loaded:
    """The document of a tree, with the tables and the rule list that it names."""
    parsed = read_document(node)
    loaded.diagnostics += parsed.diagnostics
    loaded.document, loaded.dropped, loaded.node = parsed.document, parsed.dropped, node
    if parsed.document is None:
        return loaded
    loaded.components = tuple(
        (name, _load_component(component, loaded)) for name, component in parsed.document.components
    )
    boards = tuple((name, _load_board(board, loaded)) for name, board in parsed.document.boards)
    loaded.document = parsed.document.model_copy(update={"boards": boards})
    if isinstance(parsed.document, ModuleDoc):
        needs = parsed.document.needs
        loaded.added_components = (
            ()
            if needs is None
            else tuple((name, _load_component(component, loaded)) for name, component in needs.components)
        )
        return loaded
    if isinstance(loaded.document, VariantDoc):
        _load_changes(loaded, loaded.document)
    if parsed.document.rule_list is not None:
        file = _read_named(parsed.document.rule_list, loaded)
        if file is not None:
            loaded.rules, problems = read_rule_list(file)
            loaded.diagnostics += problems
            if problems:
                loaded.dropped += (Dropped("rule_list", "", file.span(0, 0)),)
    return loaded


def _load_changes(loaded: Loaded, variant: VariantDoc) -> None:
    """The tables that a variant names for rows, and for components and boards that it adds."""
    loaded.rows = tuple((name, _load_table(table, loaded)) for name, table in variant.rows)
    if variant.add is not None:
        loaded.added_components = tuple(
            (name, _load_component(component, loaded)) for name, component in variant.add.components
        )
        loaded.added_rows = tuple((name, _load_table(table, loaded)) for name, table in variant.add.rows)
        boards = tuple((name, _load_board(board, loaded)) for name, board in variant.add.boards)
        loaded.document = variant.model_copy(
            update={"add": variant.add.model_copy(update={"boards": boards})}
        )


def _load_component(component: Component, loaded: Loaded) -> Component:
    if component.table is None or component.table.file is None:
        return component
    return component.model_copy(update={"table": _load_table(component.table, loaded)})


def _load_board(board: Board, loaded: Loaded) -> Board:
    """The board with the values of its cells, if these stand in a file: one row for each cell, which the
    first column names.
    """
    node = board.values
    if not isinstance(node, YamlScalar) or not node.text.lower().endswith(".csv"):
        return board
    file = _read_named(Text(node), loaded)
    table, problems = (None, []) if file is None else read_table_file(file, Table(node.span))
    loaded.diagnostics += problems
    entries, findings = dict[str, tuple[YamlScalar, YamlNode]](), Findings()
    for row in table.rows if table is not None else ():
        first, rest = (row.id.node, row.cells) if row.id is not None else (row.cells[0][1], row.cells[1:])
        if isinstance(first, YamlScalar) and first.text in entries:
            findings.duplicate(first, entries[first.text][0])
        elif isinstance(first, YamlScalar):
            cells = tuple((column.node, cell) for column, cell in rest if not is_empty(cell))
            entries[first.text] = (first, YamlMapping(row.span, cells, False))
    loaded.diagnostics += findings.diagnostics
    return board.model_copy(update={"values": YamlMapping(node.span, tuple(entries.values()), False)})


def _load_table(named: Table, loaded: Loaded) -> Table:
    """The table with the rows of the file that it names, if it names one."""
    file = None if named.file is None else _read_named(named.file, loaded, TABLE_ENDINGS)
    if file is None:
        return named
    table, problems = (read_table_file if file.name.lower().endswith(".csv") else read_rows_file)(file, named)
    loaded.diagnostics += problems
    return table


def _read_named(named: Text, loaded: Loaded, endings: tuple[str, ...] = (".csv",)) -> Source | None:
    """The text of a file that a document names, with one of these endings."""
    problem: Diagnostic | None
    path, root, problem = _path_of(named, loaded.place)
    if path is None:
        loaded.diagnostics += [problem] if problem is not None else []
        return None
    if not path.name.lower().endswith(endings):
        wanted = "a CSV file" if endings == (".csv",) else "a CSV or YAML file"
        loaded.diagnostics.append(wrong_file(named, wanted, "` or `".join(endings)))
        return None
    source, problems = read_file(display_path(path), Path(os.path.abspath(root)), span=named.span)
    loaded.diagnostics += problems
    if source is not None and source.name not in {known.name for known in loaded.sources}:
        loaded.sources.append(source)
    return source


def _path_of(named: Text, place: RulesetPlace) -> tuple[Path | None, Path, Diagnostic | None]:
    """The path of a file that a document names, and the folder that it has to lie in, or what is wrong with
    its text.

    Of several folders the first counts that has such a file, otherwise the last.
    """
    for folder, root in place.searched:
        path, problem = check_path(named, folder, root)
        if path is not None and os.path.lexists(path):
            break
    return path, root, problem


def wrong_file(named: Text, wanted: str, suffix: str) -> Diagnostic:
    """The diagnostic for a file of another kind than wanted."""
    return diagnose("V002", named.span, name=named.text, wanted=wanted, suffix=suffix)
