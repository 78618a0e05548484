"""Narration: the events of one reader as a table would tell them.

In: the events that a seat perceived, or those of the referee, in order (`State.events`). Out: lines of
clauses, under headings. Used by the log, by `play`, `replay`, the browser and failures of scenarios; it reads
nothing but events, so it can neither know nor tell more than they do.

    sentences.py  sentences from the words of options: "draw a card" as "draws a card"
    merging.py    equal or successive events as one clause: "everybody draws 3 Cards from the deck". A clause
                  can be counted back into the texts of its events.
    lines.py      a line holds what a seat decided and what followed from that, two thoughts at most; phases
                  in which something happened are headings. A prompt says who is asked, at which step, about
                  what; at a reaction, what it reacts to. A narrator tells a log as it grows.
    names.py      the edge: names of players, put in where a text has a player

What is told, and what not:

- Neighbours only: nothing moves in the order of what happened, so a reader can say what was known when. But
  what several players got in turn (a deal) is told together, with how much each got.
- Which things were played where everybody sees them is told of each; of what is hidden, how many, and which
  ones the reader sees.
- Values that one entry of state had one after the other stand in their order, the same entry only.
- `brief` leaves out what has no words of the author and is no decision: where something went, what a variable
  is now, the phases. Of a value that changed several times it tells the last.
- Bookkeeping that events mark as quiet is left out, as it was before. The rules of a line are those of its
  events, each once.
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
