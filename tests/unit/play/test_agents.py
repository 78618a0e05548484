"""Bots: what specifications mean, what each does, and that the same seed gives the same game."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import croupier
import needs
from croupier.cli.options import bot_names
from croupier.diagnostics import RulesetError
from croupier.play.agents import UnknownAgent, agent_names, new_agent, renamed_bots
from croupier.play.match import GameMatch, MatchConfig
from croupier.play.measure import Ranking
from croupier.play.simulate import simulate
from croupier.play.tally import Tally
from croupier.ruleset import Ruleset
from croupier.runtime.streams import Stream, seat_purpose

OWN = """
class Last:
    ended = []
    def name(self): return "last"
    def begin(self, seat, players, stream): self.seat = seat
    def choose(self, state, seat, options): return options[-1]
    def end(self, state, seat): Last.ended.append((seat, state.outcome()["status"]))
class Half:
    def choose(self, state, seat, options): return options[0]
"""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("flat", "wants a number of roll-outs from 1"),
        ("flat:none", "not `none`"),
        ("mcts:0", "from 1"),
        ("random:3", "takes nothing after its name"),
        ("avoid", "wants the words"),
        ("avoid:x:rendom", "did you mean `random`"),
        ("greddy:score[me]", "did you mean `greedy`"),
        ("nowhere.py:Bot", "there is no file"),
    ],
)
def test_what_is_no_bot_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(UnknownAgent, match=words.replace("[", r"\[")):
        new_agent(text)


def test_specifications_are_written_in_full() -> None:
    assert agent_names(("avoid:*pass*:flat:3", "greedy:max(1, 2)"), 2) == [
        "avoid:*pass*:flat:3",
        "greedy:max(1, 2)",
    ]
    assert new_agent("avoid:x").name() == "avoid:x:random"
    assert bot_names("greedy:max(1, 2), random") == ("greedy:max(1, 2)", "random")


def test_a_class_of_a_file_plays(tmp_path: Path) -> None:
    path = tmp_path / "my_bots.py"
    path.write_text(OWN)
    ruleset = croupier.load("tic_tac_toe")
    match = GameMatch(ruleset, MatchConfig(bots=(f"{path}:Last", "first")))
    record = match.play()
    assert record.bots == ("last", "first") and record.steps[0].choices[0].action == 8
    assert type(match._agents[0]._agent).ended == [(0, "finished")]  # type: ignore[attr-defined]
    with pytest.raises(UnknownAgent, match="no method `name`, `begin`, `end`"):
        new_agent(f"{path}:Half")
    with pytest.raises(UnknownAgent, match="no class `Other`"):
        new_agent(f"{path}:Other")
    path.with_name("broken.py").write_text("1 / 0")
    with pytest.raises(UnknownAgent, match="ZeroDivisionError"):
        new_agent(f"{path.with_name('broken.py')}:Bot")


def wins(name: str, bots: tuple[str, ...], games: int, jobs: int = 1, backend: str = "python") -> Tally:
    ruleset = croupier.load(name)
    setup = MatchConfig(seed=1, bots=bots, backend=backend)
    return Tally(2, simulate(ruleset, name, setup, games, jobs=jobs, load=croupier.load))


LONG = Path(__file__).parent / "long_walk.yaml"


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("plain_tricks", (0, 0, 0)),
        ("connect_four", None),
        (str(LONG), (0, 0)),
        (str(LONG.parent / "who_begins.yaml"), None),
    ],
)
def test_what_the_rules_would_rank_by_if_the_game_ended_now(
    name: str, scores: tuple[int, ...] | None
) -> None:
    state = croupier.load(name).new_initial_state(backend="reference")
    ranking = Ranking(state.engine)
    assert (ranking.scores(state) if ranking.is_there else None) == scores


def test_a_long_game_is_cut_so_that_what_follows_does_not_drown_a_choice() -> None:
    """One option is worth 60 points more; whole games differ by some 200 after it, so whole play-outs take it
    20 times of 30.
    """
    ruleset, found = croupier.load(LONG), []
    for backend, games in (("reference", 6), ("python", 30)):
        state, agent, taken = ruleset.new_initial_state(backend=backend), new_agent("mcts:16"), []
        for game in range(games):
            agent.begin(0, 2, Stream(1, game, seat_purpose(0)))
            taken.append(state.action_to_string(0, agent.choose(state, 0, state.legal_actions(0))))
        found.append(taken)
    assert found[0] == found[1][:6] and found[1].count("high") >= 28


@pytest.mark.parametrize("bot", ["flat:4", "mcts:30", "ismcts:30"])
def test_who_thinks_wins_more(bot: str) -> None:
    assert wins("tic_tac_toe", ("random", bot), 20).wins(1)[0] >= 12  # random players win 29 % of these


def test_greedy_takes_what_wins_at_once_and_what_measures_most() -> None:
    state = croupier.load("tic_tac_toe").new_initial_state()
    for cell in (0, 3, 1, 4):
        state.apply_action(cell)
    agents = {text: new_agent(text) for text in ("greedy", "greedy:me")}
    from croupier.runtime.streams import Stream

    for agent in agents.values():
        agent.begin(0, 2, Stream(1, 1, "seat 1"))
    assert agents["greedy"].choose(state, 0, state.legal_actions()) == 2
    with pytest.raises(RulesetError):
        agents["greedy:me"].choose(state, 0, state.legal_actions())


POLICIES = {
    name: YAML(typ="safe", pure=True).load(
        (Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")
    )
    for name in ("policies", "heard_claims")
}


@pytest.fixture(scope="module")
def weighed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ruleset]:
    folder, rulesets = tmp_path_factory.mktemp("policies"), {}
    for name, table in POLICIES.items():
        path = folder / f"{name}.yaml"
        path.write_text(table["ruleset"], encoding="utf-8")
        rulesets[name] = croupier.load(path)
    return rulesets


@pytest.mark.parametrize(
    ("table", "case"),
    [
        pytest.param(name, case, id=f"{case['policy']}: {', '.join(case['after'])}")
        for name, table in POLICIES.items()
        for case in table["cases"]
    ],
)
def test_policies_draw_options_by_their_weights(
    table: str, case: dict[str, Any], weighed: dict[str, Ruleset]
) -> None:
    state = weighed[table].new_initial_state()
    for words in case["after"]:
        seat = state.pending_seats()[0]
        state.apply_action(state.string_to_action(seat, words), seat)
    seat, agent = state.pending_seats()[0], new_agent(f"policy:{case['policy']}")
    options, taken = state.legal_actions(seat), Counter[str]()
    for game in range(400 if "about" in case else 40):
        agent.begin(seat, 2, Stream(1, game, seat_purpose(seat)))
        taken[state.action_to_string(seat, agent.choose(state, seat, options))] += 1
    assert "always" not in case or sorted(taken) == sorted(case["always"])
    for words, often in case.get("about", {}).items():
        assert abs(taken[words] - often) <= 40


def test_a_policy_that_is_not_there() -> None:
    with pytest.raises(RulesetError, match="has no policy `twnty`"):
        GameMatch(croupier.load("two_dice_pig"), MatchConfig(bots=("policy:twnty",))).play()


@pytest.mark.parametrize(
    ("name", "bots", "games", "players"),
    [
        ("witches_of_blackmore", ("policy:sure", "random"), 10, 2),
        ("una_notte_da_lupi", ("policy:wary",), 10, 5),
        ("wednesday_hyde", ("policy:steady",), 10, 2),
    ],
)
def test_shipped_policies_play_to_the_end(name: str, bots: tuple[str, ...], games: int, players: int) -> None:
    setup = MatchConfig(seed=1, bots=bots, players=players)
    results = list(simulate(croupier.load(name), name, setup, games, jobs=1, load=croupier.load))
    assert [one.status for one in results] == ["finished"] * games


def test_defenders_who_know_the_game_save_targets() -> None:
    setup = MatchConfig(seed=1, bots=("policy:steady",), players=2)
    load = croupier.load
    games = list(simulate(load("wednesday_hyde"), "wednesday_hyde", setup, 20, jobs=1, load=load))
    won = [one for one in games if sum(one.returns) > 0]
    assert len(won) >= 10  # at random, 3 of 2,000


def test_some_options_are_avoided_while_there_are_others() -> None:
    ruleset = croupier.load("kuhn_poker")
    for game in range(1, 15):
        record = GameMatch(ruleset, MatchConfig(seed=2, bots=("avoid:BET",)), game).play()
        assert all(
            choice.choice["value"] == "check"
            for step in record.steps
            if step.seat >= 0
            for choice in step.choices
        )
    assert GameMatch(ruleset, MatchConfig(seed=2, bots=("avoid:*",))).play().status == "finished"


@needs.compiler
@pytest.mark.parametrize("bots", [("ismcts:8", "greedy"), ("flat:2", "avoid:*bet*:mcts!:6")])
def test_the_same_seed_gives_the_same_games_on_every_back_end(bots: tuple[str, ...]) -> None:
    assert (
        len(
            {
                wins("kuhn_poker", bots, 8, backend=backend).digest
                for backend in ("reference", "python", "native")
            }
        )
        == 1
    )


def test_a_game_depends_on_its_number_alone() -> None:
    ruleset = croupier.load("kuhn_poker")
    setup = MatchConfig(seed=1, bots=("ismcts:8", "flat:2"), verify=True)
    several = {game.game: game for game in simulate(ruleset, "kuhn_poker", setup, 4, load=croupier.load)}
    assert GameMatch(ruleset, setup, 3).play().final_hash == several[3].verified_hash


@pytest.mark.soak
def test_and_in_any_number_of_processes() -> None:
    assert (
        wins("kuhn_poker", ("ismcts:8", "random"), 6).digest
        == wins("kuhn_poker", ("ismcts:8", "random"), 6, jobs=2).digest
    )


def test_who_looks_into_hands_says_so() -> None:
    kuhn, chess = croupier.load("kuhn_poker"), croupier.load("chess")
    with pytest.raises(UnknownAgent, match="`ismcts:2` plays by what its seat knows"):
        GameMatch(kuhn, MatchConfig(bots=("mcts:2", "random")))
    record = GameMatch(kuhn, MatchConfig(seed=1, bots=("mcts!:2", "avoid:x:mcts!:2"))).play()
    assert record.status == "finished" and record.bots == ("mcts!:2", "avoid:x:mcts!:2")
    assert GameMatch(chess, MatchConfig(bots=("mcts:2", "mcts!:2"))).players == 2


def test_bots_of_an_old_saved_game_go_on() -> None:
    saved = ("mcts:2", "avoid:*bet*:mcts:3", "ismcts:4")
    assert renamed_bots(saved, croupier.load("kuhn_poker").game(None, None)) == (
        "mcts!:2",
        "avoid:*bet*:mcts!:3",
        "ismcts:4",
    )
    assert renamed_bots(saved, croupier.load("chess").game(None, None)) == saved


def test_bots_that_look_ahead_do_so_in_native_code() -> None:
    pytest.importorskip("llvmlite")
    ruleset = croupier.load("tic_tac_toe")
    for bot, backend in {"first": "python", "greedy": "native", "avoid:x:flat:1": "native"}.items():
        assert MatchConfig(bots=("random", bot), backend="auto").initial_state(ruleset).backend == backend
