"""Lints: what is certainly useless or certainly wrong though every type fits. Each says what it proves.

Lints look at a program only when it has no errors and nothing of it was refused when it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from croupier.diagnostics import Diagnostic
from croupier.semantics.infoflow import forget
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.lints import leaks
from croupier.semantics.lints.choices import find_empty_options, find_hidden, find_large_sets
from croupier.semantics.lints.followers import without_followers
from croupier.semantics.lints.parts import find_early_ends
from croupier.semantics.lints.ranges import (
    find_nothing_done,
    find_nothing_held,
    find_off_board,
    find_settled,
    find_short_deals,
)
from croupier.semantics.lints.steps import find_full_between, find_stale_turns, find_ties_by_seat
from croupier.semantics.lints.timing import find_telling_pauses
from croupier.semantics.lints.unused import (
    find_endless,
    find_idle,
    find_not_native,
    find_unchanging,
    find_uncited,
    find_unheard,
    find_unreachable,
    find_unreached,
    find_unread,
    find_unused,
)
from croupier.semantics.program import Program

Lint = Callable[[Program, set[tuple[str, str]]], Iterable[Diagnostic]]
LINTS: tuple[Lint, ...] = (
    find_unused, find_unread, find_unreachable, find_unreached, find_endless, find_empty_options,
    find_large_sets, find_idle, find_hidden, leaks.find,
    find_unheard, find_telling_pauses, leaks.find_hidden_reads, leaks.find_hidden_audiences, find_uncited,
    find_not_native,
    find_early_ends, find_stale_turns, find_full_between, find_ties_by_seat, find_unchanging,
    find_settled, find_off_board, find_nothing_held, find_nothing_done, find_short_deals,
)  # fmt: skip
# those that find errors
REFUSING: tuple[Lint, ...] = (
    find_large_sets,
    leaks.find,
    leaks.find_hidden_reads,
    leaks.find_hidden_audiences,
)
# those that read the information flow
OF_FLOW: tuple[Lint, ...] = (
    leaks.find, find_unheard, find_telling_pauses, leaks.find_hidden_reads, leaks.find_hidden_audiences
)  # fmt: skip


def run_lints(
    program: Program,
    used: set[tuple[str, str]],
    memory: AnalysisMemory | None = None,
    lints: Sequence[Lint] = LINTS,
) -> list[Diagnostic]:
    """Every lint, in a fixed order.

    `used` holds the declarations that something names, with their kinds; `memory` is of former programs.
    """
    flow = None if memory is None else memory.analyse(program)
    program.flow = flow
    found = {lint: list(lint(program, used)) for lint in lints}
    if memory is not None and flow is not None and flow.carried and any(found.get(lint) for lint in OF_FLOW):
        program.flow = memory.afresh(program)
        found.update({lint: list(lint(program, used)) for lint in OF_FLOW if lint in found})
    forget(program)
    return without_followers(d for some in found.values() for d in some)
