"""An entry of the catalogue, and the form of the file that it is read from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]
Repair = Literal["automatic", "by-hand"]
_HEADING = re.compile(r"# ([A-Z][0-9]{3}) ([a-z0-9]+(?:-[a-z0-9]+)*)")
_EXAMPLE = re.compile(r"\n## (Wrong|Right)\n\n```(\w+)( escaped)?\n(.*?)```\n", re.DOTALL)
_ESCAPE = re.compile(r"\\u([0-9a-f]{4})")
SEVERITIES: Mapping[str | None, Severity] = {"error": "error", "warning": "warning"}
REPAIRS: Mapping[str | None, Repair] = {"automatic": "automatic", "by-hand": "by-hand"}
_KEYS = ("severity", "fix", "message", "help")


@dataclass(frozen=True)
class CatalogueEntry:
    """Everything that is said about one code.

    `message` and `help` are templates: `{name}` stands for an argument of `diagnose`.  Lower case, names in back-ticks, no
    full stop; the problem in the message, the change in the help.  `explanation` is prose for whoever asks for more.
    `bad` and `good` are the smallest examples that show the mistake and its repair: rulesets or fragments of one.
    `fix` says what the bad example is offered: a fix that `check --fix` applies, one to apply by hand, or None.
    """

    code: str
    name: str
    message: str
    explanation: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
    help: str | None = None
    fix: Repair | None = None

    @property
    def title(self) -> str:
        """The name as words."""
        return self.name.replace("-", " ")


def parse_entry(text: str) -> CatalogueEntry:
    """The entry that the text of a file describes.  Raises ValueError for a text of another form."""
    if not text.startswith("---\n") or "\n---\n" not in text:
        raise ValueError("the file does not begin with keys between two lines `---`")
    front, _, body = text[4:].partition("\n---\n")
    keys = dict(_parse_key(line) for line in front.split("\n"))
    severity, fix = SEVERITIES.get(keys.get("severity")), REPAIRS.get(keys.get("fix"))
    if severity is None or (fix is None) != ("fix" not in keys) or "message" not in keys:
        raise ValueError("`severity` is `error` or `warning`, `fix` is `automatic` or `by-hand`, and there is a `message`")
    examples: dict[str, str] = {}
    for title, _, escaped, example in _EXAMPLE.findall(body):
        examples[title] = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), example) if escaped else example
    heading, *paragraphs = _EXAMPLE.sub("", body).strip("\n").split("\n\n")
    named = _HEADING.fullmatch(heading)
    if named is None:
        raise ValueError("the heading is not `# CODE name-of-the-diagnostic`")
    if any(part.startswith(("#", "```")) for part in paragraphs):
        raise ValueError("what follows the explanation is `## Wrong` and `## Right`, each with one block")
    explanation = "\n\n".join(" ".join(part.split("\n")) for part in paragraphs)
    return CatalogueEntry(
        named[1], named[2], keys["message"], explanation, examples.get("Wrong", ""), examples.get("Right", ""), severity, keys.get("help"), fix
    )


def _parse_key(line: str) -> tuple[str, str]:
    key, _, value = line.partition(": ")
    if key not in _KEYS:
        raise ValueError(f"`{key}` is none of the keys {', '.join(_KEYS)}")
    return key, str(json.loads(value)) if value.startswith('"') else value
