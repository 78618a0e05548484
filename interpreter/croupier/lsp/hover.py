"""The description of the name at the cursor: its declaration, its explanation, the texts of the rules it
implements, and where the rulebook tells the clause that it stands in.
"""

from __future__ import annotations

import re

from croupier.diagnostics import Span, sanitise
from croupier.lsp.analysis import RulesetAnalysis, real_path
from croupier.lsp.cursor import at_place, describe_place
from croupier.lsp.symbols import About, builtin
from croupier.semantics.symbol_index import Symbol, Use
from croupier.syntax.lines import CITATION

MAX_RULES = 8
MAX_PREFIX = 20  # of a citation up to its first number
_CITE = re.compile(CITATION)
_MARKS = re.compile(r"([\\`*_{}\[\]()#+!<>|~-])")


def escape(text: str) -> str:
    """An author's text, escaped for Markdown."""
    return _MARKS.sub(r"\\\1", sanitise(text))


def about(symbol: Symbol, analysis: RulesetAnalysis) -> About | None:
    """The description of a symbol of a ruleset or of the language; `None` if there is none."""
    return analysis.index.about.get(symbol) or builtin(symbol)


def use_at(analysis: RulesetAnalysis, path: str, offset: int) -> Use | None:
    """The use of a symbol at an offset of a file."""
    names = [name for name in (s.name for s in analysis.sources.values()) if real_path(name) == path]
    found = [u for u in (analysis.index.at(name, offset) for name in names) if u is not None]
    return (
        found[0]
        if found
        else next((u for name in names if (u := _cited_at(analysis, path, name, offset)) is not None), None)
    )


def _cited_at(analysis: RulesetAnalysis, path: str, name: str, offset: int) -> Use | None:
    """The rule cited at an offset. (The span of a use is that of the number alone, without `@AB-`.)"""
    source = analysis.source(path)
    if source is None:
        return None
    start = source.line_start(source.position(offset)[0])
    for found in _CITE.finditer(source.text, start, min(len(source.text), offset + MAX_PREFIX)):
        if found.start() <= offset <= found.end():
            inside = [
                u
                for u in analysis.index.uses
                if u.span.source.name == name and found.start() <= u.span.start < found.end()
            ]
            return min(inside, key=lambda u: abs(u.span.start - offset), default=None)
    return None


def hover(analysis: RulesetAnalysis, path: str, offset: int) -> tuple[str, Span] | None:
    """Markdown about the name at an offset, and the span of the name."""
    use = use_at(analysis, path, offset)
    known = about(use.symbol, analysis) if use is not None else None
    if use is not None and known is not None:
        return page(known, analysis, use.span), use.span
    source = analysis.source(path)
    place = at_place(source, offset) if source is not None else None
    words = describe_place(place) if place is not None else None
    if place is None or words is None or place.key is None or not place.on_key:
        return None
    return f"**{escape(place.key.text)}**: {words}", place.key.span


def page(known: About, analysis: RulesetAnalysis, span: Span) -> str:
    """The Markdown about a symbol, and the place in the rulebook that tells the clause which it stands in."""
    line = sanitise(known.line).replace("```", "'''")
    parts = [f"```croupier\n{line}\n```"]
    if known.doc:
        parts.append(escape(known.doc))
    rules = analysis.program.rule_ids if analysis.program is not None else {}
    cited = [
        f"- **{escape(name)}** {escape(rules[name][1]) if name in rules else ''}".rstrip()
        for name in known.cites[:MAX_RULES]
    ]
    if len(known.cites) > MAX_RULES:
        cited.append(f"- and {len(known.cites) - MAX_RULES} more")
    parts += ["\n".join(cited)] if cited else []
    place = analysis.told.at(span) if analysis.told is not None else None
    parts += [f"*Told in the rulebook: {escape(str(place))}*"] if place is not None else []
    return "\n\n".join(parts)
