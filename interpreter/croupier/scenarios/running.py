"""Running one scenario: its steps one by one, and the whole from where it begins to what must then be
true.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import NoReturn

from croupier.diagnostics import Diagnostic, Label, RulesetError, Span, diagnose, did_you_mean
from croupier.kernel import types as t
from croupier.narration import narrate
from croupier.records import dataclass
from croupier.ruleset import Ruleset
from croupier.runtime.clauses import Clause, WhyNot
from croupier.runtime.declared_positions import CallEnd
from croupier.runtime.option_matching import folded
from croupier.runtime.state import CHANCE, IllegalAction, State
from croupier.scenarios import positions
from croupier.scenarios.actions import as_written, find, is_known, is_named, nearest, offered, refusal
from croupier.scenarios.checks import FactChecker, check
from croupier.scenarios.context import ScenarioContext
from croupier.scenarios.document import Expectation, Given, Scenario, ScenarioStep, is_word
from croupier.scenarios.settings import Games, Setting, SetUpRefused, merge_settings
from croupier.source import YamlMapping, YamlNode, YamlScalar, YamlSequence

MOST_FORCED = 10_000
MOST_LINES = 12  # of what is told of a scenario that failed
ONE_BY_ONE = (
    "several are chosen one by one, in the order in which they are offered: a step for each, and "
    "`done` if more could be taken"
)


class Stopped(Exception):
    """A step cannot be taken; why has been reported."""


@dataclass
class StepRunner:
    """Plays steps from a state and collects what is wrong."""

    context: ScenarioContext
    state: State
    first_chance: bool
    end: CallEnd | None = None
    result: t.Type = t.NOTHING
    found: list[Diagnostic] = field(default_factory=list)
    forced: list[str] = field(default_factory=list)
    moments: list[State] | None = None  # copies of the state at each step, if they are kept

    def stop(self, code: str, span: Span, **words: object) -> NoReturn:
        notes = list(words.pop("notes", ()))  # type: ignore[call-overload]
        if self.forced:
            notes.append("taken by itself before: " + "; ".join(self.forced[-6:]))
        self.found.append(diagnose(code, span, notes=notes, **words))  # type: ignore[arg-type]
        raise Stopped

    # ------------------------------------------------------------ steps
    def begin(self, span: Span) -> None:
        self._keep()
        self._sound(span, "in this position")

    def play(self, steps: tuple[ScenarioStep, ...], checking: bool = True) -> None:
        """Take the steps. Raises `Stopped`."""
        for step in steps:
            self.forced.clear()
            match step.kind:
                case "act":
                    self._act(step)
                case "chance":
                    for node in step.outcomes:
                        self._chance(node)
                case "all":
                    for name, node in step.choices:
                        self._choose(
                            self.context.seats.seat(name.text, name.span),
                            name.text,
                            node,
                            name.span.to(node.span),
                        )
                case "refused":
                    if checking:
                        self._refused(step)
                case "forced":
                    self._all_forced(step.span)
                case "until":
                    self._until(step)
                case "expect":
                    self._settle(step.span)
                    if checking:
                        self.expect(step.expect)

    def expect(self, expectation: Expectation) -> None:
        """Make the checks; nothing is taken back if they fail.

        What somebody has no choice but to do first is named with the first that fails.
        """
        wrong = check(expectation, self.state, self._facts())
        if wrong and wrong[0].code not in ("K013", "K017"):  # those are mistakes of the text alone
            wrong[0] = replace(wrong[0], notes=(*wrong[0].notes, *self._still_to_choose()))
        self.found += wrong

    def _still_to_choose(self) -> list[str]:
        """The decisions with a single option that are still to be made."""
        if self.state.is_terminal() or self.state.is_chance_node():
            return []
        single = [seat for seat in self.state.pending_seats() if len(self.state.legal_actions(seat)) == 1]
        names = self.context.seats.names
        return [
            f"{names[seat]} is still to choose {offered(self.state, seat, self.context)}: write it in `do:`"
            for seat in single
        ]

    def _facts(self) -> FactChecker:
        names: list[tuple[str, t.Type, object]] = [
            (name, t.PLAYER, seat) for seat, name in enumerate(self.context.seats.names)
        ]
        if self.end is not None and self.end.done:
            names.append(("result", self.result, self.end.value))
        return FactChecker(self.context, tuple(names))

    def settle(self, span: Span) -> None:
        """Chance that no step names falls before the checks."""
        self.forced.clear()
        self._settle(span)

    def _settle(self, span: Span) -> None:
        for _ in range(MOST_FORCED):
            if not (self.first_chance and self.state.is_chance_node()):
                return
            self._take(CHANCE, self._first(CHANCE, span), span)

    def _act(self, step: ScenarioStep) -> None:
        name, node = step.choices[0]
        seats = self.context.seats
        if seats.find(name.text) is None and did_you_mean(name.text, list(seats.names)) is None:
            players = ", ".join(f"`{player}`" for player in seats.names)
            chance = "what happens by chance is written `chance: any`"
            help = f"{chance}; what a player does begins with the name: {players}"
            self.stop("K008", name.span, name=name.text, help=help)
        self._choose(self.context.seats.seat(name.text, name.span), name.text, node, step.span)

    def _choose(self, seat: int, name: str, node: YamlNode, span: Span) -> None:
        if self._taken(seat, node, span):
            return
        if self.state.is_chance_node():
            notes = [f"possible outcomes: {offered(self.state, CHANCE, self.context)}"]
            first = self.state.action_to_string(CHANCE, self.state.legal_actions(None)[0])
            help = (
                f"say before it what happens, such as `- chance: {self.context.seats.named(first)}`, or "
                f"`- chance: any`"
            )
            self.stop(
                "K102", span, who=name, reason="something happens by chance first", notes=notes, help=help
            )
        pending = self.state.pending_seats()
        if seat not in pending:
            self.stop(
                "K102",
                span,
                who=name,
                reason=f"{self.context.seats.listed(pending)} is",
                notes=self._offers(pending),
            )
        why = refusal(self.state, seat, node, self.context)
        say = self.context.seats.named
        reason = "; ".join(say(clause.told) for clause in why.clauses) or "it is not legal"
        is_known = why.known and why.reads
        reason = reason if is_known else f"nothing reads `{as_written(node)}`"
        if isinstance(node, YamlSequence):
            words = {"help": ONE_BY_ONE}
        else:
            words = {} if is_known else self._meant(seat, node)
        self.stop(
            "K101", span, who=name, reason=reason, notes=self._offers([seat]), labels=_hiding(why), **words
        )

    def _taken(self, seat: int, node: YamlNode, span: Span) -> bool:
        """Take what is written for a seat or chance, behind what leaves no choice; whether that was possible.

        Stops at the end of the game.
        """
        for _ in range(MOST_FORCED):
            if self.state.is_chance_node() if seat == CHANCE else seat in self.state.pending_seats():
                is_any = is_word(node, "any")
                action = self._first(seat, span) if is_any else find(self.state, seat, node, self.context)
                if action is not None:
                    self._apply(seat, action, span)
                    return True
            if not self._by_itself(span):
                break
        if self.state.is_terminal():
            self.stop("K103", span, reason=self._ending())
        return False

    def _offers(self, seats: list[int]) -> list[str]:
        return [
            f"{self.context.seats.names[p]} may choose: {offered(self.state, p, self.context)}" for p in seats
        ]

    def _chance(self, node: YamlNode) -> None:
        if self._taken(CHANCE, node, node.span):
            return
        if not self.state.is_chance_node():
            pending = self.state.pending_seats()
            words = self._certain(node)
            self.stop(
                "K102",
                node.span,
                who="chance",
                reason=f"{self.context.seats.listed(pending)} is",
                notes=self._offers(pending),
                **words,
            )
        notes = [f"possible outcomes: {offered(self.state, CHANCE, self.context)}"]
        words = self._certain(node) or self._meant(CHANCE, node)
        self.stop(
            "K101",
            node.span,
            who="chance",
            reason=f"no outcome reads `{as_written(node)}`",
            notes=notes,
            **words,
        )

    def _meant(self, seat: int, node: YamlNode) -> dict[str, str]:
        """Help where what is written nearly reads like something that is offered."""
        near = nearest(self.state, seat, node, self.context)
        return {} if near is None else {"help": f"did you mean `{near}`?"}

    def _certain(self, node: YamlNode) -> dict[str, str]:
        """Help where chance is to fall as it could have fallen elsewhere."""
        named = isinstance(node, YamlScalar) and is_named(folded(node.text), self.context)
        if not named:
            return {}
        left = f"if `{as_written(node)}` was all that was left"
        return {"help": f"{left}, that was no chance event, and is not named"}

    def _by_itself(self, span: Span) -> bool:
        """Take a step that leaves no choice; whether there was one."""
        if self.state.is_terminal():
            return False
        if self.state.is_chance_node():
            if not self.first_chance:
                return False
            self._take(CHANCE, self._first(CHANCE, span), span)
            return True
        for seat in self.state.pending_seats():
            options = self.state.legal_actions(seat)
            if len(options) == 1:
                self._take(seat, options[0], span)
                return True
        return False

    def _all_forced(self, span: Span) -> None:
        for _ in range(MOST_FORCED):
            if not self._by_itself(span):
                return

    def _until(self, step: ScenarioStep) -> None:
        """First options and outcomes, until a fact holds at a decision, a chance event or the end; until one
        in a phase; or until the end.
        """
        assert step.until is not None or step.phase is not None
        phases = frozenset[str]() if step.phase is None else positions.phases_called(step.phase, self.context)
        to_the_end = step.until is not None and step.until.text == "end"
        for _ in range(MOST_FORCED):
            missing = (
                [] if to_the_end or step.until is None else self._facts().fact(self.state._m, step.until)
            )
            if to_the_end:
                is_there = self.state.is_terminal()
            else:
                is_there = self.state.phase() in phases if phases else not missing
            if is_there:
                return
            if any(d.code != "K111" for d in missing):
                raise RulesetError(missing)
            if self.state.is_terminal():
                break
            if self.state.is_chance_node():
                self._apply(CHANCE, self._first(CHANCE, step.span), step.span)
            else:
                seat = self.state.pending_seats()[0]
                self._apply(seat, self._first(seat, step.span), step.span)
        self.stop(
            "K103", step.span, reason=self._ending() if self.state.is_terminal() else "this never holds"
        )

    def _refused(self, step: ScenarioStep) -> None:
        name, node = step.choices[0]
        seat = self.context.seats.seat(name.text, name.span)
        for _ in range(MOST_FORCED):
            if seat in self.state.pending_seats() or not self._by_itself(step.span):
                break
        if self.state.is_terminal():
            self.stop("K103", step.span, reason=self._ending())
        before = self.state.hash()
        acts = seat in self.state.pending_seats()
        if acts and find(self.state, seat, node, self.context) is not None:
            self.stop("K104", step.span, who=name.text, notes=self._offers([seat]))
        if acts:
            why = refusal(self.state, seat, node, self.context)
        else:
            why = WhyNot(
                is_known(self.state, as_written(node), self.context),
                (Clause("turn", f"{name.text} is not to act"),),
            )
        if not (why.known and why.reads):
            here = self.state.pending_seats()
            others = f"{self.context.seats.listed(here)} {'are' if len(here) > 1 else 'is'}"
            if self.state.is_chance_node():
                others = "something happens by chance first"
            words = {} if acts else {"help": f"{name.text} is not to act here: {others}"}
            self.stop(
                "K105",
                node.span,
                text=as_written(node),
                notes=self._offers([seat] if acts else here),
                **words,
            )
        if step.because is not None and folded(step.because.text) not in [
            folded(c.words) for c in why.clauses
        ]:
            reasons = "; ".join(c.words for c in why.clauses) or "no named condition forbids it"
            first = (
                []
                if acts or self.state.is_chance_node()
                else [f"steps of {self.context.seats.listed(self.state.pending_seats())} come first"]
            )
            notes = [f"the reason is: {reasons}", *first]
            self.stop(
                "K106", step.because.span, because=f"“{step.because.text}”", notes=notes, labels=_hiding(why)
            )
        try:
            self.state.string_to_action(seat, as_written(node))
        except IllegalAction:
            if self.state.hash() == before:
                return
        self.stop("K104", step.span, who=name.text)

    # ------------------------------------------------------------ going on
    def _first(self, seat: int, span: Span) -> int:
        """The first legal action of a seat, or outcome of chance.

        Stops where working them out faults, or a look-ahead leaves none.
        """
        options = self.state.legal_actions(seat)
        if not options:
            if self.state.is_terminal():
                self.stop("K103", span, reason=self._ending())
            who = "chance" if seat == CHANCE else self.context.seats.names[seat]
            self.stop("K102", span, who=who, reason="there is nothing to choose")
        return options[0]

    def _take(self, seat: int, action: int, span: Span) -> None:
        who = "chance" if seat == CHANCE else self.context.seats.names[seat]
        words = self.context.seats.named(self.state.action_to_string(seat, action))
        self._apply(seat, action, span)
        self.forced.append(f"{who}: {words}")

    def _apply(self, seat: int, action: int, span: Span) -> None:
        self.state.apply_action(action, None if seat == CHANCE else seat)
        self._keep()
        self._sound(span, "after this step")

    def _keep(self) -> None:
        if self.moments is not None:
            self.moments.append(self.state.clone())

    def _sound(self, span: Span, when: str) -> None:
        """The invariants hold; a fault ends the scenario only when nothing expects it."""
        broken = [] if self.state.fault is not None else self.state.check_invariants()
        for d in broken:
            labels = (
                [Label(d.span, "this part of the invariant is false"), *d.labels]
                if d.span is not None
                else []
            )
            name = d.message.split("`")[1] if "`" in d.message else d.message
            self.found.append(diagnose("K108", span, name=name, when=when, labels=labels))
        if broken:
            raise Stopped

    def _ending(self) -> str:
        if self.state.fault is not None:
            return self.state.fault.message
        outcome = self.state.outcome()
        return self.context.seats.named(outcome["reason"] or outcome["status"])

    def unexpected_fault(self, scenario: Scenario) -> None:
        """A fault that the scenario does not name as its outcome is a failure, shown at the author's line."""
        fault = self.state.fault
        wanted = (
            scenario.then.outcome.status
            if scenario.then is not None and scenario.then.outcome is not None
            else None
        )
        if fault is None or wanted is not None and wanted.text in ("faulted", "stuck"):
            return
        labels = [Label(fault.span, f"here: {fault.message}")] if fault.span is not None else []
        self.found.append(diagnose("K107", scenario.id.span, reason=fault.message, labels=labels))


def _hiding(why: WhyNot) -> list[Label]:
    """Return labels at the `if`s that keep an option from being offered."""
    return [
        Label(clause.span, "this does not hold, so it is not offered")
        for clause in why.clauses
        if clause.is_at_if and clause.span is not None
    ]


# ---------------------------------------------------------------- directing
# keys of a scenario whose game cannot be set up
WITHOUT_GAME = ("id", "title", "doc", "cites", "example", "given", "chance", "then")


@dataclass
class ScenarioRunner:
    """Runs the scenarios of one file, with what the file gives to all of them."""

    ruleset: Ruleset
    games: Games
    given: Given | None
    first_chance: bool
    earlier: dict[str, Scenario] = field(default_factory=dict)
    tells: bool = False  # is `story` wanted?
    keeps: bool = False  # are `moments` wanted?
    # what happened in the scenario that was run last, if something was wrong with it
    story: tuple[str, ...] = ()
    moments: tuple[State, ...] = ()  # its states, step by step, if they are kept
    _stopped: StepRunner | None = None  # who was on the way when `reach` stopped

    @property
    def has_begun(self) -> bool:
        """Tell whether a game was set up for the scenario that was run last."""
        return self._stopped is not None

    def run(self, scenario: Scenario) -> list[Diagnostic]:
        """Run a scenario and return the diagnostics of it or of the rules; none if it passes."""
        player: StepRunner | None = None
        self._stopped, self.story, self.moments = None, (), ()
        try:
            player = self.reach(scenario)
            player.play(scenario.do)
            player.settle(scenario.id.span)
            if scenario.then is not None:
                player.expect(scenario.then)
        except Stopped:
            pass
        except SetUpRefused as error:
            return _refused(scenario, error)
        except RulesetError as error:
            return [*(player.found if player is not None else ()), *error.diagnostics]
        player = player or self._stopped
        assert player is not None
        player.unexpected_fault(scenario)
        if player.found and self.tells:
            self._tell(player)
        return player.found

    def _tell(self, player: StepRunner) -> None:
        say = player.context.seats.named
        lines = [
            " · ".join(say(words) for words in (line.part, line.title, line.text) if words)
            for line in narrate(player.state.events(None), players=player.state.players)
        ]
        self.story, self.moments = tuple(lines[-MOST_LINES:]), tuple(player.moments or ())

    def reach(self, scenario: Scenario) -> StepRunner:
        """A player at the point where the scenario's own steps begin. Raises `RulesetError` and `Stopped`."""
        setting = merge_settings(self.given, scenario.given, scenario.id.span)
        chance = self.first_chance or scenario.chance is not None
        if setting.after is not None:
            before = self.earlier.get(setting.after.text)
            if before is None:
                raise RulesetError([diagnose("K020", setting.after.span, id=setting.after.text)])
            player = self.reach(before)
            self._stopped = player
            player.first_chance = player.first_chance or before.chance is not None
            player.play(before.do, checking=False)
            player.settle(setting.after.span)
            player.first_chance = chance
            return player
        player = self._sit_down(setting, chance)
        self._stopped = player
        player.begin(setting.span)
        player.play(setting.play)
        return player

    def _sit_down(self, setting: Setting, chance: bool) -> StepRunner:
        context = self.games.context(setting)
        if setting.declared:
            begun = positions.begin(self.ruleset, context, setting)
            return StepRunner(context, begun.state, chance, begun.end, begun.result, moments=self._moments())
        return StepRunner(context, State(self.ruleset, context.engine), chance, moments=self._moments())

    def _moments(self) -> list[State] | None:
        return [] if self.keeps else None


def _refused(scenario: Scenario, error: SetUpRefused) -> list[Diagnostic]:
    """Return the diagnostics of a game that cannot be set up: none if the scenario says so, with the reason
    if it names one.
    """
    wanted = scenario.then.refusal if scenario.then is not None else None
    if scenario.then is None or wanted is None:
        return list(error.diagnostics)
    idle = [
        *_other_keys(scenario.then.node, "outcome"),
        *_other_keys(wanted.node, "status", "reason"),
        *_other_keys(scenario.node, *WITHOUT_GAME),
    ]
    found = [diagnose("K025", key.span, key=key.text) for key in idle]
    if wanted.reason is not None and not any(wanted.reason.text in d.message for d in error.diagnostics):
        shown = "; ".join(f"`{d.message}`" for d in error.diagnostics)
        found.append(
            diagnose("K120", wanted.reason.span, what="reason", found=shown, wanted=f"`{wanted.reason.text}`")
        )
    return found


def _other_keys(node: YamlNode, *names: str) -> list[YamlScalar]:
    return [key for key, _ in node.entries if key.text not in names] if isinstance(node, YamlMapping) else []
