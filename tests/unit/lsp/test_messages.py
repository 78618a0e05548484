"""What is no message is answered, and the next message is read: as data in `messages.yaml`.

What nobody waits for is not begun.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

pytest.importorskip("pygls")

from croupier.lsp.messages import CANCELLED, CONTENT_MODIFIED, Inbox, Messages  # noqa: E402
from croupier.lsp.server import server  # noqa: E402

CASES = YAML(typ="safe", pure=True).load(
    Path(__file__).with_name("messages.yaml").read_text(encoding="utf-8")
)


def framed(body: str) -> bytes:
    """A message with its header."""
    return b"Content-Length: %d\r\n\r\n%s" % (len(body.encode()), body.encode())


def hover(number: int, position: object) -> str:
    """A request about a place."""
    params = {"textDocument": {"uri": "file:///a.yaml"}, "position": position}
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "textDocument/hover", "params": params})


def sent(case: dict[str, Any]) -> bytes:
    """What an editor sends in a case."""
    if "sent" in case:
        return str(case["sent"]).encode()
    return framed(case["body"] * case.get("times", 1) if "body" in case else hover(1, case["hover"]))


def answered(text: bytes) -> list[list[object]]:
    """The ids and codes of the errors in what was answered."""
    found = []
    while text:
        header, _, text = text.partition(b"\r\n\r\n")
        size = int(header.removeprefix(b"Content-Length: "))
        message, text = json.loads(text[:size]), text[size:]
        assert message["jsonrpc"] == "2.0" and message["error"]["message"]
        found.append([message["id"], message["error"]["code"]])
    return found


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: repr(case.get("sent", case.get("body", case.get("hover"))))[:40]
)
def test_what_is_no_message_is_answered(case: dict[str, Any]) -> None:
    good = hover(2, {"line": 99999, "character": 99999})
    answers = io.BytesIO()
    messages = Messages(io.BytesIO(sent(case) + framed(good) * 2), answers, server.protocol.structure_message)
    for _ in range(2):
        message = messages.next()
        assert message is not None and message.body == good.encode()
    assert messages.next() is None
    assert answered(answers.getvalue()) == case["answers"]


# ---------------------------------------------------------------- what waits
def about(method: str, number: int | None = None, file: str = "a", **params: object) -> str:
    """A request or, without a number, a notification about a document."""
    identifier = {"uri": f"file:///{file}.yaml", "version": 2}
    content = {
        "jsonrpc": "2.0",
        "method": f"textDocument/{method}",
        "params": {"textDocument": identifier, **params},
    }
    return json.dumps(content if number is None else {**content, "id": number})


def cancelled(number: int) -> str:
    return json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": number}})


EXIT = json.dumps({"jsonrpc": "2.0", "method": "exit"})
CHANGE = about("didChange", contentChanges=[{"text": "a"}])
AT = {"line": 0, "character": 0}


class Endless(io.BytesIO):
    """An input that must not be read at its end, since an editor keeps it open."""

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        assert line, "read behind the last message"
        return line


def handled(inbox: Inbox) -> list[str]:
    """The messages that the server gets, in order."""
    found = []
    while header := inbox.readline():
        assert inbox.readline() == b"\r\n" and inbox.is_busy
        found.append(inbox.read(int(header.split()[1])).decode())
    assert not inbox.is_busy
    return found


@pytest.mark.parametrize(
    ("sent", "left", "answers"),
    [
        ([hover(1, AT), hover(2, AT), cancelled(1)], [1], [[1, CANCELLED]]),
        ([hover(1, AT), cancelled(7)], [0, 1], []),  # it has begun: the server cancels it
        ([about("semanticTokens/full", 1), CHANGE], [1], [[1, CONTENT_MODIFIED]]),
        ([about("semanticTokens/full", 1, "b"), CHANGE], [0, 1], []),
        ([CHANGE, about("semanticTokens/full", 1)], [0, 1], []),
        ([about("completion", 1, position=AT), CHANGE, CHANGE], [0, 1, 2], []),
    ],
)
def test_what_nobody_waits_for_is_not_begun(
    sent: list[str], left: list[int], answers: list[list[object]]
) -> None:
    output = io.BytesIO()
    messages = Messages(
        Endless(b"".join(map(framed, [*sent, EXIT]))), output, server.protocol.structure_message
    )
    inbox = Inbox(messages)
    while (message := messages.next()) is not None:  # all come in before the first is handled
        inbox.take(message)
        if message.method == "exit":
            break
    assert inbox.is_busy
    inbox.end()
    assert handled(inbox) == [*(sent[n] for n in left), EXIT]
    assert answered(output.getvalue()) == answers


def test_messages_are_read_until_the_editor_ends_the_server() -> None:
    inbox = Inbox(
        Messages(
            Endless(b"".join(map(framed, [CHANGE, EXIT]))), io.BytesIO(), server.protocol.structure_message
        )
    )
    inbox.start()
    assert handled(inbox) == [CHANGE, EXIT]
