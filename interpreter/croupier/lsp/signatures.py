"""The call around the cursor: the definition, record, function or method that is called, and the parameter at
the cursor.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from croupier.authoring.fmt.meaning import rule_text
from croupier.lsp.analysis import RulesetAnalysis
from croupier.lsp.cursor import at_place, keywords, rule_offset
from croupier.lsp.symbols import signature as head_of
from croupier.lsp.workspace import Workspace
from croupier.semantics.builtins import AGGREGATES, CLOSURES, FUNCTIONS, MEMBERS, Member
from croupier.semantics.symbol_index import Symbol
from croupier.source import YamlScalar
from croupier.syntax.lines import mask

MAX_LOOKBACK = 2000  # characters before the cursor that are looked at
_NAME = re.compile(r"(\.?)\s*([^\W\d]\w*)\s*\Z")
_NAMED = re.compile(r"\s*([^\W\d]\w*)\s*=(?!=)")


@dataclass(frozen=True)
class CallSignature:
    """A signature for people, the offsets of its parameters in it, which one stands at the cursor, and an
    explanation.
    """

    line: str
    parameters: tuple[tuple[int, int], ...]
    active: int | None
    doc: str = ""


@dataclass(frozen=True)
class _Call:
    """An open call: where its name begins and ends, whether a dot stands before it, and its arguments up to
    the cursor.
    """

    name: str
    start: int
    member: bool
    arguments: tuple[str, ...]


def signature_at(workspace: Workspace, path: str, offset: int) -> CallSignature | None:
    """The signature of the innermost call that is open at an offset; `None` outside of calls and for an
    unknown name.
    """
    source = workspace.source(path)
    place = at_place(source, offset) if source is not None else None
    if (
        source is None
        or place is None
        or not isinstance(place.node, YamlScalar)
        or not place.starts
        or place.node.style not in ("plain", "literal")
    ):
        return None
    text = rule_text(place.node)
    end = rule_offset(text, offset)
    analysis = workspace.last_good(path)
    if analysis is None:
        return None
    declared = frozenset(symbol.name for symbol in analysis.notes.procs)
    call = _open_call(text.text[max(0, end - MAX_LOOKBACK) : end], declared)
    if call is None:
        return None
    line, doc = _line_of(analysis, call) or ("", "")
    parameters = tuple(_parameters(line))
    return CallSignature(line, parameters, _active(call, line, parameters), doc) if line else None


def _open_call(before: str, declared: frozenset[str]) -> _Call | None:
    """The innermost bracket that is open at the end of a text and follows a name; a word that is a keyword in
    some places only may be a `declared` one.
    """
    code = _code(before)
    opened: list[int] = []
    for at, sign in enumerate(code):
        if sign in "([{":
            opened.append(at)
        elif sign in ")]}" and opened:
            opened.pop()
    for at in reversed(opened):
        found = _NAME.search(code[:at])
        if code[at] != "(" or found is None:
            continue
        if found.group(2) in declared or found.group(2) not in keywords():
            return _Call(
                found.group(2), found.start(2), bool(found.group(1)), tuple(_arguments(code[at + 1 :]))
            )
    return None


def _code(before: str) -> str:
    """The code of a text, with quoted texts blanked; if it ends inside braces of a template, only what is
    between the braces.
    """
    line = before[before.rfind("\n") + 1 :]
    code = mask(line)
    if code.count('"') % 2:
        return line[line.rfind("{", line.rfind('"')) + 1 :] if "{" in line[line.rfind('"') :] else ""
    return mask(before)


def _arguments(code: str) -> list[str]:
    """The arguments of a call, split at its own commas; the last one is not finished."""
    depth, parts = 0, [""]
    for sign in code:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _line_of(analysis: RulesetAnalysis, call: _Call) -> tuple[str, str] | None:
    """The signature of what is called, and its description."""
    program, name = analysis.program, call.name
    if call.member:
        return _member(analysis, name)
    for kind, word in (("definition", "def"), ("window", "window")):
        proc = analysis.notes.procs.get(Symbol(kind, name))
        if proc is not None:
            return head_of(word, proc), proc.doc
    if program is not None and name in program.records:
        fields = ", ".join(f"{field}: {of}" for field, of in program.records[name].fields.items())
        known = analysis.index.about.get(Symbol("type", name))
        return f"{name}({fields})", known.doc if known is not None else ""
    if name in FUNCTIONS:
        return FUNCTIONS[name].signature, FUNCTIONS[name].doc
    return (AGGREGATES | CLOSURES).get(name)


def _member(analysis: RulesetAnalysis, name: str) -> tuple[str, str] | None:
    """A method, by its name: of several, that of a kind of value that the ruleset calls it on."""
    found: dict[str, Member] = {
        table: members[name]
        for table, members in MEMBERS.items()
        if name in members and members[name].args is not None
    }
    used = {
        use.symbol.owner
        for use in analysis.index.uses
        if use.symbol.kind == "builtin" and use.symbol.name == name
    }
    table = next((table for table in found if table in used), next(iter(found), None))
    return (found[table].signature, found[table].doc) if table is not None else None


def _parameters(line: str) -> list[tuple[int, int]]:
    """Return the places of the parameters in a signature, each by its start and end."""
    opened = line.find("(")
    if opened < 0:
        return []
    depth, start, found = 0, opened + 1, []
    for at in range(opened, len(line)):
        depth += (line[at] in "([{") - (line[at] in ")]}")
        if depth == 0 or (depth == 1 and line[at] == "," and at > opened):
            if line[start:at].strip():
                found.append((start + len(line[start:at]) - len(line[start:at].lstrip()), at))
            start = at + 1
        if depth == 0:
            break
    return found


def _active(call: _Call, line: str, parameters: tuple[tuple[int, int], ...]) -> int | None:
    """The parameter that the last argument is for: by its name where it has one, else by its place."""
    named = _NAMED.match(call.arguments[-1])
    if named is not None:
        names = [re.sub(r"^var\s+", "", line[a:b]).split(":")[0].strip() for a, b in parameters]
        return names.index(named.group(1)) if named.group(1) in names else None
    at = len(call.arguments) - 1
    return at if at < len(parameters) else None
