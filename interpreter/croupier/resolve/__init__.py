"""Everything that a ruleset takes from other files, put into its place.

A name or a path comes in.  The file is found and read, its tables and its rule list are read from CSV with places down to the
cell, and a variant is laid over the one ruleset or variant that it extends.  Paths are confined to the ruleset's folder.  Out goes a
`ResolvedRuleset` whose parts still point into the files they came from, and every mistake of these stages in one list.

    open_ruleset(path_or_name)       -> (ResolvedRuleset | None, diagnostics)
    resolve_source(source, place)    the same for a text that has been read already

    opening.py     from a name to a whole; loading.py one file; paths.py where it may lie; beside.py which files are variants;
                   another_kind.py what is no ruleset
    tables.py      rows from files; listing.py the rule list
    combine.py     several variants together, and where they are in conflict; switches.py variants that the value of a parameter switches on
    merge.py       a variant over its base: overlay.py a section, phases.py, parts.py and powers.py what is not a section, settings.py parameters
    kept.py        does what is replaced keep its type? attribution.py whose fault it is, changes.py what changed
    resolved.py    what comes out; tidy.py the order and number of diagnostics
"""

from croupier.resolve.attribution import attribute
from croupier.resolve.changes import Change
from croupier.resolve.listing import RuleEntry
from croupier.resolve.opening import open_ruleset, resolve_source
from croupier.resolve.resolved import DefinitionsText, ResolvedRuleset

__all__ = ["Change", "DefinitionsText", "ResolvedRuleset", "RuleEntry", "attribute", "open_ruleset", "resolve_source"]
