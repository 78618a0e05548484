"""A rulebook for players, from a ruleset.

What comes in is a checked ruleset; what goes out is a document of headings, paragraphs, lists, tables, rule
text and examples, and that as Markdown or HTML.  A rule is told once, by its sentence in the rule list, where
the ruleset first cites it.  Whatever has no sentence is told by its `doc` and by steps in words; the rule
text itself stands behind a fold.  No clause is left out, and each has a place in the book (`places.py`).
Examples are scenarios, and one turn and the end of a game, played while the book is written: none can be
wrong.

    sections.py  the sections, in order; parameters and variants
    course.py    what happens: the end, set-up, play, rules, powers; ends.py the ends that no sentence tells
    listed.py    the definitions, hooks and watchers that rules of the game reach; listeners.py these in words
    clauses.py   what the book must tell, and which rules tell it; places.py where it tells each clause
    examples.py  the scenarios that are worked examples
    played.py    a game that is played for the book: one whole turn, and the end
    moments.py   the table at a moment, and what is different at another
    contents.py  components, zones, boards, state, types
    margin.py    what differs in the book of a variant; overruled.py sentences that do not hold in it
    pictures.py  what is in the box, the table set up
    document.py  the parts of a document
    wording.py   names, types, values and audiences in words; steps.py statements in words
    vocabulary.py  what the definitions and records of the ruleset are called in expressions
    rule_sentences.py  which rule's sentence stands where
    unworded.py  what players would have to read as code: a lint
    html.py      the document as a page, rule text in colours
    markdown.py  the document as Markdown
"""

from croupier.authoring.rulebook.html import render_html
from croupier.authoring.rulebook.markdown import render_markdown
from croupier.authoring.rulebook.sections import rulebook
from croupier.authoring.rulebook.unworded import find_unworded

__all__ = ["find_unworded", "render_html", "render_markdown", "rulebook"]
