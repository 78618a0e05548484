"""What a bot would do, for the person who asks at a table: each option with its share of the visits and what
it is worth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.cli.views.game import plural
from croupier.diagnostics import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from croupier.cli.views.interactive import OptionPrompt
    from croupier.narration import Names
    from croupier.play.table_bots import Advice

MAX_ADVISED = 8  # options, unless all are asked for
ENOUGH_ROUNDS = 10  # for each option: with fewer, the figures say little
MEANING = "worth: from about 0 (bad for you) to about 1 (good)"
_NARROWEST = 12  # characters for the words of an option
_FIGURES = 24  # characters for what stands beside them

Row = tuple[str, str, str, str]
"""The number of an option, its words, its share of the visits, its worth."""


def advice(
    found: Advice, offer: OptionPrompt, names: Names, room: int, *, spoken: bool = False, whole: bool = False
) -> Text:
    """The figures of a bot, its choice first: a table within `room` characters, or, `spoken`, a sentence for
    each option. Without `whole` the first few.
    """
    from rich.text import Text

    rows = advice_rows(found, offer, names)
    shown = rows if whole else rows[:MAX_ADVISED]
    text = Text(f"{headline(found)}: {rows[0][1]}\n", style="bold")
    if spoken:
        for number, words, share, worth in shown:
            text.append(f"{number} {words}: {share} of the visits, worth {worth}\n".lstrip())
    else:
        text.append(_table(shown, room))
    visits = sum(one.visits for one in found.options)
    if len(rows) > len(shown):
        rest = sum(one.visits for one in found.ranked[len(shown) :])
        left = f"and {len(rows) - len(shown)} more with {_share(rest, visits)} of the visits"
        text.append(f"{left}: `bot all` shows them\n", "dim")
    if visits < ENOUGH_ROUNDS * len(rows):
        family = found.bot.partition(":")[0]
        few = f"{plural(visits, 'round')} for {len(rows)} options {'says' if visits == 1 else 'say'} little"
        text.append(f"{few}: `bot {family}:{ENOUGH_ROUNDS * len(rows)}` takes longer\n", "yellow")
    return text.append(MEANING, "dim")


def headline(found: Advice) -> str:
    """The name of a bot and how long it thought."""
    return f"{found.bot}, after {found.seconds:.{1 if found.seconds >= 1 else 2}f} s"


def advice_rows(found: Advice, offer: OptionPrompt, names: Names) -> list[Row]:
    """The options, the one that the bot would choose first, in words."""
    at = {action: place for place, action in enumerate(offer.legal)}
    visits = sum(one.visits for one in found.options)
    rows = []
    for one in found.ranked:
        number = offer.numbers[at[one.action]]
        worth = "-" if one.worth is None else f"{one.worth:.2f}"
        words = sanitise(names(offer.labels[at[one.action]]))
        rows.append(("" if number is None else str(number), words, _share(one.visits, visits), worth))
    return rows


def _table(rows: Sequence[Row], room: int) -> str:
    widest = max(len(words) for _, words, *_ in rows)
    width = max(_NARROWEST, min(widest, room - _FIGURES))
    lines = [f"{'':>5} {'option':<{width}}  {'visits':>6}  {'worth':>5}"]
    for number, words, share, worth in rows:
        fitting = words if len(words) <= width else f"{words[: width - 1]}…"
        lines.append(f"{number:>5} {fitting:<{width}}  {share:>6}  {worth:>5}")
    return "".join(f"{line}\n" for line in lines)


def _share(visits: int, of: int) -> str:
    part = visits / max(1, of)
    return "<1 %" if 0 < part < 0.005 else f"{100 * part:.0f} %"
