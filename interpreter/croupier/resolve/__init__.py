"""Everything that a ruleset takes from other files, put into its place.

A name or a path comes in.  The file is found and read, its tables and its rule list are read from CSV with places down to the
cell, and a variant is laid over the one ruleset or variant that it extends.  Paths are confined to the ruleset's folder.  Out goes a
`ResolvedRuleset` whose parts still point into the files they came from, and every mistake of these stages in one list.

    open_ruleset(path_or_name)       -> (ResolvedRuleset | None, diagnostics)
    resolve_source(source, place)    the same for a text that has been read already
"""

from croupier.resolve.attribution import attribute
from croupier.resolve.changes import Change
from croupier.resolve.listing import RuleEntry
from croupier.resolve.opening import open_ruleset, resolve_source
from croupier.resolve.resolved import DefinitionsText, ResolvedRuleset

__all__ = ["Change", "DefinitionsText", "ResolvedRuleset", "RuleEntry", "attribute", "open_ruleset", "resolve_source"]
