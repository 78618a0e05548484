"""Messages of the protocol: what is none is answered here, and what waits is known before it is handled.

A message is a header with its length, an empty line, and JSON. Input that is no message is answered with an
error, and reading goes on at the next message or, if the length is unknown, at the next header. The server
gets only messages that can be parsed.

They are read in a thread of their own. So a check can wait until all that has come in is handled, and what
nobody waits for any more is never begun: requests that are cancelled, and what an editor asks again anyway
because the text has changed behind it.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Thread
from typing import Any, BinaryIO

MAX_MESSAGE = 64_000_000  # bytes of a message
MAX_HEADER = 8_192  # bytes of a line before it is given up
HEADER = b"Content-Length:"
# JSON-RPC 2.0, section 5.1
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
CANCELLED, CONTENT_MODIFIED = -32800, -32801  # of the language server protocol
MAX_WAITING = 1_000  # messages; no more are read until some of them are handled
ASKED_AGAIN = frozenset(
    {"textDocument/semanticTokens/full", "textDocument/semanticTokens/range", "textDocument/codeAction"}
)
_LENGTH = re.compile(rb"content-length:[ \t]*([0-9]{1,9})[ \t]*\r?\n\Z", re.IGNORECASE)


@dataclass(frozen=True)
class Message:
    """A message as it was sent, and as JSON."""

    body: bytes
    content: dict[str, Any]

    @property
    def method(self) -> str:
        """Return the method that is asked or told; empty in an answer."""
        return str(self.content.get("method", ""))

    @property
    def id(self) -> int | str | None:
        """The number of a request; `None` where nobody waits for an answer."""
        found = self.content.get("id")
        return found if isinstance(found, (int, str)) and not isinstance(found, bool) else None

    @property
    def document(self) -> str | None:
        """The address of the document that it is about."""
        return _text(self.content, "params", "textDocument", "uri")


def _text(content: object, *keys: str) -> str | None:
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, str) else None


class Messages:
    """The messages in the input of a server.

    `structure` makes a value of the protocol of a request or notification, or raises an exception; errors are
    written to `answers`.
    """

    def __init__(
        self, asked: BinaryIO, answers: BinaryIO, structure: Callable[[dict[str, object]], object]
    ) -> None:
        self._asked, self._answers, self._structure = asked, answers, structure
        self._left = b""  # of a line that held the end of one message and the beginning of the next

    def next(self) -> Message | None:
        """The next message that can be read; `None` at the end of the input."""
        while True:
            length = self._length()
            if length is None:
                return None
            if length > 0:
                body = self._asked.read(length)
                if len(body) < length:
                    return None
                message = self._readable(body)
                if message is not None:
                    return message

    # ------------------------------------------------------------ what comes in

    def _length(self) -> int | None:
        """The length in the next header; 0 if the header is wrong, which is answered; `None` at the end of
        the input.
        """
        size, given = 0, False
        while True:
            line = self._line()
            if not line:
                return None
            if not line.strip():
                if 0 < size <= MAX_MESSAGE:
                    return size
                if given:
                    self.refuse(None, PARSE_ERROR, "the header has no `Content-Length` that can be used")
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
    def _readable(self, body: bytes) -> Message | None:
        """A message of the protocol; what is none is answered."""
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            self.refuse(None, PARSE_ERROR, "the message is not JSON")
            return None
        if not isinstance(content, dict):
            self.refuse(None, INVALID_REQUEST, "the message is not of JSON-RPC 2.0")
            return None
        message = Message(body, content)
        if content.get("jsonrpc") != "2.0" or not isinstance(content.get("method", ""), str):
            self.refuse(message.id, INVALID_REQUEST, "the message is not of JSON-RPC 2.0")
            return None
        if "method" not in content:
            if "result" in content or "error" in content:
                return message
            self.refuse(message.id, INVALID_REQUEST, "the message has no `method`")
            return None
        try:
            self._structure(json.loads(body))
        except Exception as error:  # noqa: BLE001 - whatever it is that keeps a message from being read
            name = message.method[:100]
            if "id" not in content:  # nobody waits for an answer
                return None
            if getattr(error, "code", None) != INVALID_PARAMS:
                self.refuse(message.id, NO_METHOD, f"there is no method `{name}`")
                return None
            self.refuse(
                message.id, INVALID_PARAMS, f"the parameters of `{name}` are not those of the protocol"
            )
            return None
        return message

    def refuse(self, known: int | str | None, code: int, message: str) -> None:
        """Answer with an error."""
        body = json.dumps(
            {"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}}
        ).encode()
        self._answers.write(b"%s %d\r\n\r\n%s" % (HEADER, len(body), body))
        self._answers.flush()


class Inbox:
    """The messages that wait to be handled, as the file that the server reads: what nobody waits for any more
    is answered and left out.
    """

    def __init__(self, messages: Messages) -> None:
        self._messages = messages
        self._waiting: deque[Message] = deque()
        self._changed = Condition()
        self._is_over = False  # no more messages will come
        self._is_handling = False  # the server has a message, and has not asked for the next one
        self._lines: list[bytes] = []  # of the header of the message that is handed on
        self._body = b""

    def start(self) -> None:
        """Read messages from now on, until the input ends or the server is told to."""
        Thread(target=self._fill, daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Tell whether there is a message that is not handled yet."""
        return self._is_handling or bool(self._waiting)

    # ------------------------------------------------------------ what the server reads
    def readline(self) -> bytes:
        """The next line of a header, as soon as there is one; nothing at the end of the input."""
        if not self._lines:
            with self._changed:
                self._is_handling = False
                self._changed.wait_for(lambda: self._waiting or self._is_over)
                if not self._waiting:
                    return b""
                self._body = self._waiting.popleft().body
                self._is_handling = True
                self._changed.notify_all()
            self._lines = [b"%s %d\r\n" % (HEADER, len(self._body)), b"\r\n"]
        return self._lines.pop(0)

    def read(self, size: int) -> bytes:
        """The message whose header was read."""
        body, self._body = self._body[:size], self._body[size:]
        return body

    # ------------------------------------------------------------ what comes in
    def _fill(self) -> None:
        message = self._messages.next()
        while message is not None:
            self.take(message)
            message = None if message.method == "exit" else self._messages.next()
        self.end()

    def end(self) -> None:
        """No more messages will come."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def take(self, message: Message) -> None:
        """Put a message behind the others, or take away what it cancels or makes useless."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) < MAX_WAITING)
            if message.method == "$/cancelRequest":
                params = message.content.get("params")
                number = params.get("id") if isinstance(params, dict) else None
                if self._drop(
                    lambda other: other.method != "" and other.id == number,
                    CANCELLED,
                    "the request was cancelled",
                ):
                    return
            if message.method == "textDocument/didChange":
                document = message.document
                self._drop(
                    lambda other: other.method in ASKED_AGAIN and other.document == document,
                    CONTENT_MODIFIED,
                    "the text has changed since",
                )
            self._waiting.append(message)
            self._changed.notify_all()

    def _drop(self, unwanted: Callable[[Message], bool], code: int, reason: str) -> bool:
        """Answer waiting requests with an error.  Whether there are any."""
        dropped = [message for message in self._waiting if message.id is not None and unwanted(message)]
        for message in dropped:
            self._waiting.remove(message)
            self._messages.refuse(message.id, code, reason)
        return bool(dropped)
