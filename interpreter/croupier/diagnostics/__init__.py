"""Diagnostics: the mistakes that a ruleset can have, their places, and their words.

Every stage of the interpreter builds *values* when it finds a mistake: a code, a place in the author's file
and the names involved.  The catalogue words them (one Markdown file a code, with its name, an explanation, a
wrong and a right example), and the renderers show them.  Nothing is printed here, and nothing that an author
wrote reaches a sink without `sanitise`.

    Source, Span                     a text, and a place in it
    Label, Fix, Diagnostic           a secondary place, a proposed replacement, the whole finding
    diagnose(code, span, **names)    the only way to make a diagnostic: worded by the catalogue
    did_you_mean(name, candidates)   the nearest known name, or nothing
    RulesetError                     the exception of public functions that promise a value

    source.py      texts and places; what is done to a text before any sink
    diagnostic.py  values; proposed replacements, applied; order and number of those that are shown; the
                   nearest name
    catalogue/     what each code says
    markup.py      texts in HTML pages, and the frame of a page
    render.py      for people, programs, build servers
"""

from croupier.diagnostics.catalogue import CODES, CatalogueEntry
from croupier.diagnostics.diagnostic import (
    UNREAD,
    Diagnostic,
    Fix,
    JsonObject,
    Label,
    RulesetError,
    Severity,
    apply_fixes,
    chosen_fixes,
    diagnose,
    did_you_mean,
)
from croupier.diagnostics.source import Source, Span, sanitise

__all__ = [
    "CODES",
    "UNREAD",
    "CatalogueEntry",
    "Diagnostic",
    "Fix",
    "JsonObject",
    "Label",
    "RulesetError",
    "Severity",
    "Source",
    "Span",
    "apply_fixes",
    "chosen_fixes",
    "diagnose",
    "did_you_mean",
    "sanitise",
]
