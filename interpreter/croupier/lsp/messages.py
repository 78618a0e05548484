"""Messages of the protocol as they come in: a header with their length, an empty line, JSON.

What is no message is answered with an error, and the next one is looked for: where the length cannot be known, at the next header. Only messages
that can be read go on to the server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, BinaryIO

LONGEST = 64_000_000  # bytes of a message
LONGEST_HEADER = 8_192  # bytes of a line before it is given up
HEADER = b"Content-Length:"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602  # JSON-RPC 2.0, section 5.1
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,9})[ \t]*\r?\n\Z", re.IGNORECASE)


class Messages:
    """The input of a server, as a file: it holds whole messages that can be read, one after the other.

    `structure` makes a value of the protocol of a request or notification, or raises an exception; errors are written to `answers`.
    """

    def __init__(self, asked: BinaryIO, answers: BinaryIO, structure: Callable[[dict[str, Any]], Any]) -> None:
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
        """What the next header says; 0 if it says nothing that can be used, which is answered; None at the end of the input."""
        size, given = 0, False
        while True:
            line = self._line()
            if not line:
                return None
            if not line.strip():
                if 0 < size <= LONGEST:
                    return size
                if given:
                    self._refuse(None, PARSE_ERROR, "the header has no `Content-Length` that can be used")
                    self._left = self._found_again()
                    return 0
                continue
            match = _LENGTH.match(line)
            size = int(match.group(1)) if match is not None else size
            given = given or line.lower().startswith(HEADER.lower())

    def _line(self) -> bytes:
        line, self._left = self._left, b""
        return line or self._asked.readline(LONGEST_HEADER)

    def _found_again(self) -> bytes:
        """The next header, wherever on a line it begins; what stands before it is no message."""
        while True:
            line = self._asked.readline(LONGEST_HEADER)
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
