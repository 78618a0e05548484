"""The server: requests of the protocol in, values of the modules beside this one out.

Requests are answered one after the other.  Diagnostics of a changed text follow when everything that has come
in is handled: however fast somebody types, one check runs at a time, of the texts as they are then, and what
is found in a text that has changed meanwhile is not sent.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import BinaryIO, Protocol, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from croupier import __version__
from croupier.diagnostics import Diagnostic, Source, Span, sanitise
from croupier.lsp.analysis import real_path
from croupier.lsp.completion import CompletionEntry, complete
from croupier.lsp.edits import (
    Edit,
    RefusedEdit,
    all_safe_fixes,
    definition,
    fixes_in,
    layout,
    references,
    renamable_at,
    rename,
)
from croupier.lsp.folding import folds
from croupier.lsp.hover import escape, hover
from croupier.lsp.messages import Inbox, Messages
from croupier.lsp.outline import OutlineItem, outline
from croupier.lsp.protocol import Positions, location, report
from croupier.lsp.scenario_runs import Findings, ScenarioRuns
from croupier.lsp.signatures import signature_at
from croupier.lsp.tokens import MODIFIERS, TYPES, encode, semantic_tokens
from croupier.lsp.workspace import Superseded, Workspace, as_shown_in, path_of
from croupier.lsp.workspace_symbols import DeclaredName, WorkspaceSymbols

GRACE = 0.01  # seconds in which an editor can ask something about a change before the check begins
KINDS = {
    "parameter": lsp.CompletionItemKind.Constant, "state": lsp.CompletionItemKind.Variable,
    "zone": lsp.CompletionItemKind.Variable,
    "board": lsp.CompletionItemKind.Variable, "component": lsp.CompletionItemKind.Class,
    "type": lsp.CompletionItemKind.Enum,
    "cells": lsp.CompletionItemKind.Enum, "value": lsp.CompletionItemKind.EnumMember,
    "id": lsp.CompletionItemKind.EnumMember,
    "attribute": lsp.CompletionItemKind.Property, "definition": lsp.CompletionItemKind.Function,
    "window": lsp.CompletionItemKind.Event,
    "local": lsp.CompletionItemKind.Variable, "builtin": lsp.CompletionItemKind.Function,
    "key": lsp.CompletionItemKind.Property,
    "word": lsp.CompletionItemKind.Value, "keyword": lsp.CompletionItemKind.Keyword,
    "rule": lsp.CompletionItemKind.Reference,
    "phase": lsp.CompletionItemKind.Event, "claim": lsp.CompletionItemKind.Text,
    "invariant": lsp.CompletionItemKind.Text,
    "policy": lsp.CompletionItemKind.Function, "measure": lsp.CompletionItemKind.Function,
}  # fmt: skip
OUTLINE = {
    "section": lsp.SymbolKind.Namespace, "key": lsp.SymbolKind.Property, "type": lsp.SymbolKind.Enum,
    "parameter": lsp.SymbolKind.Constant,
    "component": lsp.SymbolKind.Class, "zone": lsp.SymbolKind.Array, "board": lsp.SymbolKind.Array,
    "state": lsp.SymbolKind.Variable,
    "title": lsp.SymbolKind.Module, "claim": lsp.SymbolKind.String, "phase": lsp.SymbolKind.Event,
    "invariant": lsp.SymbolKind.Boolean,
    "scenario": lsp.SymbolKind.Object, "policy": lsp.SymbolKind.Function, "measure": lsp.SymbolKind.Number,
    "definition": lsp.SymbolKind.Function, "window": lsp.SymbolKind.Interface,
    "hook": lsp.SymbolKind.Operator,
}  # fmt: skip


class PositionParams(Protocol):
    """The parameters of a request about a position in a document."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class RulesetServer(LanguageServer):
    """pygls' server with a workspace.

    `open` holds the texts; those of pygls, which takes more characters for line ends than the protocol does,
    are not used.
    """

    def __init__(self) -> None:
        super().__init__(
            "croupier", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental
        )
        self.open = Workspace()
        self.symbols = WorkspaceSymbols()
        self.shown: dict[str, set[str]] = {}  # by file, the files whose diagnostics it caused
        self.reports: dict[str, list[Diagnostic]] = {}
        # files whose diagnostics have to be worked out, in this order, and whether thoroughly
        self.stale: dict[str, bool] = {}
        self.timer: asyncio.TimerHandle | None = None
        self.is_busy: Callable[[], bool] = lambda: False  # whether messages wait
        self.runs = ScenarioRuns()
        # of scenarios, by file, with the text that was run
        self.failures: dict[str, tuple[Source, list[Diagnostic]]] = {}

    @property
    def positions(self) -> Positions:
        """The units of positions that were agreed on."""
        return Positions(
            str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        )

    def at(self, params: PositionParams) -> tuple[str, int] | None:
        """The path and the offset that a request is about."""
        path = path_of(params.text_document.uri)
        source = self.source(path)
        return None if source is None else (path, self.positions.offset(source, params.position))

    def source(self, path: str) -> Source | None:
        """The text of a file as the editor has it."""
        return self.open.source(path)

    def locations(self, spans: Iterable[Span]) -> list[lsp.Location]:
        """The locations of spans."""
        return [location(span, self.positions, self.open.uri) for span in spans]

    def edit(self, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
        """Edits by document."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for e in edits:
            changes.setdefault(self.open.uri(real_path(e.span.source.name)), []).append(
                lsp.TextEdit(self.positions.range(e.span), e.text)
            )
        return lsp.WorkspaceEdit(changes=dict(changes))

    # ------------------------------------------------------------ diagnostics
    def schedule(self, path: str, thorough: bool = False) -> None:
        """Work out diagnostics as soon as no message waits.

        `thorough`: as when a file is opened or saved.
        """
        self.stale[path] = self.stale.pop(path, False) or thorough
        if self.timer is None:
            self.timer = asyncio.get_running_loop().call_later(GRACE, self.check)

    def check(self) -> None:
        """Work out the diagnostics of one file, unless messages wait; then again if there is more to do."""
        self.timer = None
        try:
            if self.stale and not self.is_busy():
                path = next(iter(self.stale))
                self.publish(path, self.stale.pop(path))
        finally:
            if self.stale:
                self.timer = asyncio.get_running_loop().call_later(GRACE, self.check)

    def publish(self, path: str, thorough: bool = False) -> None:
        """Send the diagnostics of every file that this one affects; files that have none any more get an
        empty list.

        Nothing is sent if a message came in meanwhile, which may change the text: the file is looked at again
        once that is handled.  What has been analysed by then is kept.  Garbage is collected afterwards,
        because a collection takes as long as an analysis.
        """
        gc.disable()
        try:
            self._publish(path, self.open.diagnose(path, thorough=thorough, is_over=self.is_busy))
        except Superseded:
            self.stale = {path: thorough, **self.stale}
        finally:
            gc.enable()

    def _publish(self, path: str, found: Mapping[str, Sequence[Diagnostic]]) -> None:
        gone = self.shown.get(path, set()) - set(found)
        self.shown[path] = {name for name, some in found.items() if some}
        for name, some in (*found.items(), *((name, []) for name in gone)):
            self.reports[name] = list(some)
            self.send(name)

    def send(self, name: str) -> None:
        """Send the diagnostics of one file: what was found in it, and which of its scenarios fail, as long as
        its text is the one that was run.
        """
        source, failed = self.failures.get(name, (None, []))
        now = self.source(name) if source is not None else None
        some = self.reports.get(name, [])
        if source is not None and now is not None and now.text == source.text:
            said = {(d.code, d.message) for d in some}
            some = [*some, *(d for d in failed if (d.code, d.message) not in said)]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                self.open.uri(name), [report(d, self.positions, self.open.uri) for d in some]
            )
        )

    def run_scenarios(self, path: str) -> None:
        """Run the scenarios that a saved file is about; their failures follow."""
        subject = path if self.open.is_scenarios(path) else self.open.main_of(path)
        if subject is None:
            return
        loop = asyncio.get_running_loop()
        self.runs.start(
            subject, self.open.texts, lambda found: loop.call_soon_threadsafe(self.show_failures, found)
        )

    def show_failures(self, found: Findings) -> None:
        """Publish the failed scenarios; files without any get an empty list."""
        for name, some in found.items():
            source = self.source(name)
            if source is not None and (some or self.failures.pop(name, None) is not None):
                if some:
                    self.failures[name] = (source, [as_shown_in(name, d) for d in some])
                self.send(name)


server = RulesetServer()


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: RulesetServer, params: lsp.DidOpenTextDocumentParams) -> None:
    """A document is open: look at it whole."""
    ls.schedule(ls.open.put(params.text_document.uri, params.text_document.text), thorough=True)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: RulesetServer, params: lsp.DidChangeTextDocumentParams) -> None:
    """A document has changed."""
    uri = params.text_document.uri
    text = ls.open.texts.get(path_of(uri), "")
    ls.schedule(ls.open.put(uri, ls.positions.changed(text, params.content_changes)))


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def did_save(ls: RulesetServer, params: lsp.DidSaveTextDocumentParams) -> None:
    """A document was saved: look at it whole, and run its scenarios."""
    path = path_of(params.text_document.uri)
    ls.schedule(path, thorough=True)
    ls.run_scenarios(path)


@server.feature(lsp.SHUTDOWN)
def shut_down(ls: RulesetServer, params: None) -> None:
    """The editor is about to end the server."""
    ls.stale.clear()
    ls.runs.stop()


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
def did_close(ls: RulesetServer, params: lsp.DidCloseTextDocumentParams) -> None:
    """A document is closed: its own diagnostics are removed."""
    uri = params.text_document.uri
    path = ls.open.close(uri)
    ls.stale.pop(path, None)
    ls.shown.pop(path, None)
    ls.reports.pop(path, None)
    ls.failures.pop(path, None)
    ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))


@server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
def did_change_files(ls: RulesetServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Files on the disk have changed."""
    for change in params.changes:
        ls.open.forget(path_of(change.uri))
    for path in list(ls.open.texts):
        ls.schedule(path)


# ---------------------------------------------------------------- reading
@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def show_hover(ls: RulesetServer, params: lsp.HoverParams) -> lsp.Hover | None:
    """The description of the name at the cursor."""
    at = ls.at(params)
    analysis = ls.open.analysis(at[0]) if at is not None else None
    found = hover(analysis, *at) if at is not None and analysis is not None else None
    if found is None:
        return None
    text, span = found
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), ls.positions.range(span))


@server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@"]))
def show_completion(ls: RulesetServer, params: lsp.CompletionParams) -> lsp.CompletionList:
    """Completion at the cursor."""
    at = ls.at(params)
    entries = complete(ls.open, *at) if at is not None else []
    return lsp.CompletionList(is_incomplete=False, items=[_completion(e) for e in entries])


def _completion(entry: CompletionEntry) -> lsp.CompletionItem:
    if entry.first:
        order = "0"
    else:
        order = "2" if entry.kind == "keyword" else "1"
    return lsp.CompletionItem(
        label=entry.label,
        kind=KINDS.get(entry.kind, lsp.CompletionItemKind.Text),
        detail=sanitise(entry.detail) or None,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, escape(entry.doc)) if entry.doc else None,
        sort_text=f"{order}{entry.label}",
        insert_text=f"{entry.label}: " if entry.key or entry.kind == "key" else None,
    )


@server.feature(
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP,
    lsp.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[")", "="]),
)
def show_signature(ls: RulesetServer, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    """The call around the cursor."""
    at = ls.at(params)
    found = signature_at(ls.open, *at) if at is not None else None
    if found is None:
        return None
    information = lsp.SignatureInformation(
        label=found.line,
        documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, escape(found.doc)) if found.doc else None,
        parameters=[lsp.ParameterInformation(found.line[a:b]) for a, b in found.parameters],
    )
    return lsp.SignatureHelp([information], active_signature=0, active_parameter=found.active)


def _tokens(ls: RulesetServer, uri: str, span: lsp.Range | None = None) -> lsp.SemanticTokens:
    path = path_of(uri)
    source = ls.source(path)
    if source is None:
        return lsp.SemanticTokens([])
    start, end = (
        (ls.positions.offset(source, p) for p in (span.start, span.end)) if span is not None else (0, None)
    )
    places = []
    for token in semantic_tokens(source, ls.open.last_good(path), start, end):
        begin, stop = ls.positions.position(source, token.start), ls.positions.position(source, token.end)
        places.append(
            (begin.line, begin.character, stop.character - begin.character, token.type, token.modifiers)
        )
    return lsp.SemanticTokens(encode(places))


LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))


@server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, LEGEND)
def show_tokens(ls: RulesetServer, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    """Answer with the kind of each word of a document."""
    return _tokens(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, LEGEND)
def show_tokens_in_range(ls: RulesetServer, params: lsp.SemanticTokensRangeParams) -> lsp.SemanticTokens:
    """Answer with the kind of each word of a part of a document."""
    return _tokens(ls, params.text_document.uri, params.range)


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
def show_folds(ls: RulesetServer, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    """Answer with the ranges that can be folded."""
    source = ls.source(path_of(params.text_document.uri))
    found = folds(source) if source is not None and not source.name.endswith(".csv") else []
    return [
        lsp.FoldingRange(f.first, f.last, kind=lsp.FoldingRangeKind.Comment if f.comment else None)
        for f in found
    ]


@server.feature(lsp.WORKSPACE_SYMBOL)
async def show_workspace_symbols(
    ls: RulesetServer, params: lsp.WorkspaceSymbolParams
) -> list[lsp.WorkspaceSymbol]:
    """Answer with the names that are declared in the files of the workspace.

    Other messages are answered between two files, and the request can be cancelled there.
    """
    folders = [
        path_of(uri)
        for uri in (ls.workspace.folders or ([ls.workspace.root_uri] if ls.workspace.root_uri else []))
    ]
    found: list[lsp.WorkspaceSymbol] = []
    for names in ls.symbols.search(dict(ls.open.texts), folders, params.query):
        found += [_workspace_symbol(ls, name) for name in names]
        await asyncio.sleep(0)
    return found


def _workspace_symbol(ls: RulesetServer, name: DeclaredName) -> lsp.WorkspaceSymbol:
    return lsp.WorkspaceSymbol(
        location=location(name.span, ls.positions, ls.open.uri),
        name=sanitise(name.name) or "?",
        kind=OUTLINE[name.kind],
        container_name=sanitise(name.container) or None,
    )


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def go_to_definition(ls: RulesetServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """The declarations of the symbol."""
    at = ls.at(params)
    return ls.locations(definition(ls.open, *at)) if at is not None else []


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
def find_references(ls: RulesetServer, params: lsp.ReferenceParams) -> list[lsp.Location]:
    """The uses of the symbol."""
    at = ls.at(params)
    return (
        ls.locations(references(ls.open, *at, declarations=params.context.include_declaration))
        if at is not None
        else []
    )


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
def highlight(ls: RulesetServer, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    """The uses of the symbol in this document."""
    at = ls.at(params)
    spans = references(ls.open, *at) if at is not None else []
    return [
        lsp.DocumentHighlight(ls.positions.range(s))
        for s in spans
        if at is not None and real_path(s.source.name) == at[0]
    ]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def show_outline(ls: RulesetServer, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    """The outline of a document."""
    source = ls.source(path_of(params.text_document.uri))
    return [_symbol(ls.positions, item) for item in outline(source)] if source is not None else []


def _symbol(positions: Positions, item: OutlineItem) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=sanitise(item.name) or "?",
        kind=OUTLINE[item.kind],
        range=positions.range(item.span),
        selection_range=positions.range(item.name_span),
        children=[_symbol(positions, child) for child in item.children],
    )


# ---------------------------------------------------------------- writing
@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
def prepare_rename(ls: RulesetServer, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    """The range of the name, if it can be renamed."""
    at = ls.at(params)
    found = renamable_at(ls.open, *at) if at is not None else None
    return ls.positions.range(found[1]) if found is not None else None


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
def do_rename(ls: RulesetServer, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    """The edits that rename the symbol everywhere."""
    at = ls.at(params)
    try:
        return ls.edit(rename(ls.open, *at, params.new_name) if at is not None else [])
    except RefusedEdit as reason:
        raise JsonRpcException(sanitise(str(reason)), code=lsp.LSPErrorCodes.RequestFailed) from None


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
def format_document(ls: RulesetServer, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    """The canonical layout."""
    source = ls.source(path_of(params.text_document.uri))
    made = layout(source) if source is not None and not source.name.endswith(".csv") else None
    return [lsp.TextEdit(ls.positions.range(made.span), made.text)] if made is not None else []


ACTIONS = lsp.CodeActionOptions(
    code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
)


@server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, ACTIONS)
def show_actions(ls: RulesetServer, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """The fixes for what is wrong here, and all safe ones at once."""
    path = path_of(params.text_document.uri)
    source = ls.source(path)
    if source is None:
        return []
    found = ls.open.diagnose(path, thorough=False).get(path, [])
    start, end = (ls.positions.offset(source, p) for p in (params.range.start, params.range.end))
    actions = [
        lsp.CodeAction(
            title=sanitise(d.fix.title),
            kind=lsp.CodeActionKind.QuickFix,
            diagnostics=[report(d, ls.positions, ls.open.uri)],
            edit=ls.edit([Edit(d.fix.span, d.fix.replacement)]),
            is_preferred=d.fix.safe,
        )
        for d in fixes_in(found, path, start, end)
        if d.fix is not None
    ]
    together = all_safe_fixes(found, path, Source(path, source.text))
    if together:
        actions.append(
            lsp.CodeAction(
                title="apply every safe fix", kind=lsp.CodeActionKind.SourceFixAll, edit=ls.edit(together)
            )
        )
    wanted = params.context.only
    return [
        a
        for a in actions
        if not wanted
        or any(str(getattr(a.kind, "value", a.kind)).startswith(str(getattr(w, "value", w))) for w in wanted)
    ]


def is_bug(record: logging.LogRecord) -> bool:
    """Tell whether a log record reports a bug of the server, which refused requests and unreadable messages
    are not.
    """
    return not record.msg.startswith("Unable to deserialize") and (
        record.exc_info is None or not isinstance(record.exc_info[1], JsonRpcException)
    )


def serve() -> None:
    """Serve an editor on standard input and output until it sends `exit` or closes the input."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(is_bug)
    # pygls closes what it is given
    with os.fdopen(os.dup(0), "rb") as asked, os.fdopen(os.dup(1), "wb") as answers:
        inbox = Inbox(Messages(asked, answers, server.protocol.structure_message))
        server.is_busy = lambda: inbox.is_busy
        inbox.start()
        server.start_io(cast(BinaryIO, inbox), answers)
