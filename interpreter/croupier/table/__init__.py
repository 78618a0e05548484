"""The table as one seat sees it: one value, ready to be drawn by a terminal, a browser or anything else.

In: a state and a seat (`None`: the referee; `SPECTATOR`: somebody at no seat). Out: a `View`, frozen and
JSON-able: boards, zones, values, the seats round the table, the decision with its options, each attached to
what it concerns.

    view.py             the parts of a view
    view_builder.py     the view of a state
    offers.py           options, and the components, cells, zones and players that they concern
    board_frame.py      the places of cells, edges, corners and links
    component_facts.py  what everybody knows of components, and the parts of views that are kept
    known_facts.py      what a seat was shown or told, and others were not
    text_drawing.py     a view as lines of text

How it can be wrong, and what keeps it right:

- It could show more than the seat may see. So it is made of `observation(seat)`, of what that seat is asked,
  and of what everybody can read in the ruleset, and of nothing else: what a component is like is looked up by
  the label that the seat sees. Positions that give equal observations give equal views; only titles of zones
  and words of state are worked out in the position, with the observer of the seat, as in its events.
- What a seat was shown could be said to hold still. Only its events tell what it knows, with when: the
  position is not asked, for what has changed since unseen is not the seat's to know.
- It could hide what the seat may see. Every zone and every value of the observation is in the view, once.
- It could know a game. What is a pile, a fan or a row follows from the declared order and from who sees a
  zone; what is a board, from the boards.
- An option could be attached to a wrong thing that is called alike. It is attached to all that are; the words
  of every option stand in the decision, too, so nothing depends on the attachment.
- What is kept from an earlier view could say what another view may not. It is found by all that it says, and
  nothing that bears options is kept.
"""

from croupier.table.view import Board, Cell, Decision, KnownFact, Option, Seat, Thing, Value, View, ZoneView
from croupier.table.view_builder import text_of, view

__all__ = [
    "Board",
    "Cell",
    "Decision",
    "KnownFact",
    "Option",
    "Seat",
    "Thing",
    "Value",
    "View",
    "ZoneView",
    "text_of",
    "view",
]
