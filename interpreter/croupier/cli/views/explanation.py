"""An explained move for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.views.words import plural
from croupier.diagnostics import did_you_mean, sanitise

if TYPE_CHECKING:
    from rich.text import Text

    from croupier.authoring.explain import Explanation
    from croupier.diagnostics import Span
    from croupier.runtime.reasons import Clause

_MOST_OFFERED = 12


def explanation(found: Explanation, at: int | None = None) -> Text:
    """The move and after how many actions it is asked about, then why it is not legal, or what it does.

    Each clause stands with its line, its place and the rules it cites.
    """
    from rich.text import Text

    who, can = ("chance", "possible") if found.seat < 0 else (f"player {found.seat + 1}", "legal")
    text = Text(f"{who}: {sanitise(found.label)}", style="bold")
    text.append(f" is {can if found.legal else f'not {can}'}", "bold green" if found.legal else "bold red")
    text.append("\n\n" if at is None else f"  (after {plural(at, 'action')})\n\n", "dim")
    if not found.legal:
        nothing = not found.known and found.seat >= 0 and not any(c.kind == "turn" or c.kind == "reaction" and c.span for c in found.forbidden)
        for clause in found.forbidden:
            if not (nothing and clause.kind == "reaction"):  # what is not there cannot be used either
                _clause(text, sanitise(clause.told), clause)
        if nothing:
            text.append("  nothing that could be done here is called so\n")
            near = did_you_mean(found.label, found.offered)
            if near is not None:
                text.append(f"  did you mean `{sanitise(near)}`?\n")
        if found.offered:
            shown = ", ".join(f"`{sanitise(w)}`" for w in found.offered[:_MOST_OFFERED])
            text.append(f"\n{can} here: {shown}{' …' if len(found.offered) > _MOST_OFFERED else ''}\n", "dim")
        return text
    if found.decision is not None:
        _clause(text, "chance falls" if found.seat < 0 else "the decision", found.decision)
    for clause in found.passed:
        words = f"“{sanitise(clause.words)}”"
        _clause(text, f"the {clause.kind} {words}" if clause.kind in ("reaction", "option") else f"{words} holds", clause)
    told = [event for event in found.events if not event.quiet]
    if told:
        text.append("\nwhat happens\n", "bold")
    for event in told:
        _line(text, sanitise(event.text), event.rules, event.span)
    return text


def _clause(text: Text, words: str, clause: Clause) -> None:
    _line(text, words, clause.rules, clause.span)


def _line(text: Text, words: str, rules: tuple[str, ...], span: Span | None) -> None:
    cites = f"  [{', '.join(map(sanitise, rules))}]" if rules else ""
    text.append(f"  {words}").append(f"{cites}\n", "cyan")
    if span is not None:
        line = " ".join(span.source.line(span.line).split())
        text.append(f"      {sanitise(span.source.name)}:{span.line}:{span.column}  {sanitise(line)}\n", "dim")
