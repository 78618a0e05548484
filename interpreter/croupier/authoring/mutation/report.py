"""The verdicts on mutants, and the report on all of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from croupier.authoring.mutation.mutants import OPERATORS, Mutant
from croupier.diagnostics import JsonObject
from croupier.play.statistics import wilson

MOST_EQUIVALENT = 5  # per cent of all mutants that may be listed as equivalent


@dataclass(frozen=True)
class Verdict:
    """The outcome of a mutant: `killed` by a scenario (`by`), `survived`, `refused` by check (`by`: the
    code), or `unchanged`: it means the same.

    `ran` is the number of scenarios that were run.
    """

    index: int
    outcome: str
    by: str = ""
    ran: int = 0


@dataclass(frozen=True)
class Mutation:
    """All mutants of a ruleset with their verdicts.

    `all_mutants` counts those that were not sampled, too; `reasons` are those of the listed equivalents by
    id, `stale` the ids in that list that are no mutants (any more) or lack a reason, `seconds` the wall time.
    """

    ruleset: str
    title: str
    ruleset_hash: str
    scenarios: int
    all_mutants: int
    mutants: tuple[Mutant, ...]
    verdicts: tuple[Verdict, ...]
    reasons: dict[str, str]
    stale: tuple[str, ...]
    seconds: float
    is_random: bool = False  # are they a random sample, all of which was tried?

    def of(self, outcome: str) -> list[tuple[Mutant, Verdict]]:
        """The mutants of one outcome; `equivalent` are the survivors that are listed."""
        pairs = zip(self.mutants, self.verdicts, strict=True)
        if outcome == "equivalent":
            return [(m, v) for m, v in pairs if v.outcome == "survived" and m.id in self.reasons]
        return [
            (m, v)
            for m, v in pairs
            if v.outcome == outcome and not (outcome == "survived" and m.id in self.reasons)
        ]

    @property
    def counts(self) -> dict[str, int]:
        return {
            outcome: len(self.of(outcome))
            for outcome in ("killed", "survived", "equivalent", "refused", "unchanged")
        }

    @property
    def all(self) -> int:
        """Mutants that count: killed, survived or listed."""
        return sum(n for outcome, n in self.counts.items() if outcome not in ("refused", "unchanged"))

    @property
    def score(self) -> float:
        """Killed of all but the listed equivalents; 1 where there is nothing to kill."""
        counts = self.counts
        rest = self.all - counts["equivalent"]
        return counts["killed"] / rest if rest else 1.0

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the score of all mutants, if these are a random sample; else `None`."""
        rest = self.all - self.counts["equivalent"]
        return wilson(self.counts["killed"], rest) if self.is_random and rest else None

    @property
    def sampled(self) -> bool:
        return len(self.mutants) < self.all_mutants

    @property
    def too_many_equivalents(self) -> bool:
        """Tell whether more are listed as equivalent than may be. A sample says nothing about that: those
        that are listed may happen to be in it.
        """
        return not self.sampled and 100 * self.counts["equivalent"] > MOST_EQUIVALENT * self.all

    @property
    def killed_though_listed(self) -> list[Mutant]:
        return [m for m, _ in self.of("killed") if m.id in self.reasons]

    def by_operator(self) -> dict[str, Counter[str]]:
        out: dict[str, Counter[str]] = {name: Counter() for name in OPERATORS}
        for outcome in ("killed", "survived", "equivalent", "refused", "unchanged"):
            for m, _ in self.of(outcome):
                out[m.operator][outcome] += 1
        return out

    def to_json(self) -> JsonObject:
        """The report as a JSON value, without its header; positions count from 1."""
        interval = self.score_interval
        return {
            "scenarios": self.scenarios,
            "operators": OPERATORS,
            "mutants": self.all_mutants,
            "tried": len(self.mutants),
            "counts": self.counts,
            "score": round(self.score, 4) if self.all > self.counts["equivalent"] else None,
            "score_interval": interval and [round(end, 4) for end in interval],
            "by_operator": {name: dict(counts) for name, counts in self.by_operator().items()},
            "stale": list(self.stale),
            "killed_though_listed": [m.id for m in self.killed_though_listed],
            "results": [
                {
                    **m.to_json(),
                    "outcome": v.outcome,
                    "by": v.by,
                    "scenarios_run": v.ran,
                    "equivalent": self.reasons.get(m.id),
                }
                for m, v in zip(self.mutants, self.verdicts, strict=True)
            ],
            "timing": {"seconds": round(self.seconds, 1)},
        }
