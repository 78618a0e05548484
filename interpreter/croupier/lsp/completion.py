"""Completion at the cursor: in rule text by the checker, with a hole at the cursor; in YAML by the schema."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from croupier.authoring.fmt.meaning import rule_text
from croupier.diagnostics import Source
from croupier.kernel import types as t
from croupier.kernel.types import Type
from croupier.lsp.analysis import RulesetAnalysis, analyse, real_path
from croupier.lsp.cursor import (
    WORD_BEFORE,
    AcceptedTokens,
    CursorPlace,
    accepted_tokens,
    at_place,
    keys_at,
    keywords,
    words_at,
)
from croupier.lsp.hover import about
from croupier.lsp.symbols import OWN_COLUMNS
from croupier.lsp.workspace import Workspace
from croupier.resolve.loader import variant_files
from croupier.resolve.modules import words_of
from croupier.resolve.resolved import ResolvedRuleset
from croupier.resources import MAIN_FILE, VARIANTS, module_names, root_of
from croupier.schema import Text
from croupier.schema.sections import Component, each_phase
from croupier.semantics.builtins import AGGREGATES, CLOSURES, FUNCTIONS, MEMBERS
from croupier.semantics.context import LocalName
from croupier.semantics.declaration_parts import PLAIN
from croupier.semantics.members import attributes_of, kind_of
from croupier.semantics.symbol_index import HOLE, Symbol
from croupier.source import YamlMapping, YamlScalar, YamlSequence, read

# ---------------------------------------------------------------- names in yaml
# Names as keys and values of the YAML: what a variant sets, replaces, removes and adds to, rows and columns
# of tables.
SECTIONS = {
    "types": "type", "parameters": "parameter", "components": "component", "zones": "zone", "boards": "board",
    "state": "state", "claims": "claim",
    "phases": "phase", "invariants": "invariant", "policies": "policy", "measures": "measure",
}  # fmt: skip
PARTS = ("values", "rows", "powers")
Name = tuple[str, str]
"""A name, and the kind of what it names."""


def names_at(workspace: Workspace, path: str, source: Source, place: CursorPlace) -> Iterator[Name]:
    """Each name that fits at a place of a document; `source` is its text with a hole at the cursor."""
    keys = place.path
    here = _document(workspace, path)
    if keys[:1] == ("components",) and len(keys) > 2:
        yield from _of_component(here, place)
    if not place.variant:
        return
    for base in _bases(workspace, path, source):
        if place.on_key:
            yield from _changed(base, keys)
        else:
            yield from _named(base, keys, place)


def _of_component(doc: ResolvedRuleset | None, place: CursorPlace) -> Iterator[Name]:
    """Names in the declaration of a component: its attributes where they are listed, its ids where they have
    powers.
    """
    keys = place.path
    component = _find(doc.components, keys[1]) if doc is not None else None
    if component is None:
        return
    if (
        keys[2:] in (("each", None), ("columns", None), ("rolls",))
        and not place.on_key
        or keys[2:] == ("table", None)
        and place.on_key
    ):
        yield from _columns(component, keys[2] == "table")
    elif keys[2:] == ("powers",) and place.on_key:
        yield from _ids(component)


def _changed(base: ResolvedRuleset, keys: tuple[str | None, ...]) -> Iterator[Name]:
    """Names as keys: of what a variant sets or replaces, and of that to which it adds or from which it
    removes parts.
    """
    if keys == ("set",):
        yield from _names(base.parameters, "parameter")
        return
    if len(keys) == 1 and keys[0] in SECTIONS:
        yield from _section(base, keys[0])
        return
    keys = keys[1:] if keys[:1] in (("add",), ("remove",)) else keys
    if keys in (("rows",), ("powers",)):
        yield from _names(base.components, "component")
    elif keys == ("values",):
        yield from _names(((name, form) for name, form in base.types if getattr(form, "values", ())), "type")
    elif keys[:1] in (("rows",), ("powers",)) and len(keys) in (2, 3):
        component = _find(base.components, keys[1])
        if component is not None and keys == ("powers", keys[1]):
            yield from _ids(component)
        elif component is not None and keys == ("rows", keys[1], None):
            yield from _columns(component, True)
    elif keys[:1] == ("values",) and keys[2:] == (None,):
        form = _find(base.types, keys[1])
        yield from _names(getattr(form, "attributes", ()), "attribute")


def _named(base: ResolvedRuleset, keys: tuple[str | None, ...], place: CursorPlace) -> Iterator[Name]:
    """Names as values: what is removed, the phase before or after an added one, rows, values of a
    parameter.
    """
    match keys:
        case ("set", name):
            parameter = _find(base.parameters, name)
            yield from ((choice.text, "value") for choice in getattr(parameter, "one_of", None) or ())
            declared = getattr(parameter, "type", None)
            if declared is not None and declared.text == "bool":
                yield from (("true", "value"), ("false", "value"))
        case ("remove", str() as section, None) if section in SECTIONS:
            yield from _section(base, section)
        case ("remove", str() as part, owner, None) if part in PARTS:
            if part == "values":
                yield from (
                    (value.name.text, "value") for value in getattr(_find(base.types, owner), "values", ())
                )
            elif (component := _find(base.components, owner)) is not None:
                yield from _ids(component)
        case ("add", "phases", *_, "after" | "before"):
            yield from _section(base, "phases")
        case ("rows", owner, None, "id"):
            thing = _find(base.components, owner)
            if thing is not None:
                yield from _ids(thing)


# ---------------------------------------------------------------- what is declared
def _document(workspace: Workspace, path: str) -> ResolvedRuleset | None:
    analysis = workspace.last_good(path)
    return analysis.doc if analysis is not None else None


def _bases(workspace: Workspace, path: str, source: Source) -> Iterator[ResolvedRuleset]:
    """Yield the rulesets that a variant extends."""
    root, _ = read(source)
    extends = root.get("extends") if isinstance(root, YamlMapping) else None
    files = extends.items if isinstance(extends, YamlSequence) else (extends,)
    for file in files:
        if isinstance(file, YamlScalar) and file.text:
            doc = _document(workspace, real_path(os.path.join(os.path.dirname(path), file.text)))
            if doc is not None:
                yield doc


Found = TypeVar("Found")


def _names(pairs: Iterable[tuple[Text, object]], kind: str) -> Iterator[Name]:
    return ((name.text, kind) for name, _ in pairs)


def _section(base: ResolvedRuleset, section: str) -> Iterator[Name]:
    if section == "phases":
        return _names(each_phase(base.phases), "phase")
    return _names(getattr(base, section), SECTIONS[section])


def _find(pairs: Iterable[tuple[Text, Found]], name: str | None) -> Found | None:
    return next((thing for key, thing in pairs if key.text == name), None)


def _columns(component: Component, table: bool) -> Iterator[Name]:
    yield from _names(component.attributes, "attribute")
    yield from ((name, "key") for name in OWN_COLUMNS if table)


def _ids(component: Component) -> Iterator[Name]:
    rows = component.table.rows if component.table is not None else ()
    for one in (*(component.ids or ()), *(row.id for row in rows if row.id is not None)):
        yield one.text, "id"


# ---------------------------------------------------------------- completion
# A hole is inserted at the cursor, and the schema or the checker says what fits. If the text cannot be parsed
# even with the hole, the names of the last text that could be parsed are used.
MAX_ENTRIES = 1000  # entries of one answer

_BARE = re.compile(r"[ ]*(?:- )*[\w ]*\Z")
_CITE = re.compile(r"(?:@|^ *cites:.*?)([A-Z]*-?\w*)\Z", re.MULTILINE)


@dataclass(frozen=True)
class CompletionEntry:
    """One entry: its text, its kind (a kind of `Symbol`, `key`, `word`, `keyword`), a line and a text about
    it.
    """

    label: str
    kind: str
    detail: str = ""
    doc: str = ""
    first: bool = False
    key: bool = False  # a colon follows


def complete(workspace: Workspace, path: str, offset: int) -> list[CompletionEntry]:
    """The entries for an offset of a document, each label once."""
    text = workspace.texts.get(path)
    if text is None or workspace.main_of(path) is None and not workspace.is_scenarios(path):
        return []
    found: dict[str, CompletionEntry] = {}
    for entry in _entries(workspace, path, text, offset):
        found.setdefault(entry.label, entry)
        if len(found) == MAX_ENTRIES:
            break
    return list(found.values())


def _entries(workspace: Workspace, path: str, text: str, offset: int) -> Iterator[CompletionEntry]:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if _CITE.search(line):
        yield from _rules(workspace, path)
        return
    holed = text[:offset] + HOLE + text[offset:]
    place = at_place(Source(path, holed), offset)
    if place is not None and place.rule and "\n" in place.node.span.text:
        yield from _in_rules(workspace, path, holed, offset, place)
        return
    if _BARE.match(line) and text[offset : offset + 1] in ("", "\n", "\r"):
        source = Source(path, f"{text[:offset]}{HOLE}:{text[offset:]}")
        key = at_place(source, offset)
        keys = list(_keys(workspace, path, source, key)) if key is not None and key.on_key else []
        if keys or key is not None and key.on_key and (place is None or place.on_key):
            yield from keys
            return
    if place is None:
        yield from _globals(workspace.last_good(path))
        yield from _keywords()
    elif place.on_key:
        yield from _keys(workspace, path, Source(path, holed), place)
    else:
        yield from (CompletionEntry(word, "word", first=True) for word in words_at(place))
        yield from _variants(Path(path), place)
        yield from (
            CompletionEntry(name, kind, first=True)
            for name, kind in names_at(workspace, path, Source(path, holed), place)
        )
        if place.rule or place.path[:1] == ("set",) or place.path[-1:] == ("default",):
            yield from _in_rules(workspace, path, holed, offset, place)


def _keys(workspace: Workspace, path: str, source: Source, place: CursorPlace) -> Iterator[CompletionEntry]:
    for key, doc in keys_at(place).items():
        if key not in place.taken:
            yield CompletionEntry(key, "key", "", doc)
    for name, kind in names_at(workspace, path, source, place):
        if name not in place.taken:
            yield CompletionEntry(name, kind, key=True, first=True)
    yield from _modules(Path(path), place)


def _modules(path: Path, place: CursorPlace) -> Iterator[CompletionEntry]:
    """The modules that can be used, and the arguments of one."""
    root = root_of(path)
    if place.path == ("uses",):
        yield from (
            CompletionEntry(name, "word", "module", key=True, first=True)
            for name in module_names(root)
            if name not in place.taken
        )
    elif place.path[:1] == ("uses",) and len(place.path) == 2:
        words = words_of(root, str(place.path[1]))
        yield from (
            CompletionEntry(name, "word", what, key=True, first=True)
            for name, what in words.items()
            if name not in place.taken
        )


def _variants(path: Path, place: CursorPlace) -> Iterator[CompletionEntry]:
    """The variants that could be named here: by their names where a parameter switches them on, by their
    paths where a variant extends them.
    """
    inner = path.parent.name == VARIANTS
    folder = path.parent.parent if inner else path.parent
    if (
        "variants" in place.path[2:3]
        and place.path[0] == "parameters"
        or "variants" in place.path[3:4]
        and place.path[:2] == ("add", "parameters")
    ):
        yield from (
            CompletionEntry(other.stem, "word", "variant", first=True)
            for other in variant_files(folder)[0]
            if other != path
        )
    elif place.path[:1] == ("extends",):
        main = [folder / MAIN_FILE] if os.path.isfile(folder / MAIN_FILE) else []
        for other in (*main, *variant_files(folder)[0]):
            if other != path:
                yield CompletionEntry(
                    Path(os.path.relpath(other, path.parent)).as_posix(), "word", first=True
                )


def _rules(workspace: Workspace, path: str) -> Iterator[CompletionEntry]:
    analysis = workspace.last_good(path)
    program = analysis.program if analysis is not None else None
    for name, (tag, text) in (program.rule_ids if program is not None else {}).items():
        yield CompletionEntry(name, "rule", tag, text)


# ---------------------------------------------------------------- in rule text
def _in_rules(
    workspace: Workspace, path: str, holed: str, offset: int, place: CursorPlace
) -> Iterator[CompletionEntry]:
    """The entries in rule text: members behind a dot, else the names and keywords that the parser would
    accept.
    """
    main = workspace.main_of(path)
    fits = _accepted(holed, offset, place)
    if main is None:
        if fits is None or fits.names:
            yield from _globals(workspace.last_good(path))
        yield from _keywords(fits.keywords if fits is not None else None)
        return
    if fits is not None and not fits.names and not _behind_dot(holed, _word_start(holed, offset)):
        yield from _keywords(fits.keywords)
        return
    for text, start in _attempts(holed, offset):
        analysis = analyse(
            main, {**workspace.texts, path: text}, set_up=False, cache=workspace.cache_of_texts(main)
        )
        behind_dot = _behind_dot(text, start)
        if analysis.notes.hole is not None or (
            behind_dot and _type_before(analysis, path, text, start - 1) is not None
        ):
            break
    if behind_dot:
        yield from _members(analysis, path, text, start - 1)
        return
    words = fits.keywords if fits is not None else None
    if analysis.program is None:
        yield from _globals(workspace.last_good(path))
        yield from _keywords(words)
        return
    wanted = analysis.notes.wanted
    wanted = wanted.base if isinstance(wanted, t.Optional) else wanted
    if isinstance(wanted, t.Enum) and wanted.name in analysis.program.enums:
        for name in analysis.program.enums[wanted.name].values:
            yield CompletionEntry(name, "value", wanted.name, first=True)
    for name, local in (analysis.notes.hole or _locals_before(analysis, text, start)).items():
        yield CompletionEntry(name, "local", f"{name}: {local.type}", first=True)
    yield from _globals(analysis)
    yield from _keywords(words)


def _accepted(holed: str, offset: int, place: CursorPlace) -> AcceptedTokens | None:
    """The tokens that the parser would accept at the hole; `None` where that is not known."""
    node = place.node
    if not isinstance(node, YamlScalar) or not place.starts or node.style not in ("plain", "literal"):
        return None
    return accepted_tokens(rule_text(node), place.starts, _word_start(holed, offset))


def _word_start(text: str, offset: int) -> int:
    found = WORD_BEFORE.search(text[:offset])
    return offset - (len(found.group()) if found else 0)


def _behind_dot(text: str, start: int) -> bool:
    return text[start - 1 : start] == "." and text[start - 2 : start] != ".."


def _attempts(holed: str, offset: int) -> Iterator[tuple[str, int]]:
    """Texts to parse, each with the offset of the word with the hole: the text itself, with the statement
    completed, and with only the value of the hole in its line.
    """
    start = _word_start(holed, offset)
    yield holed, start
    line = holed.rfind("\n", 0, offset) + 1
    end = holed.find("\n", offset)
    end = len(holed) if end < 0 else end
    yield f"{holed[:end].rstrip()}: pass{holed[end:]}", start
    indent = len(holed[line:start]) - len(holed[line:start].lstrip())
    tail = _tail(holed[line + indent : start])
    head = f"{holed[:line]}{' ' * indent}let {HOLE}_ = "
    word = WORD_BEFORE.search(holed[start : offset + len(HOLE)])
    yield f"{head}{tail}{word.group() if word else HOLE}{holed[end:]}", len(head) + len(tail)


def _tail(text: str) -> str:
    """The end of a text that reads like the beginning of one value: names, dots, brackets that are closed
    again.
    """
    depth, at = 0, len(text)
    while at > 0:
        sign = text[at - 1]
        depth += (sign in ")]") - (sign in "([")
        if depth < 0 or (depth == 0 and not (sign.isalnum() or sign in "_.!([")):
            break
        at -= 1
    return text[at:]


def _locals_before(analysis: RulesetAnalysis, text: str, start: int) -> dict[str, LocalName]:
    """The locals of the lines above that are not less indented: a guess for a statement that is not
    finished.
    """
    names: dict[str, LocalName] = {}
    last = text.rfind("\n", 0, start)
    for symbol, local in analysis.notes.locals.items():
        at = int(symbol.owner.rsplit(":", 1)[1])
        if at > start:
            continue
        lines = [x for x in text[text.rfind("\n", 0, at) + 1 : last + 1].split("\n")[:-1] if x.strip()]
        here = len(text[last + 1 : start]) - len(text[last + 1 : start].lstrip())
        if lines and all(
            len(x) - len(x.lstrip()) >= len(lines[0]) - len(lines[0].lstrip())
            for x in (*lines, " " * here + "x")
        ):
            names[local.name] = local
    return names


def _members(analysis: RulesetAnalysis, path: str, text: str, dot: int) -> Iterator[CompletionEntry]:
    """The members behind a dot, by the type of the value before it."""
    program = analysis.program
    if program is None:
        return
    before = re.search(r"(\w+)\Z", text[:dot])
    if before is not None and before.group(1) in program.enums and text[: before.start()][-1:] != ".":
        yield from (
            CompletionEntry(name, "value", before.group(1), first=True)
            for name in program.enums[before.group(1)].values
        )
    kind = _type_before(analysis, path, text, dot)
    if kind is None:
        return
    for name in attributes_of(program, kind):
        table = kind_of(kind) if name in MEMBERS.get(kind_of(kind), {}) else "family"
        owner = next(iter(sorted(kind.kinds))) if isinstance(kind, t.Component) else getattr(kind, "name", "")
        symbols = [Symbol(word, name, owner) for word in ("attribute", "field", "column")]
        known = next((a for s in symbols if (a := analysis.index.about.get(s)) is not None), None)
        if known is None and name in MEMBERS.get(table, {}):
            known = about(Symbol("builtin", name, table), analysis)
        if known is None:
            yield CompletionEntry(name, "attribute", "", "")
        else:
            yield CompletionEntry(name, "attribute", known.line, known.doc)


def _type_before(analysis: RulesetAnalysis, path: str, text: str, dot: int) -> Type | None:
    end = dot
    for _ in range(8):
        found = [
            kind
            for (name, _, at), kind in analysis.notes.types.items()
            if at == end and analysis.is_file(name, path)
        ]
        known = [kind for kind in found if not isinstance(kind, t.Unknown)]
        if known:
            return known[-1]
        if text[end - 1 : end] != ")":
            break
        end -= 1
    return None


# ---------------------------------------------------------------- names of the ruleset and of the language
_GLOBAL = (
    "parameter",
    "state",
    "zone",
    "board",
    "component",
    "type",
    "cells",
    "definition",
    "window",
    "value",
    "id",
)


def _globals(analysis: RulesetAnalysis | None) -> Iterator[CompletionEntry]:
    if analysis is not None:
        for kind in _GLOBAL:
            for symbol, known in analysis.index.about.items():
                if symbol.kind == kind and HOLE not in symbol.name:
                    yield CompletionEntry(symbol.name, kind, known.line, known.doc)
    yield CompletionEntry(
        "players", "builtin", "players: list of Player", "all players, in order of play from seat 1"
    )
    for name, (line, doc) in (AGGREGATES | CLOSURES).items():
        yield CompletionEntry(name, "builtin", line, doc)
    for name, function in FUNCTIONS.items():
        yield CompletionEntry(name, "builtin", function.signature, function.doc)
    for name in PLAIN:
        yield CompletionEntry(name, "type", f"type {name}")


def _keywords(words: Iterable[str] | None = None) -> Iterator[CompletionEntry]:
    return (CompletionEntry(word, "keyword") for word in (keywords() if words is None else words))
