"""Una Notte da Lupi by hand."""

from __future__ import annotations

from _yardsticks.base import Yardstick

ROLES = (
    "werewolf",
    "seer",
    "mason",
    "minion",
    "troublemaker",
    "apprentice",
    "robber",
    "undead",
    "villager",
    "penguin",
    "hamster",
)
WEREWOLF, SEER, MASON, MINION, TROUBLEMAKER, APPRENTICE, ROBBER, UNDEAD, VILLAGER, PENGUIN, HAMSTER = range(
    len(ROLES)
)
TILES = (
    WEREWOLF,
    WEREWOLF,
    SEER,
    MASON,
    MASON,
    MINION,
    TROUBLEMAKER,
    APPRENTICE,
    ROBBER,
    UNDEAD,
    VILLAGER,
    VILLAGER,
    VILLAGER,
    PENGUIN,
    HAMSTER,
)
HUMANS = frozenset((SEER, MASON, TROUBLEMAKER, APPRENTICE, ROBBER, UNDEAD, VILLAGER))
CALLED = (WEREWOLF, SEER, MASON, MINION, TROUBLEMAKER, APPRENTICE, ROBBER)
# tiles of the recommended sets, by number of players
SETS = {
    3: (0, 1, 2, 6, 8, 10),
    4: (0, 1, 2, 6, 8, 10, 11),
    5: (0, 1, 2, 6, 8, 10, 11, 12),
    6: (0, 1, 2, 6, 8, 9, 10, 11, 12),
    7: (0, 1, 2, 3, 4, 5, 6, 8, 10, 11),
    8: (0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 13),
    9: (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 14),
    10: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
}


class UnaNotte(Yardstick):
    """With the default parameters: the recommended roles, two rounds of statements, lies allowed, nobody
    votes for oneself.

    What a seat may say depends on the roles in play alone; it is found when the seat first speaks and kept
    for the game.
    """

    ROUNDS = 2

    def __init__(self, players: int = 3) -> None:
        n = self.players = players
        self.stack = list(SETS[players])
        self.in_play = sorted({TILES[tile] for tile in self.stack})
        self.tile: list[int] = []  # roles in front of the players
        self.centre: list[int] = []
        self.flipped: int | None = None
        # what each player was told in the night
        self.dealt: list[int] = []
        self.recognised: list[list[int]] = [[] for _ in range(n)]
        self.looked_at: list[int | None] = [None] * n
        self.saw: list[list[int]] = [[] for _ in range(n)]
        self.exchanged = [False] * n
        self.robbed: list[int | None] = [None] * n
        self.became: list[int | None] = [None] * n
        self.statements: list[list[int]] = [[] for _ in range(n)]
        self.said: list[tuple[int, int]] = []
        self.votes: list[int] = []
        self.tally = [0] * n
        self.lynched: list[int] = []
        self.result = ""
        self.night = iter(CALLED)
        self.phase = "deal"
        self.current_player = -1
        self.returns = [0] * n

    def legal_actions(self) -> list[int]:
        phase, player, n = self.phase, self.current_player, self.players
        if phase == "deal":
            return self.stack
        if phase == "talk":
            return self.statements[player] or self.find_statements(player)
        if phase == "seer":
            return [0, *(q + 1 for q in range(n) if q != player), n + 1]
        if phase == "troublemaker":
            return [0]
        if phase == "apprentice":
            return self.can_be_turned()
        return [q for q in range(n) if q != player]  # the Robber's, and votes

    def apply_action(self, action: int) -> None:
        phase, player = self.phase, self.current_player
        if phase == "deal":
            self.stack.remove(action)
            (self.tile if len(self.tile) < self.players else self.centre).append(TILES[action])
            if len(self.stack) == 1:  # goes back to the box, unseen
                self.dealt = list(self.tile)
                self.next_call()
        elif phase == "talk":
            self.said.append((player, action))
            if len(self.said) < self.ROUNDS * self.players:
                self.current_player = (player + 1) % self.players
            else:
                self.phase, self.current_player = "vote", 0
        elif phase == "vote":
            self.votes.append(action)
            self.current_player += 1
            if self.current_player == self.players:
                self.count()
                self.finish()
        else:
            self.act(player, action)
            self.next_call()

    # ------------------------------------------------------------ the night
    def next_call(self) -> None:
        """Call roles until somebody has to decide; then the day."""
        for role in self.night:
            holders = [p for p, dealt in enumerate(self.dealt) if dealt == role]
            for p in holders:
                if role in (WEREWOLF, MASON):
                    self.recognised[p] = holders
                elif role == MINION:
                    self.recognised[p] = [q for q, dealt in enumerate(self.dealt) if dealt == WEREWOLF]
                elif role != APPRENTICE or self.can_be_turned():
                    self.phase, self.current_player = ROLES[role], p
                    return
        self.phase, self.current_player = "talk", 1 % self.players

    def act(self, player: int, action: int) -> None:
        """Apply the action of the player called."""
        tile = self.tile
        if self.phase == "seer":
            if action > self.players:
                self.saw[player] = list(self.centre)
            elif action:
                self.looked_at[player] = action - 1
                self.saw[player] = [tile[action - 1]]
        elif self.phase == "troublemaker":
            left, right = (player + 1) % self.players, player - 1
            tile[left], tile[right] = tile[right], tile[left]
            self.exchanged[player] = True
        elif self.phase == "apprentice":
            self.flipped = action
        else:
            tile[player], tile[action] = tile[action], tile[player]
            self.robbed[player], self.became[player] = action, tile[player]

    def can_be_turned(self) -> list[int]:
        return [role for role in self.in_play if role in HUMANS and role not in (APPRENTICE, ROBBER)]

    # ------------------------------------------------------------ the day
    def find_statements(self, me: int) -> list[int]:
        """Return the statements of a player: each kind has a number for every role and player it may name."""
        n, kinds, roles = self.players, len(ROLES), self.in_play
        others = [p for p in range(n) if p != me]
        in_play = set(roles)
        out = list(roles)  # I was dealt …
        at = kinds
        if SEER in in_play:
            out += [at + p * kinds + r for p in others for r in roles]  # I saw … in front of …
            # I saw … and … at the centre
            out += [at + n * kinds + r * kinds + s for r in roles for s in roles]
        at += n * kinds + kinds * kinds
        groups = [r for r in (WEREWOLF, MASON) if r in in_play]
        out += [at + g * n + p for g in groups for p in others]  # I am a … and so is …
        at += kinds * n
        out += [at + g for g in groups]  # I am a … and saw no other
        at += kinds
        if MINION in in_play:
            out.append(at)  # I saw no hand
            out += [at + 1 + p for p in others]  # I saw the hand of … alone
            # I saw the hands of … and …
            out += [at + 1 + n + p * n + q for p in others for q in others if p < q]
        at += 1 + n + n * n
        if TROUBLEMAKER in in_play:
            out.append(at)  # I exchanged my neighbours' tiles
        at += 1
        if APPRENTICE in in_play:
            out += [at + r for r in roles]  # I turned the … token
        at += kinds
        if ROBBER in in_play:
            out += [at + p * kinds + r for p in others for r in roles]  # I robbed … and became …
        at += n * kinds
        out += [at + p for p in others]  # … is a Werewolf
        at += n
        out += [at + p * kinds + r for p in others for r in roles]  # … holds …
        at += n * kinds
        out += [at + p for p in others]  # … is no Werewolf
        at += n
        out += [at, at + 1, at + 2]  # let everybody vote for the left, for the right neighbour; nothing
        self.statements[me] = out
        return out

    # ------------------------------------------------------------ the result
    def count(self) -> None:
        """Count the votes; the Undead passes them on."""
        tally = self.tally
        for q in self.votes:
            tally[q] += 1
        if UNDEAD in self.tile and self.flipped != UNDEAD:
            undead = self.tile.index(UNDEAD)
            if tally[undead] >= 2:
                tally[self.votes[undead]] += tally[undead]
                tally[undead] = 0
        most = max(tally)
        if min(tally) != 1 or most != 1:
            self.lynched = [p for p, votes in enumerate(tally) if votes == most]

    def finish(self) -> None:
        tile, flipped, lynched = self.tile, self.flipped, self.lynched
        wolves = [p for p, role in enumerate(tile) if role in (WEREWOLF, flipped)]
        hamsters = [p for p, role in enumerate(tile) if role == HAMSTER]
        if [tile[p] for p in lynched] == [PENGUIN]:
            self.result, winners = "the Were-penguin wins alone", lynched
        elif any(p in wolves for p in lynched) if lynched else not wolves:
            if lynched and any(not self.tally[p] for p in hamsters):
                self.result, winners = "the Were-hamster wins alone", hamsters
            else:
                self.result = "the Humans win"
                winners = [p for p, role in enumerate(tile) if role in HUMANS and role != flipped]
        else:
            self.result = "the Werewolves win"
            winners = wolves + [p for p, role in enumerate(tile) if role == MINION]
        self.returns = [1 if p in winners else -1 for p in range(self.players)]
        self.current_player = -4
