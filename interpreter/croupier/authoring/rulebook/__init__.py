"""A rulebook for players, from a ruleset.

What comes in is a checked ruleset; what goes out is a document of headings, paragraphs, lists and tables (`blocks.py`), and that as
Markdown or HTML (`render/`).  The text of a rule is the author's where there is one: the line of the rule list that a clause cites, the
`doc` of a declaration, the words of a condition.  The clauses themselves are put into words too, so that
nothing of the ruleset is left out.

What a rulebook consists of

    sections.py     the sections, in order                   parameters.py   what is agreed on before the game
    things.py       components, types                        pieces.py       how many pieces there are
    places.py       zones, boards, what is kept count of     grids.py        values in rows, as a table
    course.py       set-up, turn, decisions, the end         items.py        definitions, hooks and watchers, one by one
    powers.py       what cards change                        endings.py      where the rules end the game
    rules.py        which rule's text stands where: each once, where it is first cited
    variants.py     what each variant changes                blocks.py       the parts of a document

How rule text is put into words

    sentences.py    statements, as lists                     actions.py      statements without a block
    phrases.py      expressions: who says which              speaker.py      what the families of expressions ask of each other
    operators.py    operators and negation                   members.py      elements, members and calls
    loops.py        loops, comprehensions, aggregates        grouping.py     where brackets stand
    types.py        types of expressions, where words depend on them
    vocabulary.py   words for operators and the like
"""

from croupier.authoring.rulebook.render import render_html, render_markdown
from croupier.authoring.rulebook.sections import rulebook

__all__ = ["render_html", "render_markdown", "rulebook"]
