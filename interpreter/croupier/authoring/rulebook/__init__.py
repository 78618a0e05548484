"""A rulebook for players, from a ruleset.

What comes in is a checked ruleset; what goes out is a document of headings, paragraphs, lists and tables (`blocks.py`), and that as
Markdown or HTML (`render/`).  The text of a rule is the author's where there is one: the line of the rule list that a clause cites, the
`doc` of a declaration, the words of a condition.  The clauses themselves are put into words too (`phrases.py` for expressions,
`sentences.py` for statements), so that nothing of the ruleset is left out.

    sections.py     what a rulebook consists of, in order     things.py      components, types
    parameters.py   what is agreed on before the game         variants.py    what each variant changes
    places.py       zones, boards, what is kept count of      course.py      set-up, turn, decisions, powers
    grids.py        values in rows, as a table                rules.py       which rule's text stands where: each once, where it is first cited
    vocabulary.py   words for operators and the like          grouping.py    where brackets stand
"""

from croupier.authoring.rulebook.render import render_html, render_markdown
from croupier.authoring.rulebook.sections import rulebook

__all__ = ["render_html", "render_markdown", "rulebook"]
