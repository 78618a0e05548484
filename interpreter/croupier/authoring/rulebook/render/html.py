"""One page of HTML that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.authoring.markup import POLICY, escaped
from croupier.authoring.rulebook.blocks import Block, Document, Heading, Item, Items, Line, Paragraph, Run, Table

MANY, LONG = 6, 40  # columns of a table, characters of a cell
STYLE = """
body { font: 17px/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fffdf8; }
h1, h2, h3, h4, h5, h6 { font-family: Verdana, sans-serif; line-height: 1.25; margin: 1.6em 0 .4em; }
h2 { border-bottom: 1px solid #c9b; padding-bottom: .2em; }
ul { padding-left: 1.4rem; } li { margin: .15em 0; }
.contents { columns: 14rem; list-style: none; padding: .8rem 1rem; background: #f4efe6; font-size: .9em; } a { color: #75507b; }
.rules { list-style: none; padding-left: 0; } .rules > li { padding-left: 4.6rem; text-indent: -4.6rem; margin: .35em 0; }
.rules > li > .rule:first-child { display: inline-block; width: 4.35rem; text-indent: 0; }
.steps { font-size: .88em; color: #555; border-left: 2px solid #dcd; margin-left: 0; padding-left: 1.6rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .8em; }
th, td { border: 1px solid #ccb; padding: .2em .4em; text-align: left; vertical-align: top; }
.below td { border-top: 0; color: #555; }
.rule { font: .8em Verdana, sans-serif; color: #75507b; white-space: nowrap; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1f; } .rule, a { color: #c9a; }
  .contents { background: #26262c; } .steps { color: #aaa; } }
@media print { body { max-width: none; } h2 { break-after: avoid; } tr, li { break-inside: avoid; } .wide { overflow: visible; } }
"""


def render_html(document: Document) -> str:
    """The document as a page of its own; ids of rules lead to the list of rules."""
    title = next((block.text for block in document if isinstance(block, Heading)), "")
    listed = {run.text for block in document if isinstance(block, Table) and block.head[:1] == ("id",) for row in block.rows for run in row[0]}
    out = [
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">', f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">', f"<title>{escaped(title)}</title>", f"<style>{STYLE}</style>",
        "</head>", "<body>",
    ]  # fmt: skip
    sections = [block for block in document if isinstance(block, Heading) and block.level == 2]
    for block in document:
        out += _block(block, listed, sections)
    return "\n".join([*out, "</body>", "</html>"]) + "\n"


def _block(block: Block, listed: set[str], sections: list[Heading]) -> Iterator[str]:
    match block:
        case Heading():
            anchor = f' id="s{sections.index(block) + 1}"' if block in sections else ""
            yield f"<h{block.level}{anchor}>{escaped(block.text)}</h{block.level}>"
            if block.level == 1:
                yield '<ul class="contents">'
                yield from (f'<li><a href="#s{k}">{escaped(section.text)}</a></li>' for k, section in enumerate(sections, 1))
                yield "</ul>"
        case Paragraph():
            yield f"<p>{_line(block.line, listed)}</p>"
        case Items():
            yield from _items(block.items, listed, block.kind)
        case Table():
            yield from _table(block, listed)


def _table(table: Table, listed: set[str]) -> Iterator[str]:
    """A table; where it has many columns, long texts stand below the other cells of their row."""
    of_rules = table.head[:1] == ("id",)
    columns = range(len(table.head))
    long = {k for k in columns if any(len(_words(row[k])) > LONG for row in table.rows)} if len(columns) > MANY else set()
    short = [k for k in columns if k not in long]
    yield '<div class="wide"><table>'
    yield "<tr>" + "".join(f"<th>{escaped(table.head[k])}</th>" for k in short) + "</tr>"
    for row in table.rows:
        anchor = f' id="r-{escaped(row[0][0].text)}"' if of_rules and row[0] else ""
        cells = [f"<td>{_line(row[k], set() if of_rules else listed)}</td>" for k in short]
        below = [f"<em>{escaped(table.head[k])}:</em> {_line(row[k], listed)}" for k in sorted(long) if _words(row[k])]
        yield f"<tr{anchor}>{''.join(cells)}</tr>"
        if below:
            yield f'<tr class="below"><td></td><td colspan="{max(1, len(short) - 1)}">{"<br>".join(below)}</td></tr>'
    yield "</table></div>"


def _words(line: Line) -> str:
    return "".join(run.text for run in line)


def _items(items: tuple[Item, ...], listed: set[str], kind: str = "plain") -> Iterator[str]:
    yield "<ul>" if kind == "plain" else f'<ul class="{kind}">'
    for item in items:
        yield f"<li>{_line(item.line, listed)}"
        if item.items:
            yield from _items(item.items, listed)
        yield "</li>"
    yield "</ul>"


def _line(line: Line, listed: set[str]) -> str:
    return "".join(_run(run, listed) for run in line)


def _run(run: Run, listed: set[str]) -> str:
    text = escaped(run.text)
    if run.mark == "rule":
        return f'<a class="rule" href="#r-{text}">{text}</a>' if run.text in listed else f'<span class="rule">{text}</span>'
    return text if run.mark == "plain" else f"<{run.mark}>{text}</{run.mark}>"
