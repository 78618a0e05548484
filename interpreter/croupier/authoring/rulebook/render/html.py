"""One page of HTML that loads nothing and runs nothing."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.authoring.markup import POLICY, escaped
from croupier.authoring.rulebook.blocks import Block, Document, Heading, Item, Items, Line, Paragraph, Run, Table

STYLE = """
body { font: 16px/1.5 Georgia, serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fffdf8; }
h1, h2, h3, h4, h5, h6 { font-family: Verdana, sans-serif; line-height: 1.25; margin: 1.6em 0 .4em; }
h2 { border-bottom: 1px solid #c9b; padding-bottom: .2em; }
ul { padding-left: 1.4rem; } li { margin: .15em 0; }
table { border-collapse: collapse; font-size: .9em; } th, td { border: 1px solid #ccb; padding: .25em .5em; text-align: left; vertical-align: top; }
.rule { font: .8em Verdana, sans-serif; color: #75507b; white-space: nowrap; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1f; } .rule { color: #c9a; } }
@media print { body { max-width: none; } h2 { break-before: page; } }
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
                yield "<ul>"
                yield from (f'<li><a href="#s{k}">{escaped(section.text)}</a></li>' for k, section in enumerate(sections, 1))
                yield "</ul>"
        case Paragraph():
            yield f"<p>{_line(block.line, listed)}</p>"
        case Items():
            yield from _items(block.items, listed)
        case Table():
            yield "<table>"
            yield "<tr>" + "".join(f"<th>{escaped(head)}</th>" for head in block.head) + "</tr>"
            of_rules = block.head[:1] == ("id",)
            for row in block.rows:
                anchor = f' id="r-{escaped(row[0][0].text)}"' if of_rules and row[0] else ""
                yield f"<tr{anchor}>" + "".join(f"<td>{_line(cell, set() if of_rules else listed)}</td>" for cell in row) + "</tr>"
            yield "</table>"


def _items(items: tuple[Item, ...], listed: set[str]) -> Iterator[str]:
    yield "<ul>"
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
