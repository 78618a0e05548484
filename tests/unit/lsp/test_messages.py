"""What is no message is answered, and the next message is read: as data in `messages.yaml`."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("pygls")

from croupier.lsp.protocol import Messages  # noqa: E402
from croupier.lsp.server import server  # noqa: E402

CASES = yaml.safe_load(Path(__file__).with_name("messages.yaml").read_text(encoding="utf-8"))


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


@pytest.mark.parametrize("case", CASES, ids=lambda case: repr(case.get("sent", case.get("body", case.get("hover"))))[:40])
def test_what_is_no_message_is_answered(case: dict[str, Any]) -> None:
    good = hover(2, {"line": 99999, "character": 99999})
    answers = io.BytesIO()
    messages = Messages(io.BytesIO(sent(case) + framed(good) * 2), answers, server.protocol.structure_message)
    for _ in range(2):
        assert messages.readline() == b"Content-Length: %d\r\n" % len(good) and messages.readline() == b"\r\n"
        assert messages.read(len(good)) == good.encode()
    assert messages.readline() == b""
    assert answered(answers.getvalue()) == case["answers"]
