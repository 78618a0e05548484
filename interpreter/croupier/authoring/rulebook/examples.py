"""Worked examples: the scenarios that a ruleset marks as such, played, so that every example in a rulebook is tested.

An example stands at the end of the part of the book that tells the first rule it is about; a part takes a few of them, the first in the files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from croupier.authoring.rulebook.document import Block, Document, Example, HeadingBlock, Line, ListBlock, TextRun, line
from croupier.authoring.rulebook.wording import code, listed, name, prose, value
from croupier.diagnostics import RulesetError
from croupier.narration import Names, narrate
from croupier.ruleset import Ruleset
from croupier.scenarios.api import EXAMPLE, scenarios_of
from croupier.scenarios.context import Games, Setting, merge_settings
from croupier.scenarios.document import Expectation, Given, Scenario, ScenarioStep
from croupier.scenarios.running import ScenarioRunner, Stopped
from croupier.semantics.context import between
from croupier.source import Scalar
from croupier.source import Sequence as Nodes

MAX_EXAMPLES = 2
MAX_LINES = 12  # of what happens in one example; a longer one is a test, and no example to read


def examples_of(ruleset: Ruleset) -> list[Example]:
    """The examples of a ruleset, in the order of its scenario files; none where a file cannot be read or a scenario does not run."""
    try:
        opened = scenarios_of(ruleset.program.resolved.path)
    except RulesetError:
        return []
    found: list[Example] = []
    for file in opened:
        if file.document is None or file.found:
            continue
        games = Games(ruleset, traced=False)
        runner = ScenarioRunner(ruleset, games, file.document.given, file.document.chance is not None)
        for scenario in file.document.scenarios:
            marked = scenario.example.value if scenario.example is not None else scenario.id.text.startswith(EXAMPLE)
            if marked and scenario.do and scenario.title is not None:
                found += _example(runner, file.document.given, scenario)
            runner.earlier[scenario.id.text] = scenario
    return found


def placed(document: Document, examples: Sequence[Example]) -> Document:
    """The document with each example at the end of the part whose rules it is about."""
    waiting = list(examples)
    out: list[Block] = []
    due: list[Example] = []
    for block in document:
        if isinstance(block, HeadingBlock):
            out += due
            due = []
        out.append(block)
        if isinstance(block, ListBlock) and block.kind == "rules":
            here = {item.line[0].text for item in block.items}
            about = [e for e in waiting if e.rules and e.rules[0] in here]
            waiting = [e for e in waiting if e not in about]
            for example in about[:MAX_EXAMPLES]:
                before = [e for e in waiting if e.title == example.after]  # what it goes on from is read first
                waiting = [e for e in waiting if e not in before]
                due += [*before, example]
    return (*out, *due)


def _example(runner: ScenarioRunner, file: Given | None, scenario: Scenario) -> Iterator[Example]:
    """The scenario as an example; nothing if it does not pass, or tells nothing."""
    try:
        setting = merge_settings(file, scenario.given, scenario.id.span)
        player = runner.reach(scenario)
        before = len(player.state.events(None))
        player.play(scenario.do)
        player.settle(scenario.id.span)
    except (RulesetError, Stopped):
        return
    names = Names(player.context.seats.names)
    lines = [line(names(told.text)) for told in narrate(player.state.events(None)[before:]) if told.text]
    refused = [_refused(step) for step in scenario.do if step.kind == "refused"]
    course = (*lines, *refused)
    if course and len(course) <= MAX_LINES and not player.found:
        title = scenario.title.text if scenario.title is not None else scenario.id.text
        base = runner.earlier.get(setting.after.text) if setting.after is not None else None
        after = prose(base.title.text) if base is not None and base.title is not None else None
        given = [*([line(f"Goes on after: {after}")] if after is not None else []), *_given(runner.ruleset, setting)]
        yield Example(prose(title), tuple(given), tuple(course), tuple(_result(scenario.then)), _ids(scenario), after)


def _ids(scenario: Scenario) -> tuple[str, ...]:
    ids: list[str] = []
    for cite in scenario.cites:
        first, _, last = cite.text.partition("..")
        ids += between(first, (last if not last or "-" in last else first.rsplit("-", 1)[0] + "-" + last) or None) or [cite.text]
    return tuple(dict.fromkeys(ids))


def _given(ruleset: Ruleset, setting: Setting) -> Iterator[Line]:
    """Where an example begins, as far as its scenario says so; first what holds only if players agree on it."""
    usual = ruleset.defaults(ruleset.default_players) if setting.parameters else {}
    for key, node in setting.parameters:
        agreed = not isinstance(node, Scalar) or node.value != usual.get(key.text)
        yield line(*([TextRun("Only if agreed on: ", "strong")] if agreed else []), f"{name(key.text)}: {value(node)}")
    for key, node in setting.zones:
        yield line(TextRun(name(key.text), "em"), f": {value(node)}")
    for key, node in setting.state:
        yield line(TextRun(name(key.text), "em"), f": {value(node)}")


def _refused(step: ScenarioStep) -> Line:
    """An action that is not allowed, with the reason that the scenario names."""
    tried = [f"{who.text}: {value(node)}" for who, node in step.choices]
    because = f" ({step.because.text})" if step.because is not None else ""
    return line("Not allowed: ", listed(tried), because, ".")


def _result(then: Expectation | None) -> Iterator[Line]:
    """How things stand at the end, as far as its scenario says so."""
    if then is None:
        return
    for key, shown in (*then.zones, *then.state):
        yield line(TextRun(name(key.text), "em"), f": {value(shown)}")
    if not then.zones and not then.state:
        yield from (line(code(fact.text)) for fact in then.facts)
    if then.acts is not None:
        who = [item.text for item in (then.acts.items if isinstance(then.acts, Nodes) else (then.acts,)) if isinstance(item, Scalar)]
        yield line(f"to act: {listed(who)}")
    if then.outcome is not None:
        for word, node in (("winners", then.outcome.winners), ("scores", then.outcome.scores)):
            if node is not None:
                yield line(TextRun(word, "em"), f": {value(node)}")
        if then.outcome.grade is not None:
            yield line(TextRun("grade", "em"), f": {then.outcome.grade.text}")
