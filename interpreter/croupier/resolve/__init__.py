"""Resolve a ruleset: read its file and the files that it names, and merge them.

What comes in is a name or a path.  The file is found and read; tables and the rule list are read from CSV,
with a span for each cell; a variant is merged with what it extends.  Paths are confined to the ruleset's
folder.  What goes out is a `ResolvedRuleset`, whose parts have spans in the files they come from, and a list
of all diagnostics of these stages.

    open_ruleset(path_or_name)       -> (ResolvedRuleset | `None`, diagnostics)
    resolve_source(source, place)    the same for a text that was read before

    loader.py        opens rulesets, and variants that parameters switch on; documents.py reads one file, its
                     tables, its rule list
    variants.py      merges a variant with its base; overlay.py lays one section over another, and
                     compatibility.py says which types a replacement has to keep
    component_changes.py, phase_changes.py  what a variant changes within components, enumerations, phases
    revisions.py     what a variant changes within a definition or a phase, and the definitions that it
                     removes
    modules.py       the modules that a ruleset uses, and a module as a game of its own
    combinations.py  several variants combined, and their conflicts
    resolved.py      the result; attribution.py which variant causes a diagnostic
"""

from croupier.resolve.attribution import attribute, attribute_modules
from croupier.resolve.documents import RuleEntry
from croupier.resolve.loader import open_ruleset, resolve_source
from croupier.resolve.resolved import Change, DefinitionsText, ResolvedRuleset

__all__ = [
    "Change",
    "DefinitionsText",
    "ResolvedRuleset",
    "RuleEntry",
    "attribute",
    "attribute_modules",
    "open_ruleset",
    "resolve_source",
]
