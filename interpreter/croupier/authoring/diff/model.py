"""One difference between two rulesets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from croupier.diagnostics import Span

Kind = Literal["added", "removed", "changed"]
MOST_LINES = 40
_BLANKS = re.compile(r'"[^"]*"|\s*(?<!\S)#.*|\s+')


def kind_of(before: object, after: object) -> Kind:
    """Whether something was added, removed or changed; None stands for nothing."""
    return "added" if before is None else "removed" if after is None else "changed"


@dataclass(frozen=True)
class Difference:
    """What differs: `section` and `name` as in the file, `part` what about it (`type`, `default`, the id of a row and a column).

    `before` and `after` are the texts, None where there was or is nothing; the spans say where they stand.
    """

    kind: Kind
    section: str
    name: str
    part: str | None = None
    before: str | None = None
    after: str | None = None
    before_span: Span | None = None
    after_span: Span | None = None

    @property
    def words(self) -> str:
        """The difference in one line."""
        what = f"{self.section} `{self.name}`" if self.name else self.section
        if self.part is not None:
            what = f"{what}, {self.part}"
        if self.kind != "changed":
            value = self.after if self.kind == "added" else self.before
            return f"{what}: {self.kind}" + (f" ({value})" if value and "\n" not in value else "")
        if self.before is None or self.after is None or "\n" in self.before + self.after:
            return f"{what}: changed"
        return f"{what}: {self.before} → {self.after}"

    @property
    def lines(self) -> tuple[str, ...]:
        """For texts of several lines: what goes with `-`, what comes with `+`, without blank lines."""
        if self.kind != "changed" or self.before is None or self.after is None or "\n" not in self.before + self.after:
            return ()
        found = _changed_lines(_clean(self.before), _clean(self.after))
        return (*found[:MOST_LINES], f"… {len(found) - MOST_LINES} more lines") if len(found) > MOST_LINES else tuple(found)

    def to_json(self) -> dict[str, Any]:
        """The difference for programs."""
        return {
            "kind": self.kind, "section": self.section, "name": self.name, "part": self.part, "before": self.before, "after": self.after,
            "before_place": None if self.before_span is None else str(self.before_span),
            "after_place": None if self.after_span is None else str(self.after_span), "words": self.words,
        }  # fmt: skip


def _changed_lines(old: list[str], new: list[str]) -> list[str]:
    """The lines that went and came; blanks between words and comments make no difference."""
    found: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, [*map(spaced, old)], [*map(spaced, new)], autojunk=False).get_opcodes():
        if kind != "equal":
            found += [*(f"- {line}" for line in old[a:b]), *(f"+ {line}" for line in new[c:d])]
    return found


def spaced(line: str) -> str:
    """A line with one blank between words and no comment, but as it is in front of the first word and in texts."""
    code = line.lstrip()
    return (line[: len(line) - len(code)] + _BLANKS.sub(_narrow, code)).rstrip()


def _narrow(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else " "


def _clean(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]
