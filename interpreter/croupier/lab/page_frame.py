"""The frame of an HTML page, and its sections: words first, then pictures, with the numbers behind them.

A page needs no network and runs no script; a content security policy says so to the browser. It follows light
and dark and can be printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.diagnostics.markup import page
from croupier.lab.pictures import interval_words, number, percent, table, text
from croupier.lab.statistics import Estimate

STYLE = """
:root { color-scheme: light dark; --paper: #fdfdfb; --ink: #1c1c1a; --soft: #6a6a64; --rule: #d8d8d0; --one: #2a6f97; --two: #c8553d }
@media (prefers-color-scheme: dark) { :root { --paper: #181a1b; --ink: #e8e6e0; --soft: #a3a198; --rule: #3b3f41; --one: #6cb4dc; --two: #f0876d } }
@media print { :root { --paper: #fff; --ink: #000; --soft: #444; --rule: #bbb } figure, section { break-inside: avoid } }
body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.7rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.2rem; border-top: 1px solid var(--rule); padding-top: 1rem }
.soft, figcaption, summary, caption { color: var(--soft); font-size: .9rem } caption { text-align: left }
.wide { overflow-x: auto } @media screen { .wide svg { min-width: 36rem } }
figure { margin: 1rem 0 } svg { width: 100%; height: auto; display: block } svg text { fill: var(--ink); font-size: 13px }
svg .small { font-size: 11px; fill: var(--soft) } .line { stroke: var(--one); stroke-width: 2.5 } .dot { fill: var(--one) }
.ribbon { fill: var(--one); opacity: .22 } .ring { fill: var(--paper); stroke: var(--soft); stroke-width: 1.5 }
.faint { fill: var(--soft); opacity: .6 }
.mark { stroke: var(--two); stroke-dasharray: 4 3 } .axis { stroke: var(--soft) } .grid { stroke: var(--rule) }
.bar1 { fill: var(--one); opacity: .75 } .bar2 { fill: var(--two); opacity: .55 }
svg .tight { font-size: 11px } svg .target { fill: var(--two); font-size: 11px }
.curve { fill: none; stroke: var(--one); stroke-width: 2 }
table { border-collapse: collapse; font-size: .9rem; margin: .6rem 0; width: 100% }
th, td { padding: .2rem .6rem .2rem 0; text-align: right }
th:first-child, .words { text-align: left } th:first-child { overflow-wrap: break-word; min-width: 8rem }
thead th, td { white-space: nowrap } td.words { white-space: normal; min-width: 9rem }
thead th { border-bottom: 1px solid var(--rule) } tbody th { font-weight: normal }
"""  # noqa: E501 the text as it is read


def half(played: int, wanted: int, what: str = "games") -> str:
    """Return what the head of a page, or of a text, says of a run that was not played to its end.

    It is empty for a whole one. `what` is counted: `half: 4,000 of 10,000 games`.
    """
    return f"half: {played:,} of {wanted:,} {what}" if played < wanted else ""


def frame(
    title: str, facts: Sequence[str], sections: Sequence[str], methods: str, made: str, part: str = ""
) -> str:
    """A page of its own, with what it is about, its sections, and how it was made.

    A page about a part of a run says so in its title and at its head: `part`, made by `half`.
    """
    warning = f"<p><strong>{text(part[:1].upper())}{text(part[1:])}</strong></p>" if part else ""
    return page(
        f"{title} ({part})" if part else title,
        STYLE,
        [
            f'<main><h1>{text(title)}</h1><p class="soft">{text(" · ".join(facts))}</p>{warning}',
            *filter(None, sections),
            f"<section><h2>How this was made</h2><p>{text(methods)}</p>",
            f'<p class="soft">{text(made)}</p></section></main>',
        ],
    )


FORCED = "forced decisions, of all decisions"
CALLED = {
    "lead changes": "lead changes of a game",
    "kingmaking": "kingmaking: lead changes that a third player brought about, of all lead changes",
    "comeback": "comebacks: games whose winner did not lead at half-time, of games with one winner",
    "stall": "longest time in which nothing changed, of the game",
    "decided": "how much of the game is over when the winner leads for good",
    "drama": "drama: how far behind the winner was, from 0 to 1",
}
# means that are shares
PARTS = {FORCED, *(CALLED[name] for name in ("kingmaking", "comeback", "stall", "decided"))}


def section(title: str, words: str, rest: str) -> str:
    """A section: its title, what it says in words, and what shows it."""
    return f"<section><h2>{text(title)}</h2>{f'<p>{text(words)}</p>' if words else ''}{rest}</section>"


def estimates(lines: Sequence[tuple[str, Estimate]], shares: bool = True, heading: str = "") -> str:
    """A table of estimates with their intervals and methods."""
    cells = []
    for name, found in lines:
        shown = percent if shares or name in PARTS else number
        value = shown(found.value) if found.n else "–"
        method = found.method if found.is_known else "–"
        cells.append((name, value, interval_text(found, shown is percent), f"{found.n:,}", method))
    return table((heading, "value", "95 % interval", "n", "method"), cells)


def interval_text(found: Estimate, shares: bool = True) -> str:
    """An interval, or words where there is none: nothing is known yet, or games do not differ."""
    show = percent if shares else number
    return interval_words(found, show, "the same in every game", "not known yet", share=shares)
