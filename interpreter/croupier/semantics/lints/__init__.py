"""Lints: what is certainly useless or certainly wrong though every type fits. Each says what it proves.

Lints look at a program only when it has no errors and nothing of it was refused when it was read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from croupier.diagnostics import Diagnostic
from croupier.semantics.infoflow import forget
from croupier.semantics.infoflow.incremental import AnalysisMemory
from croupier.semantics.lints import choices, leaks, parts, ranges, steps, unused
from croupier.semantics.lints.followers import without_followers
from croupier.semantics.program import Program

Lint = Callable[[Program, set[tuple[str, str]]], Iterable[Diagnostic]]
LINTS: tuple[Lint, ...] = (
    unused.find_unused, unused.find_unread, unused.find_unreachable, unused.find_unreached,
    unused.find_endless, choices.find_empty_options, choices.find_large_sets, unused.find_idle,
    choices.find_hidden, leaks.find, unused.find_unheard, leaks.find_telling_pauses,
    leaks.find_hidden_reads, leaks.find_hidden_audiences, unused.find_uncited, unused.find_not_native,
    parts.find_early_ends, steps.find_stale_turns, steps.find_full_between, steps.find_ties_by_seat,
    unused.find_unchanging, ranges.find_settled, ranges.find_off_board, ranges.find_nothing_held,
    ranges.find_nothing_done, ranges.find_short_deals,
)  # fmt: skip
# those that find errors
REFUSING: tuple[Lint, ...] = (
    choices.find_large_sets,
    leaks.find,
    leaks.find_hidden_reads,
    leaks.find_hidden_audiences,
)
# those that read the information flow
OF_FLOW: tuple[Lint, ...] = (
    leaks.find, unused.find_unheard, leaks.find_telling_pauses, leaks.find_hidden_reads,
    leaks.find_hidden_audiences,
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
