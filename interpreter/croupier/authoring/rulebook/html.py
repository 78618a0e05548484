"""Rule text in pieces to colour, and a rulebook as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from croupier.authoring.rulebook.document import (
    Block,
    Document,
    Example,
    HeadingBlock,
    Line,
    ListBlock,
    ListItem,
    Paragraph,
    PictureBlock,
    Place,
    RuleTextBlock,
    TableBlock,
    TextRun,
    anchors_of,
    headings_of,
    parts_of,
    words_of,
)
from croupier.diagnostics.markup import escaped, page
from croupier.syntax.lines import trivia
from croupier.syntax.parser import tokens_until_mistake

# ---------------------------------------------------------------- highlight
# Rule text in pieces to colour: keywords, names that are called, numbers, texts, comments and citations.
KINDS = ("keyword", "call", "number", "text", "comment", "citation")


def highlighted(text: str, start: str) -> Iterator[tuple[str, str]]:
    """The text in order: pieces with one of `KINDS`, or an empty kind for what stays plain; together they are
    the text.
    """
    tokens, _ = tokens_until_mistake(text, start)
    pieces = [(a, b, "comment" if text[a] == "#" else "citation") for a, b in trivia(text)]
    for k, token in enumerate(tokens):
        called = k + 1 < len(tokens) and tokens[k + 1].text == "(" and tokens[k + 1].start == token.end
        kind = {"STRING": "text", "INT": "number", "NAME": "call" if called else ""}.get(
            token.kind, "keyword" if token.text[:1].isalpha() else ""
        )
        if kind:
            pieces.append((token.start, token.end, kind))
    at = 0
    for first, last, kind in sorted(pieces):
        if first < at:
            continue
        if first > at:
            yield text[at:first], ""
        yield text[first:last], kind
        at = last
    if at < len(text):
        yield text[at:], ""


# ---------------------------------------------------------------- html
# A rulebook as one page of HTML that loads nothing and runs nothing; authored text is sanitised and escaped
# here and in `markdown.py`.
MANY, LONG = 6, 40  # columns of a table, characters of a cell
STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fffdf8; --soft: #f4efe6; --line: #ccb; --mark: #75507b; --quiet: #555; }
body { font: 17px/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1, h2, h3, h4, h5, h6 { font-family: Verdana, sans-serif; line-height: 1.25; margin: 1.6em 0 .4em; }
h2 { border-bottom: 1px solid #c9b; padding-bottom: .2em; }
ul { padding-left: 1.4rem; } li { margin: .15em 0; }
.contents { columns: 14rem; list-style: none; padding: .8rem 1rem; background: var(--soft); font-size: .9em; } a { color: var(--mark); }
.rules { list-style: none; padding-left: 0; } .rules > li { padding-left: 4.6rem; text-indent: -4.6rem; margin: .35em 0; }
.rules > li > .rule:first-child { display: inline-block; width: 4.35rem; text-indent: 0; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .8em; }
th, td { border: 1px solid var(--line); padding: .2em .4em; text-align: left; vertical-align: top; }
.below td { border-top: 0; color: var(--quiet); }
.rule { font: .8em Verdana, sans-serif; color: var(--mark); white-space: nowrap; }
details { margin: .6em 0; } summary { cursor: pointer; color: var(--quiet); font-size: .85em; }
pre { overflow-x: auto; background: var(--soft); padding: .7rem .9rem; font-size: .8rem; line-height: 1.45; border-radius: 4px; }
code { font-size: .85em; } .keyword { color: #7a3e9d; font-weight: bold; } .call { color: #1c5d99; } .number { color: #986801; }
.text { color: #3a7a2a; } .comment, .citation { color: #767066; }
figure { margin: 1em 0; } figure svg { width: 100%; } figcaption { color: var(--quiet); font-size: .85em; }
.example { background: var(--soft); border-left: 4px solid var(--mark); padding: .5rem 1rem; margin: 1em 0; font-size: .92em; }
.new { border-left: 4px solid var(--mark); padding-left: .6rem; } .rules > li.new { padding-left: 5.2rem; }
tr.new > td:first-child { border-left: 4px solid var(--mark); } .sign { border-left: 4px solid var(--mark); padding-left: .4rem; }
.example.new { border-left-width: 10px; } del { color: var(--quiet); }
.example p { margin: .3em 0; } .example ol, .example ul { margin: .2em 0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #1b1b1f; --soft: #26262c; --line: #4a4a52; --mark: #c9a3d0; --quiet: #aaa; }
  .keyword { color: #c792ea; } .call { color: #82aaff; } .number { color: #f0b060; } .text { color: #a5d68c; } .comment, .citation { color: #9a958c; }
}
@media print { body { max-width: none; } h2 { break-after: avoid; } tr, li, .example { break-inside: avoid; } .wide { overflow: visible; }
  details:not([open]) { display: none; } }
"""  # noqa: E501 the text as it is read


@dataclass(frozen=True, slots=True)
class _Anchors:
    """What links lead to: rules whose sentences stand in the document, and the anchors of places."""

    rules: frozenset[str]
    places: dict[Place, str]


def render_html(document: Document) -> str:
    """The document as a page of its own; ids of rules lead to their sentences."""
    title = next((block.text for block in document if isinstance(block, HeadingBlock)), "")
    rules = frozenset(
        item.line[0].text
        for block in document
        if isinstance(block, ListBlock) and block.kind == "rules"
        for item in block.items
    )
    anchors = _Anchors(rules, anchors_of(document, lambda number, _: f"s{number}"))
    numbers = {id(heading): number for number, (heading, _) in enumerate(headings_of(document), 1)}
    out: list[str] = []
    is_listed = False
    for block in document:
        if isinstance(block, HeadingBlock):
            if block.level == 2 and not is_listed:
                is_listed = True
                out += _contents(document, anchors)
            out.append(_heading(block, numbers.get(id(block))))
        else:
            out += _block(block, anchors)
    return page(title, STYLE, out)


def _contents(document: Document, anchors: _Anchors) -> Iterator[str]:
    """The sections, with links to them."""
    yield '<ul class="contents">'
    for block in document:
        if isinstance(block, HeadingBlock) and block.level == 2:
            yield f'<li><a href="#{anchors.places[block.text, ""]}">{escaped(block.text)}</a></li>'
    yield "</ul>"


def _heading(block: HeadingBlock, number: int | None) -> str:
    anchor = "" if number is None else f' id="s{number}"'
    return f"<h{block.level}{anchor}{_new(block.is_new)}>{escaped(block.text)}</h{block.level}>"


def _block(block: Block, anchors: _Anchors) -> Iterator[str]:
    match block:
        case Paragraph():
            yield f"<p{_new(block.is_new)}>{_line(block.line, anchors)}</p>"
        case ListBlock():
            yield from _items(block.items, anchors, block.kind)
        case TableBlock():
            yield from _table(block, anchors)
        case RuleTextBlock():
            head = f"<details{' open' if block.is_open else ''}{_new(block.is_new)}>"
            yield f"{head}<summary>the rule text</summary><pre>{_code(block)}</pre></details>"
        case Example():
            yield from _example(block, anchors)
        case PictureBlock():
            caption = f"<figcaption>{escaped(block.caption)}</figcaption>"
            yield f"<figure{_new(block.is_new)}>{block.svg}{caption}</figure>"


def _new(is_new: bool) -> str:
    """The attribute of something new, which has a bar in the margin; nothing for anything else."""
    return ' class="new"' if is_new else ""


def _code(block: RuleTextBlock) -> str:
    pieces = []
    for text, kind in highlighted(block.text.rstrip(), block.start):
        plain = "\n".join(escaped(row) for row in text.split("\n"))
        pieces.append(f'<span class="{kind}">{plain}</span>' if kind else plain)
    return "".join(pieces)


def _example(example: Example, anchors: _Anchors) -> Iterator[str]:
    rules = " ".join(_run(TextRun(rule, "rule"), anchors) for rule in example.rules)
    yield (
        f'<div class="example{" new" if example.is_new else ""}"><p><strong>Example:</strong> '
        f"{escaped(example.title)} {rules}</p>"
    )
    for title, lines, picture, is_steps in parts_of(example):
        tag = "ol" if is_steps else "ul"
        items = "".join(f"<li>{_line(some, anchors)}</li>" for some in lines)
        yield f"<p><em>{title}:</em></p>{f'<{tag}>{items}</{tag}>' if items else ''}"
        yield _picture(picture) if picture else ""
    yield "</div>"


def _picture(rows: tuple[str, ...]) -> str:
    """The rows of a text picture."""
    return "<pre>" + "\n".join(map(escaped, rows)) + "</pre>"


def _table(table: TableBlock, anchors: _Anchors) -> Iterator[str]:
    """A table; where it has many columns, long texts stand below the other cells of their row."""
    columns = range(len(table.head))
    long = (
        {k for k in columns if any(len(words_of(row[k])) > LONG for row in table.rows)}
        if len(columns) > MANY
        else set()
    )
    short = [k for k in columns if k not in long]
    yield '<div class="wide"><table>'
    yield "<tr>" + "".join(f"<th>{escaped(table.head[k])}</th>" for k in short) + "</tr>"
    for number, row in enumerate(table.rows):
        cells = [f"<td>{_line(row[k], anchors)}</td>" for k in short]
        below = [
            f"<em>{escaped(table.head[k])}:</em> {_line(row[k], anchors)}"
            for k in sorted(long)
            if words_of(row[k])
        ]
        yield f"<tr{_new(number in table.new_rows)}>{''.join(cells)}</tr>"
        if below:
            yield (
                f'<tr class="below"><td></td><td '
                f'colspan="{max(1, len(short) - 1)}">{"<br>".join(below)}</td></tr>'
            )
    yield "</table></div>"


def _items(items: tuple[ListItem, ...], anchors: _Anchors, kind: str = "plain") -> Iterator[str]:
    tag = "ol" if kind == "numbered" else "ul"
    yield f'<ul class="{kind}">' if kind == "rules" else f"<{tag}>"
    for item in items:
        anchor = f' id="r-{escaped(item.line[0].text)}"' if kind == "rules" else ""
        yield f"<li{anchor}{_new(item.is_new)}>{_line(item.line, anchors)}"
        if item.items:
            yield from _items(item.items, anchors, "numbered" if kind == "numbered" else "plain")
        yield "</li>"
    yield f"</{tag}>"


def _line(line: Line, anchors: _Anchors) -> str:
    return "".join(_run(run, anchors) for run in line)


def _run(run: TextRun, anchors: _Anchors) -> str:
    text = escaped(run.text)
    if run.mark == "sign":
        return '<span class="sign"></span>'
    if run.mark == "rule":
        return (
            f'<a class="rule" href="#r-{text}">{text}</a>'
            if run.text in anchors.rules
            else f'<span class="rule">{text}</span>'
        )
    shown = text if run.mark == "plain" else f"<{run.mark}>{text}</{run.mark}>"
    anchor = anchors.places.get(run.to) if run.to is not None else None
    return shown if anchor is None else f'<a href="#{anchor}">{shown}</a>'
