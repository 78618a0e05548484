"""The results of coverage as an HTML page: the totals, what never happened, and the coloured source."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from croupier.authoring.coverage.results import (
    CLAUSES,
    Counted,
    Coverage,
    place_words,
    told_words,
    value_words,
)
from croupier.diagnostics import Source
from croupier.diagnostics.markup import escaped, page
from croupier.semantics.names import RESERVED_STATEMENTS

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
""".strip()  # noqa: E501 the text as it is read
_WORDS = (
    "def window elif else until where such that by every chance weighing merging as told win rank pay lose "
    "before after instead of adjust watch end when"
    " suppose within and or not in is none true false otherwise"
)
_TOKEN = re.compile(
    r'(?P<comment>(?:^|(?<=\s))\#.*)|(?P<text>"[^"]*")|(?P<cite>@[\w.,;-]+)|(?P<word>\b(?:'
    + "|".join([*_WORDS.split(), *sorted(RESERVED_STATEMENTS)])
    + r")\b)"
)

_PROSE = re.compile(r"\s*(?:doc|title):")


def html_page(coverage: Coverage, part: str = "") -> str:
    """The whole page; one about a part of what was to be played says at its head which `part`."""
    title = f"coverage of {coverage.title}{f' ({part})' if part else ''}"
    return page(
        title,
        _STYLE,
        [
            f"<h1>{escaped(coverage.title)}</h1>",
            f"<p>{_count(coverage.games, 'random game')} (seed {coverage.seed}) and "
            f"{_count(coverage.scenarios, 'scenario')} of "
            f"{escaped(coverage.ruleset)}, rules {escaped(coverage.ruleset_hash[:12])}.</p>",
            *([f"<p><strong>{escaped(part[:1].upper() + part[1:])}</strong></p>"] if part else []),
            "<table><tr><th>what</th><th>happened</th><th>of</th></tr>",
            *(
                f'<tr class="{"happened" if have == of else "partly"}">'
                f"<td>{escaped(what)}</td><td>{have:,}</td><td>{of:,}</td></tr>"
                for what, have, of in coverage.totals()
                if of
            ),
            "</table>",
            *_never(coverage),
            *(
                line
                for number, source in enumerate(coverage.sources)
                for line in _source(coverage, source, number)
            ),
        ],
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
        cited = ", ".join(
            f'<a href="#s{numbers[s.source.name]}-{s.line}">{s.line}</a>'
            for s in r.cited
            if s.source.name in numbers
        )
        where = f"cited in line {cited}" if cited else "cited nowhere"
        yield f"<tr><td>rule {escaped(r.id)}</td><td>{escaped(r.text)}</td><td>{where}</td></tr>"
    for p in places:
        what, link = place_words(p), f"#s{numbers[p.span.source.name]}-{p.span.line}"
        place = escaped(f"{_short(p.span.source.name)}:{p.span.line}")
        yield (
            f"<tr><td>{escaped(p.kind)}</td><td>{_marked(what)}</td><td><a "
            f'href="{link}">{place}</a></td><td>{escaped(told_words(p))}</td></tr>'
        )
    for v in values:
        yield f"<tr><td>value</td><td>{escaped(value_words(v))}</td><td></td></tr>"
    yield "</table>"


def _line_class(places: Sequence[Counted]) -> str:
    """The CSS class of a line with these places; empty without any."""
    if not places:
        return ""
    if all(p.count for p in places):
        return "happened"
    return "partly" if any(p.count for p in places) else "never"


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
        kind = _line_class(found)
        notes = "; ".join(
            f"never: {place_words(p)}" for p in missing if not p.inside and p.count != max(clauses)
        )
        count = f"{max(clauses):,}" if clauses else ""
        note = f'<span class="note">{_marked(notes)}</span>' if notes else ""
        yield (
            f'<tr id="s{number}-{at}" '
            f'class="{kind}"><td>{at}</td><td>{count}</td><td><pre>{coloured(text)}</pre>{note}</td></tr>'
        )
    yield "</table>"


def coloured(line: str) -> str:
    """A line of a ruleset with its words, texts, citations and comments marked."""
    if _PROSE.match(line):
        return escaped(line)
    out, at = [], 0
    for match in _TOKEN.finditer(line):
        out += [
            escaped(line[at : match.start()]),
            f'<span class="{match.lastgroup}">{escaped(match.group())}</span>',
        ]
        at = match.end()
    return "".join([*out, escaped(line[at:])])
