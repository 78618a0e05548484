"""Reading one file: its text, its tree, its shape, and the tables and the rule list that it names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from croupier.diagnostics import Diagnostic, Source, Span, diagnose
from croupier.resolve.another_kind import another_kind, csv_file
from croupier.resolve.listing import RuleEntry, read_rule_list
from croupier.resolve.paths import check_path, shown
from croupier.resolve.tables import read_rows_file, read_table_file
from croupier.resources import Place
from croupier.schema import Component, Dropped, RulesetDoc, Table, Text, VariantDoc, read_document
from croupier.source import read, read_file

TABLES = (".csv", ".yaml", ".yml")


@dataclass
class Loaded:
    """A file, as far as it could be read.  Components and rows have their tables, `rules` is the rule list that the file names."""

    place: Place
    source: Source
    diagnostics: list[Diagnostic]
    document: RulesetDoc | VariantDoc | None = None
    dropped: tuple[Dropped, ...] = ()
    components: tuple[tuple[Text, Component], ...] = ()
    added_components: tuple[tuple[Text, Component], ...] = ()
    rows: tuple[tuple[Text, Table], ...] = ()
    added_rows: tuple[tuple[Text, Table], ...] = ()
    rules: dict[str, RuleEntry] = field(default_factory=dict)
    sources: list[Source] = field(default_factory=list)


def read_source(place: Place, span: Span | None = None, root: Path | None = None) -> tuple[Source | None, list[Diagnostic]]:
    """The text of a place, links followed within its root only, or within `root`; `span` names it, if a ruleset does."""
    return read_file(shown(place.path), root or Path(os.path.abspath(place.root)), span=span)


def load_source(source: Source, place: Place) -> Loaded:
    """The document of a text, with its tables and its rule list."""
    table = csv_file(place.path, source)
    if table is not None:
        return Loaded(place, source, [table], sources=[source])
    node, diagnostics = read(source)
    loaded = Loaded(place, source, diagnostics, sources=[source])
    if node is None:
        return loaded
    other = another_kind(place.path, node)
    if other is not None:
        loaded.diagnostics.append(other)
        return loaded
    parsed = read_document(node)
    loaded.diagnostics += parsed.diagnostics
    loaded.document, loaded.dropped = parsed.document, parsed.dropped
    if parsed.document is not None:
        loaded.components = tuple((name, _with_table(component, loaded)) for name, component in parsed.document.components)
        if isinstance(parsed.document, VariantDoc):
            _read_changes(loaded, parsed.document)
        if parsed.document.rule_list is not None:
            file = _beside(parsed.document.rule_list, loaded)
            if file is not None:
                loaded.rules, problems = read_rule_list(file)
                loaded.diagnostics += problems
    return loaded


def _read_changes(loaded: Loaded, variant: VariantDoc) -> None:
    """The tables that a variant names for rows and for components that it adds."""
    loaded.rows = tuple((name, _table(table, loaded)) for name, table in variant.rows)
    if variant.add is not None:
        loaded.added_components = tuple((name, _with_table(component, loaded)) for name, component in variant.add.components)
        loaded.added_rows = tuple((name, _table(table, loaded)) for name, table in variant.add.rows)


def _with_table(component: Component, loaded: Loaded) -> Component:
    if component.table is None or component.table.file is None:
        return component
    return component.model_copy(update={"table": _table(component.table, loaded)})


def _table(named: Table, loaded: Loaded) -> Table:
    """The table with the rows of the file that it names, if it names one."""
    file = None if named.file is None else _beside(named.file, loaded, TABLES)
    if file is None:
        return named
    table, problems = (read_table_file if file.name.lower().endswith(".csv") else read_rows_file)(file, named)
    loaded.diagnostics += problems
    return table


def _beside(named: Text, loaded: Loaded, endings: tuple[str, ...] = (".csv",)) -> Source | None:
    """The text of a file that a document names, with one of these endings."""
    folder, root = loaded.place.path.parent, loaded.place.root
    problem: Diagnostic | None
    path, problem = check_path(named, folder, root)
    if path is None:
        loaded.diagnostics += [problem] if problem is not None else []
        return None
    if not path.name.lower().endswith(endings):
        wanted = "a CSV file" if endings == (".csv",) else "a CSV or YAML file"
        loaded.diagnostics.append(wrong_file(named, wanted, "` or `".join(endings)))
        return None
    source, problems = read_file(shown(path), Path(os.path.abspath(root)), span=named.span)
    loaded.diagnostics += problems
    if source is not None and source.name not in {known.name for known in loaded.sources}:
        loaded.sources.append(source)
    return source


def wrong_file(named: Text, wanted: str, suffix: str) -> Diagnostic:
    """The diagnostic for a file of another kind than wanted."""
    return diagnose("V002", named.span, name=named.text, wanted=wanted, suffix=suffix)
