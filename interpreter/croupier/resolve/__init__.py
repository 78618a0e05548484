"""Everything that a ruleset takes from other files, put into its place.

A name or a path comes in.  The file is found and read, its tables and its rule list are read from CSV with places down to the
cell, and a variant is laid over the one ruleset or variant that it extends.  Paths are confined to the ruleset's folder.  Out goes a
`ResolvedRuleset` whose parts still point into the files they came from, and every mistake of these stages in one list.

    open_ruleset(path_or_name)       -> (ResolvedRuleset | None, diagnostics)
    resolve_source(source, place)    the same for a text that has been read already

    loader.py         from a name to a whole, and variants that parameters switch on; documents.py one file, its tables and its rule list
    variants.py       a variant over its base; does what is replaced keep its type?
    modules.py        the modules that it uses, and a module by itself
    combinations.py   several variants together, and where they are in conflict
    resolved.py       what comes out; attribution.py which variant a diagnostic comes from
"""

from croupier.resolve.attribution import attribute, attribute_modules
from croupier.resolve.documents import RuleEntry
from croupier.resolve.loader import open_ruleset, resolve_source
from croupier.resolve.resolved import Change, DefinitionsText, ResolvedRuleset

__all__ = ["Change", "DefinitionsText", "ResolvedRuleset", "RuleEntry", "attribute", "attribute_modules", "open_ruleset", "resolve_source"]
