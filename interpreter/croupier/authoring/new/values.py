"""Values of a YAML text put in the place of others, the rest of the text as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as Table

from croupier.diagnostics import Source
from croupier.source import Mapping, read

_PLAIN = re.compile(r"[A-Za-z0-9_./][\w ./-]*\Z", re.ASCII)
_WORDS = {"true", "false", "null"}


def set_values(text: str, values: Table[str, str]) -> str:
    """The text with other values for some keys of the document; keys that it does not have are left out."""
    root, _ = read(Source("text", text))
    if not isinstance(root, Mapping):
        return text
    found = sorted(((root.get(key), value) for key, value in values.items()), key=lambda pair: -pair[0].span.start if pair[0] is not None else 0)
    for node, value in found:
        if node is not None:
            plain = _PLAIN.match(value) and value.lower() not in _WORDS and value == value.strip()
            text = text[: node.span.start] + (value if plain else json.dumps(value, ensure_ascii=False)) + text[node.span.end :]
    return text
