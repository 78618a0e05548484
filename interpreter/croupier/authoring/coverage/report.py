"""What coverage comes to: everything that can happen, with how often it did in games and in scenarios."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from croupier.diagnostics import JsonObject, Source, Span
from croupier.diagnostics.source import POLICY, escaped

CLAUSES = ("statement", "condition", "procedure", "power")
"""Kinds of places that a rule can be executed at; the rest is how it went there."""

TITLES = {
    "rule": "rules",
    "procedure": "definitions and phases",
    "statement": "statements",
    "condition": "conditions",
    "branch": "branches",
    "power": "powers of components",
    "option": "options",
    "value": "values chosen",
    "parameter": "parameter values",
    "players": "numbers of players",
}


@dataclass(frozen=True)
class Counted:
    """A place of the ruleset and how often it was executed in games and in scenarios; `kind` and `words` as in `runtime.trace.Spot`.

    `inside` says that the clause it belongs to was never executed either, so that it is nothing to report of its own.
    """

    kind: str
    span: Span
    words: str
    rules: tuple[str, ...]
    games: int
    scenarios: int
    inside: bool = False

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class RuleCount:
    """A rule of the rule list: in how many games and scenarios something that cites it was executed, and where it is cited."""

    id: str
    tag: str
    text: str
    games: int
    scenarios: int
    cited: tuple[Span, ...]

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class ValueCount:
    """A value of a parameter (or a number of players, `name` none), and in how many games and scenarios it held."""

    name: str | None
    value: object
    games: int
    scenarios: int
    span: Span | None

    @property
    def count(self) -> int:
        return self.games + self.scenarios


@dataclass(frozen=True)
class StoppedGame:
    """The first random game that ended before it was over for some reason, how it was set up, and how many did for the same."""

    status: str
    reason: str | None
    game: int
    players: int
    parameters: dict[str, str]
    count: int = 1

    def __str__(self) -> str:
        set_up = ", ".join([f"{self.players} players", *(f"{name} = {value}" for name, value in self.parameters.items())])
        others = f", and {self.count - 1} more" if self.count > 1 else ""
        return f"{self.status}: game {self.game} with {set_up}{others}{f' ({self.reason})' if self.reason else ''}"


@dataclass(frozen=True)
class Coverage:
    """Everything that was counted. `statuses` says how many games ended how, `failed` which scenarios did not pass."""

    ruleset: str
    title: str
    ruleset_hash: str
    seed: int
    games: int
    statuses: dict[str, int]
    stopped: tuple[StoppedGame, ...]
    scenarios: int
    failed: tuple[str, ...]
    rules: tuple[RuleCount, ...]
    places: tuple[Counted, ...]
    values: tuple[ValueCount, ...]
    sources: Sequence[Source]

    def totals(self) -> Iterator[tuple[str, int, int]]:
        """Of each kind of thing: its title, how many of them happened, how many there are."""
        yield TITLES["rule"], sum(1 for r in self.rules if r.count), len(self.rules)
        for kind in ("procedure", "statement", "condition", "branch", "power", "option", "value"):
            found = [p for p in self.places if p.kind == kind]
            yield TITLES[kind], sum(1 for p in found if p.count), len(found)
        for title, wanted in (("parameter", True), ("players", False)):
            values = [v for v in self.values if (v.name is not None) == wanted]
            yield TITLES[title], sum(1 for v in values if v.count), len(values)

    def never(self) -> list[Counted]:
        """The places where nothing happened, but for those inside of others."""
        return [p for p in self.places if not p.count and not p.inside]

    @property
    def complete(self) -> bool:
        """Did everything happen?"""
        return all(have == of for _, have, of in self.totals())

    def to_json(self) -> JsonObject:
        """The report as a JSON value; positions count from 1."""
        return {
            "ruleset": self.ruleset,
            "ruleset_hash": self.ruleset_hash,
            "seed": self.seed,
            "games": self.games,
            "statuses": self.statuses,
            "stopped": [asdict(game) for game in self.stopped],
            "scenarios": self.scenarios,
            "failed": list(self.failed),
            "complete": self.complete,
            "totals": {title: {"happened": have, "of": of} for title, have, of in self.totals()},
            "rules": [
                {"id": r.id, "tag": r.tag, "text": r.text, "games": r.games, "scenarios": r.scenarios, "cited": [_place(s) for s in r.cited]}
                for r in self.rules
            ],
            "places": [
                {
                    "kind": p.kind,
                    "words": p.words,
                    **_place(p.span),
                    "text": _one_line(p.span.text),
                    "rules": list(p.rules),
                    "games": p.games,
                    "scenarios": p.scenarios,
                }
                for p in self.places
            ],
            "values": [
                {"parameter": v.name, "value": v.value, "games": v.games, "scenarios": v.scenarios, **(_place(v.span) if v.span is not None else {})}
                for v in self.values
            ],
        }


def _place(span: Span) -> dict[str, object]:
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _one_line(text: str) -> str:
    """The first line of a text, which may have been written over several."""
    return text.strip().split("\n")[0].rstrip()


# ---------------------------------------------------------------- wording
_WIDEST = 90


def place_words(p: Counted) -> str:
    """A place in words: the text that stands there, and which way or option of it is meant."""
    text = p.span.text.strip().split("\n")[0].rstrip()
    text = text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
    match p.kind:
        case "procedure" | "power":
            return f"`{p.words}` is never run"
        case "branch":
            return f"`{text}`: {p.words}"
        case "option":
            return f"option “{p.words}”"
        case "value":
            return f"`{text}`: {p.words}"
    return f"`{text}`"


def value_words(v: ValueCount) -> str:
    """A parameter's value, or a number of players."""
    if v.name is None:
        return f"{v.value} players"
    return f"{v.name} = {v.value if isinstance(v.value, str) else json.dumps(v.value, ensure_ascii=False)}"


# ---------------------------------------------------------------- page
_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 78em; padding: 0 1em; color: #222; background: #fff }
code { font-family: ui-monospace, monospace; font-size: .9em }
table { border-collapse: collapse } td, th { padding: 0 .8em 0 0; text-align: left; vertical-align: top }
h2 { margin-top: 2em; font-size: 1.1em } .file { font-family: ui-monospace, monospace }
pre { font: 13px/1.45 ui-monospace, monospace; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.source td { padding: 0 .6em } .source td:nth-child(-n+2) { text-align: right; color: #777; white-space: nowrap }
.happened { background: #e6f6e6 } .never { background: #fbdcdc } .partly { background: #fff2cc }
.comment { color: #777; font-style: italic } .text { color: #0a6 } .cite { color: #85c } .word { color: #05a }
.note { color: #a33; font-size: .85em } a { color: inherit }
@media (prefers-color-scheme: dark) {
 body { background: #1b1b1b; color: #ddd } .happened { background: #173a17 } .never { background: #5a1d1d } .partly { background: #4d4012 }
 .text { color: #6d9 } .cite { color: #c9f } .word { color: #7bf } .note { color: #f99 }
}
""".strip()
_WORDS = (
    "def window return let var if elif else match case for repeat until break continue pass move draw shuffle roll swap add remove show reveal tell "
    "announce claim open choose may option only where such that by every chance weighing merging as finish win rank pay lose before after instead "
    "of adjust watch end when so suppose gives within secretly and or not in is none true false otherwise"
)
_TOKEN = re.compile(r'(?P<comment>(?:^|(?<=\s))\#.*)|(?P<text>"[^"]*")|(?P<cite>@[\w.,;-]+)|(?P<word>\b(?:' + "|".join(_WORDS.split()) + r")\b)")

_PROSE = re.compile(r"\s*(?:doc|title):")


def html_page(coverage: Coverage) -> str:
    """The whole page."""
    title = f"coverage of {coverage.title}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escaped(POLICY)}">',
            f'<meta name="viewport" content="width=device-width"><title>{escaped(title)}</title><style>{_STYLE}</style></head><body>',
            f"<h1>{escaped(coverage.title)}</h1>",
            f"<p>{_count(coverage.games, 'random game')} (seed {coverage.seed}) and {_count(coverage.scenarios, 'scenario')} of "
            f"{escaped(coverage.ruleset)}, rules {escaped(coverage.ruleset_hash[:12])}.</p>",
            "<table><tr><th>what</th><th>happened</th><th>of</th></tr>",
            *(
                f'<tr class="{"happened" if have == of else "partly"}"><td>{escaped(what)}</td><td>{have:,}</td><td>{of:,}</td></tr>'
                for what, have, of in coverage.totals()
                if of
            ),
            "</table>",
            *_never(coverage),
            *(line for number, source in enumerate(coverage.sources) for line in _source(coverage, source, number)),
            "</body></html>\n",
        ]
    )


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _marked(words: str) -> str:
    """Words with what stands between back-ticks as code."""
    return re.sub(r"`(.+)`", r"<code>\1</code>", escaped(words))


def _short(name: str) -> str:
    """The end of a path, enough to tell the files of a ruleset apart."""
    return "/".join(name.replace("\\", "/").split("/")[-2:])


def _never(coverage: Coverage) -> Iterator[str]:
    """Everything that never happened, with links to where it stands."""
    numbers = {source.name: i for i, source in enumerate(coverage.sources)}
    rules = [r for r in coverage.rules if not r.count]
    values = [v for v in coverage.values if not v.count]
    places = coverage.never()
    if not (rules or values or places):
        return
    yield "<h2>Never happened</h2><table>"
    for r in rules:
        cited = ", ".join(f'<a href="#s{numbers[s.source.name]}-{s.line}">{s.line}</a>' for s in r.cited if s.source.name in numbers)
        yield f"<tr><td>rule {escaped(r.id)}</td><td>{escaped(r.text)}</td><td>{'cited in line ' + cited if cited else 'cited nowhere'}</td></tr>"
    for p in places:
        what, link = place_words(p), f"#s{numbers[p.span.source.name]}-{p.span.line}"
        place = escaped(f"{_short(p.span.source.name)}:{p.span.line}")
        yield f'<tr><td>{escaped(p.kind)}</td><td>{_marked(what)}</td><td><a href="{link}">{place}</a></td></tr>'
    for v in values:
        yield f"<tr><td>value</td><td>{escaped(value_words(v))}</td><td></td></tr>"
    yield "</table>"


def _source(coverage: Coverage, source: Source, number: int) -> Iterator[str]:
    """The text of a file, line by line; a file in which nothing can happen is left out."""
    lines: dict[int, list[Counted]] = defaultdict(list)
    for p in coverage.places:
        if p.span.source.name == source.name:
            lines[p.span.line].append(p)
    if not lines:
        return
    yield f'<h2 class="file">{escaped(_short(source.name))}</h2><table class="source">'
    for at, text in enumerate(source.text.splitlines(), 1):
        found = lines.get(at, [])
        clauses = [p.count for p in found if p.kind in CLAUSES] or [p.count for p in found]
        missing = [p for p in found if not p.count]
        kind = "" if not found else "happened" if not missing else "never" if not any(p.count for p in found) else "partly"
        notes = "; ".join(f"never: {place_words(p)}" for p in missing if not p.inside and p.count != max(clauses))
        count = f"{max(clauses):,}" if clauses else ""
        note = f'<span class="note">{_marked(notes)}</span>' if notes else ""
        yield f'<tr id="s{number}-{at}" class="{kind}"><td>{at}</td><td>{count}</td><td><pre>{coloured(text)}</pre>{note}</td></tr>'
    yield "</table>"


def coloured(line: str) -> str:
    """A line of a ruleset with its words, texts, citations and comments marked."""
    if _PROSE.match(line):
        return escaped(line)
    out, at = [], 0
    for match in _TOKEN.finditer(line):
        out += [escaped(line[at : match.start()]), f'<span class="{match.lastgroup}">{escaped(match.group())}</span>']
        at = match.end()
    return "".join([*out, escaped(line[at:])])
