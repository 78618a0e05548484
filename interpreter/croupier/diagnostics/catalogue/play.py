"""Codes X5: saved games, scripted decisions and other input of a game that is played or replayed.

X50x  the saved file itself      X51x  its actions      X52x  scripted decisions      X53x  writing files
"""

from __future__ import annotations

from croupier.diagnostics.catalogue.entry import Entry

_EDITED = "the file was edited or damaged, or another version of the interpreter wrote it; only an unchanged file can be replayed"
_VERIFY = (
    "A replay applies every recorded action and compares the hash of each position with the recorded one."
    " The first difference is reported; what follows it would be guesswork."
)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        "X501", "saved game is not JSON", "this is not a saved game: {reason}",
        "A saved game is one JSON object, as `croupier run --save FILE` writes it. A file that ends in the middle was cut off.",
        bad='{"croupier": 1, "ruleset": "my_game", "actions": [', good="croupier run my_game --save game.json",
    ),
    Entry(
        "X502", "key missing in a saved game", "the saved game has no `{name}`",
        "Every key that `croupier run --save FILE` writes is needed to play the game again.",
        bad='{"croupier": 1}', good="croupier run my_game --save game.json",
    ),
    Entry(
        "X503", "another format", "the saved game has format {found}; this version reads format {known}",
        "The number behind `croupier` says which format a file has. Files of another format are refused, not guessed at.",
        bad='{"croupier": 2, …}', good='{"croupier": 1, …}',
        help="replay it with the version of croupier that wrote it",
    ),
    Entry(
        "X504", "wrong value in a saved game", "`{name}` should be {wanted}, and is {found}",
        "The values of a saved game have fixed types; this one cannot come from `croupier run --save FILE`.",
        bad='{"croupier": 1, "players": "two", …}', good='{"croupier": 1, "players": 2, …}',
    ),
    Entry(
        "X505", "unknown key in a saved game", "a saved game has no key `{name}`",
        "An unknown key is refused, because nothing that is written should be ignored in silence.",
        bad='{"croupier": 1, "sead": 5, …}', good='{"croupier": 1, "seed": 5, …}',
    ),
    Entry(
        "X506", "game of another ruleset", "the saved game was played with other rules: their hash is `{found}`, that of `{name}` is `{wanted}`",
        "The hash of a ruleset changes with every change of its meaning, and not with its layout or comments."
        " A game can only be replayed with the rules it was played with.",
        help="name the version of the ruleset it was played with: `--ruleset FILE`; `play` takes it in front: `croupier play FILE --from …`",
    ),
    Entry(
        "X507", "key twice in a saved game", "the key `{name}` stands twice in the same object",
        "Which of the two is meant cannot be known.", bad='{"seed": 1, "seed": 2}', good='{"seed": 1}', help="remove one of them",
    ),
    Entry(
        "X510", "saved game ends too early", "the game is not over after the last of {number} recorded actions, but was recorded as {status}",
        "Actions are missing at the end of the file.", help=_EDITED,
    ),
    Entry(
        "X511", "saved game goes on after its end", "the game is over after {number} actions, and {recorded} are recorded",
        "Actions were added at the end of the file, or an earlier one was changed.", help=_EDITED,
    ),
    Entry(
        "X512", "recorded action is not legal", "action {number} of {who} is not legal in this position: {action}",
        "Every recorded action was legal when it was played.", help=_EDITED,
    ),
    Entry(
        "X513", "recorded action of another player", "action {number} is recorded for {found}, but {wanted} must act",
        "Whose turn it is follows from the rules.", help=_EDITED,
    ),
    Entry(
        "X514", "recorded action and choice disagree", "action {number} is recorded as {action}, which is not the choice recorded beside it",
        "An action is recorded twice, as a number and in a readable form; both mean the same choice.", help=_EDITED,
    ),
    Entry("X515", "position differs from the recorded one", "the position after {number} actions is not the recorded one", _VERIFY, help=_EDITED),
    Entry(
        "X516", "result differs from the recorded one", "the recorded `{name}` is not what the game gives: {wanted}",
        "The result of a game follows from its actions.", help=_EDITED,
    ),
    Entry(
        "X517", "action of unknown form", "action {number} is not of the form of a recorded action: {problem}",
        "A recorded action has `seat`, `action`, `choice` and `hash`; a decision that several make at once has `seat`, `actions` and `hash`.",
        bad='{"seat": 0}', good='{"seat": 0, "action": 3, "choice": "c", "hash": "…"}', help=_EDITED,
    ),
    Entry(
        "X518", "saved game was edited", "the checksum is not that of what stands in this saved game",
        "A checksum over the whole file notices what no rule would: another seed, other bots, an action after the position that was asked for.",
        bad='{"seed": 8, …, "checksum": "the one of seed 7"}', good="croupier run my_game --seed 8 --save game.json", help=_EDITED,
    ),
    Entry(
        "X520", "decision in a script is not possible", "{who} cannot do this: {reason}",
        "Each entry of a script is a decision of the player who must act, among its legal choices.",
        bad="- 1: no such choice\n", good="- 1: a choice that the log shows\n",
    ),
    Entry(
        "X521", "script names another player", "this decision is for {found}, but {wanted} must act",
        "A script lists decisions in the order in which they are made. Decisions with only one choice may be left out.",
    ),
    Entry(
        "X522", "script goes on after the end", "the game ended before this entry of the script was reached",
        "Every entry of a script must be used; one that is not means that the game took another course than its author thought.",
    ),
    Entry(
        "X523", "not a script", "{problem}",
        "A script is a list of decisions: `- 1: choice` for player 1, `- chance: outcome` for a chance event, `- all:` with a choice for each"
        " of several who decide at once, or `- choice` for whoever must act."
        " It may stand alone or under the key `actions` of a mapping with `croupier: 1`.",
        bad="actions: yes\n", good="croupier: 1\nactions:\n  - 1: a choice\n  - chance: an outcome\n",
    ),
    Entry(
        "X530", "file is already there", "`{name}` exists already", "Nothing is overwritten without being asked to.",
        help="choose another name, or add `--force` to replace it",
    ),
    Entry("X531", "file cannot be written", "`{name}` cannot be written: {reason}", "The system refused to create or replace the file."),
    Entry(
        "X532", "file changed meanwhile", "`{name}` was changed while it was checked, and is left as it is",
        "What was checked is not what lies there now; writing over it could lose somebody's work.", help="start the command again",
    ),
    Entry(
        "X540", "unknown ruleset in a saved game", "the saved game is of `{name}`, which is neither a shipped ruleset nor one in this folder",
        "A saved game names its ruleset, never a file: what a stranger wrote must not choose the files that are read. A ruleset `my_game` is found if"
        " it is a shipped one, or in the folder where the command runs, as `my_game/ruleset.yaml` or `my_game.yaml`.",
        help="name its folder or file: `--ruleset FILE`; `play` takes it in front: `croupier play FILE --from …`",
    ),
    Entry(
        "X541", "ruleset changed during a run", "the ruleset `{name}` changed while the games were played",
        "Each worker process reads the ruleset again; all of them must read the same rules.", help="start the command again",
    ),
    Entry(
        "X542", "columns of a list of mutants", "a list of equivalent mutants has the columns `id`, `operator`, `clause`, `reason`, not {found}",
        "The list `mutants.csv` beside a ruleset names the mutants that no game can tell from the rules, each with its id and the reason why.",
        bad="mutant,why\n1a2b3c4d,same\n", good="id,operator,clause,reason\n1a2b3c4d,drop,pass,nothing happens there\n",
        help="begin the file with the line `id,operator,clause,reason`",
    ),
)
