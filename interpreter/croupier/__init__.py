"""A rules interpreter for tabletop games that are written as data.

    >>> import croupier                                         # doctest: +SKIP
    >>> state = croupier.load("my_game").new_initial_state() # doctest: +SKIP

A ruleset passes through these packages, each of which imports only those before it:

    source   YAML files as trees with positions          diagnostics  errors and warnings as values, and their
             catalogue
    kernel   what each form of statement does           reads        what a result was read from: for what is
             kept between runs
    higher   functions of later packages that methods of earlier ones call
    syntax   rule text as syntax trees                   schema       the sections and keys of a ruleset
    resolve  variants, modules and files put together    semantics    names, types, information flow, lints:
             the typed tree
    runtime  the reference evaluator, which defines what a ruleset means

Compiled games leave the typed tree for other back ends, which play the same games:

    core       the intermediate representation             lowering     from the typed tree to the core
    passes     from the core to the core                   printers     from the core to Python, LLVM assembly
               and C
    inference  states that a seat cannot tell from one    execution  selects a back end and runs compiled
               another                                               games

What uses them: `ruleset` and `pipeline` (a loaded ruleset, and how it is loaded), `narration` and `table`
(what is told and shown), `play` (bots, whole games), `lab` (statistics), `scenarios` (tests of rules),
`authoring` (tools for authors), `server` (the browser), `lsp` (editors), `outputs` (what programs read) and
`cli`.

The public names are imported on first use, so that `import croupier` (and with it `croupier --help`) costs
next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from croupier import higher

if TYPE_CHECKING:
    from croupier.authoring.explain import Explanation, explain_move
    from croupier.diagnostics import Diagnostic, RulesetError
    from croupier.execution.batch import Batch
    from croupier.pipeline import CheckResult, check, load, shipped_names
    from croupier.play.thinking import search
    from croupier.ruleset import Parameter, Ruleset
    from croupier.runtime.arguments import SPECTATOR
    from croupier.runtime.clauses import Clause
    from croupier.runtime.events import Event
    from croupier.runtime.faults import Fault
    from croupier.runtime.state import IllegalAction, RolledOut, RolledOuts, SearchedOption, State
    from croupier.runtime.state_view import CHANCE, SIMULTANEOUS, TERMINAL
    from croupier.runtime.streams import Stream

__version__ = "0.2.0"

_HOMES = {
    "Batch": "croupier.execution.batch",
    "CHANCE": "croupier.runtime.state_view",
    "CheckResult": "croupier.pipeline",
    "Clause": "croupier.runtime.clauses",
    "Diagnostic": "croupier.diagnostics",
    "Event": "croupier.runtime.events",
    "Explanation": "croupier.authoring.explain",
    "Fault": "croupier.runtime.faults",
    "IllegalAction": "croupier.runtime.state",
    "Parameter": "croupier.ruleset",
    "RolledOut": "croupier.runtime.state",
    "RolledOuts": "croupier.runtime.state",
    "Ruleset": "croupier.ruleset",
    "RulesetError": "croupier.diagnostics",
    "SIMULTANEOUS": "croupier.runtime.state_view",
    "SPECTATOR": "croupier.runtime.arguments",
    "SearchedOption": "croupier.runtime.state",
    "State": "croupier.runtime.state",
    "Stream": "croupier.runtime.streams",
    "TERMINAL": "croupier.runtime.state_view",
    "check": "croupier.pipeline",
    "explain_move": "croupier.authoring.explain",
    "load": "croupier.pipeline",
    "search": "croupier.play.thinking",
    "shipped_names": "croupier.pipeline",
}

__all__ = [
    "CHANCE",
    "SIMULTANEOUS",
    "SPECTATOR",
    "TERMINAL",
    "Batch",
    "CheckResult",
    "Clause",
    "Diagnostic",
    "Event",
    "Explanation",
    "Fault",
    "IllegalAction",
    "Parameter",
    "RolledOut",
    "RolledOuts",
    "Ruleset",
    "RulesetError",
    "SearchedOption",
    "State",
    "Stream",
    "__version__",
    "check",
    "explain_move",
    "load",
    "search",
    "shipped_names",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home; raises `AttributeError` for any other."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module `croupier` has no attribute `{name}`")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


higher.register("search", lambda: import_module(_HOMES["search"]).search)
