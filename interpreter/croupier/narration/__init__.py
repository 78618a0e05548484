"""Narration: the events of one reader as a table would tell them.

In: the events that a seat perceived, or those of the referee, in order (`State.events`). Out: lines of
clauses, under headings. Used by the log, by `play`, `replay`, the browser and failures of scenarios; it reads
nothing but events, so it can neither know nor tell more than they do.

    names.py    names of players, put into finished texts
    clauses.py  equal neighbours told together: "player 2 draws 6 Cards from the deck". A clause can be
                counted back into the texts of its events.
    lines.py    a line holds what a seat decided and what followed from that; phases in which something
                happened are headings. A prompt says who is asked, at which step, about what; at a reaction,
                what it reacts to. A narrator tells a log as it grows.

What is grouped, and what is not:

- Neighbours only: nothing moves in the order of what happened, so a reader can say what was known when.
- Moves with the same way ("6 Cards"), from one zone to several, or from several to one; texts that the
  recorder gave in parts (`Listing`): what is shown, shuffled, rolled; decisions of one seat whose words begin
  alike ("discard: BAT, RAVEN"), the same decision of several seats.
- Phases are headings, and so are the groups of phases that have a title of their own: a turn, a round. What
  nothing happened in is none.
- What has no such shape stands as it is. Bookkeeping that events mark as quiet is left out, as it was before.
- The rules of a line are those of its events, each once. Words of players become names last, in the finished
  text.
"""

from croupier.narration.lines import Line, Narrator, Prompt, narrate, prompt
from croupier.narration.merging import EventClause, clauses, ends_choice
from croupier.narration.names import Names

__all__ = [
    "EventClause",
    "Line",
    "Names",
    "Narrator",
    "Prompt",
    "clauses",
    "ends_choice",
    "narrate",
    "prompt",
]
