"""Messages of the protocol: how they come in, positions in them, and the interpreter's diagnostics as they go out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import BinaryIO

from lsprotocol.types import Diagnostic as Report
from lsprotocol.types import DiagnosticRelatedInformation, DiagnosticSeverity, Location, Position, Range

from croupier.diagnostics import Diagnostic, Source, Span, sanitise
from croupier.lsp.workspace import real_path

# ---------------------------------------------------------------- messages
# A message is a header with its length, an empty line, and JSON. Input that is no message is answered with an error, and reading goes on at the
# next message or, if the length is unknown, at the next header. The server gets only messages that can be parsed.
MAX_MESSAGE = 64_000_000  # bytes of a message
MAX_HEADER = 8_192  # bytes of a line before it is given up
HEADER = b"Content-Length:"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602  # JSON-RPC 2.0, section 5.1
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,9})[ \t]*\r?\n\Z", re.IGNORECASE)


class Messages:
    """The input of a server as a file, reduced to the messages that can be parsed.

    `structure` makes a value of the protocol of a request or notification, or raises an exception; errors are written to `answers`.
    """

    def __init__(self, asked: BinaryIO, answers: BinaryIO, structure: Callable[[dict[str, object]], object]) -> None:
        self._asked, self._answers, self._structure = asked, answers, structure
        self._left = b""  # of a line that held the end of one message and the beginning of the next
        self._lines: list[bytes] = []  # of the header of the message that is handed on
        self._body = b""

    # ------------------------------------------------------------ what a server reads
    def readline(self) -> bytes:
        """The next line of a header; nothing at the end of the input."""
        if not self._lines:
            body = self._next()
            if body is None:
                return b""
            self._body, self._lines = body, [b"%s %d\r\n" % (HEADER, len(body)), b"\r\n"]
        return self._lines.pop(0)

    def read(self, size: int) -> bytes:
        """The message whose header was read."""
        body, self._body = self._body[:size], self._body[size:]
        return body

    # ------------------------------------------------------------ what comes in
    def _next(self) -> bytes | None:
        """The next message that can be read."""
        while True:
            length = self._length()
            if length is None:
                return None
            if length > 0:
                body = self._asked.read(length)
                if len(body) < length:
                    return None
                if self._is_readable(body):
                    return body

    def _length(self) -> int | None:
        """The length in the next header; 0 if the header is wrong, which is answered; None at the end of the input."""
        size, given = 0, False
        while True:
            line = self._line()
            if not line:
                return None
            if not line.strip():
                if 0 < size <= MAX_MESSAGE:
                    return size
                if given:
                    self._refuse(None, PARSE_ERROR, "the header has no `Content-Length` that can be used")
                    self._left = self._next_header()
                    return 0
                continue
            match = _LENGTH.match(line)
            size = int(match.group(1)) if match is not None else size
            given = given or line.lower().startswith(HEADER.lower())

    def _line(self) -> bytes:
        line, self._left = self._left, b""
        return line or self._asked.readline(MAX_HEADER)

    def _next_header(self) -> bytes:
        """The next header, anywhere in a line; input before it is skipped."""
        while True:
            line = self._asked.readline(MAX_HEADER)
            at = line.lower().find(HEADER.lower())
            if at >= 0 or not line:
                return line[at:] if line else b""

    # ------------------------------------------------------------ what is answered
    def _is_readable(self, body: bytes) -> bool:
        """Whether a message is one of the protocol; if not, that is answered."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self._refuse(None, PARSE_ERROR, "the message is not JSON")
            return False
        known = message.get("id") if isinstance(message, dict) else None
        known = known if isinstance(known, (int, str)) and not isinstance(known, bool) else None
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method", ""), str):
            self._refuse(known, INVALID_REQUEST, "the message is not of JSON-RPC 2.0")
            return False
        if "method" not in message:
            return "result" in message or "error" in message or self._refuse(known, INVALID_REQUEST, "the message has no `method`")
        try:
            self._structure(message)
        except Exception as error:  # noqa: BLE001 - whatever it is that keeps a message from being read
            name = message["method"][:100]
            if "id" not in message:  # nobody waits for an answer
                return False
            if getattr(error, "code", None) != INVALID_PARAMS:
                return self._refuse(known, NO_METHOD, f"there is no method `{name}`")
            return self._refuse(known, INVALID_PARAMS, f"the parameters of `{name}` are not those of the protocol")
        return True

    def _refuse(self, known: int | str | None, code: int, message: str) -> bool:
        """Answer with an error. Always False."""
        body = json.dumps({"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}}).encode()
        self._answers.write(b"%s %d\r\n\r\n%s" % (HEADER, len(body), body))
        self._answers.flush()
        return False


# ---------------------------------------------------------------- positions
# Conversion between offsets and the positions of the protocol: lines from 0, columns in code units of UTF-16 (or of the encoding agreed on).
UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": len,
}


class Positions:
    """Converts in one encoding of positions."""

    def __init__(self, encoding: str = "utf-16") -> None:
        self.width = UNITS.get(encoding, UNITS["utf-16"])

    def position(self, source: Source, offset: int) -> Position:
        """The position of an offset."""
        line, column = source.position(offset)
        return Position(line - 1, self.width(source.line(line)[: column - 1]))

    def range(self, span: Span) -> Range:
        """The range of a span."""
        return Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def whole(self, source: Source) -> Range:
        """The range of a whole text."""
        return self.range(source.span(0, len(source.text)))

    def offset(self, source: Source, position: Position) -> int:
        """The offset of a position; one outside the text is moved to its nearest end, one inside a character to its beginning."""
        if position.line >= source.line_count:
            return len(source.text)
        start, text = source.line_start(position.line + 1), source.line(position.line + 1)
        if text.isascii():
            return start + min(position.character, len(text))
        at = units = 0
        while at < len(text) and units + self.width(text[at]) <= position.character:
            units += self.width(text[at])
            at += 1
        return start + at


# ---------------------------------------------------------------- reports
# Our diagnostics as those of the protocol.
SOURCE = "croupier"
BEGINNING = Range(Position(0, 0), Position(0, 1))


def report(d: Diagnostic, positions: Positions, uri: Callable[[str], str]) -> Report:
    """A diagnostic of the protocol: message with notes and help; labels as related information."""
    lines = [d.message, *d.notes, *((f"help: {d.help}",) if d.help is not None else ())]
    related = [DiagnosticRelatedInformation(location(label.span, positions, uri), sanitise(label.text)) for label in d.labels]
    return Report(
        range=positions.range(d.span) if d.span is not None else BEGINNING,
        message="\n".join(sanitise(line) for line in lines),
        severity=DiagnosticSeverity.Error if d.is_error else DiagnosticSeverity.Warning,
        code=f"{d.code} {d.name}",
        source=SOURCE,
        related_information=related or None,
    )


def location(span: Span, positions: Positions, uri: Callable[[str], str]) -> Location:
    """The location of a span in a file."""
    return Location(uri(real_path(span.source.name)), positions.range(span))
