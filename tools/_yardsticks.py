"""Hand-written Python: what somebody would write for one game alone. The unit of `tools/bench`.

Idiomatic and not naive: lists and tuples, no look-ups that a loop can do without, no checks of what a caller does. Each class is held against the
ruleset of its game, decision by decision (`tests/conformance/yardsticks`). Actions are those of the rulesets; at chance `current_player` is -1.
"""

from __future__ import annotations

import random


class Yardstick:
    """One game: `players` seats; `current_player` is -1 at chance, -4 at the end."""

    name = ""
    players = 2

    def __init__(self) -> None:
        self.current_player = 0
        self.returns = [0] * self.players

    def legal_actions(self) -> list[int]:
        """Actions of whoever acts, ascending; at chance its outcomes, all alike."""
        raise NotImplementedError

    def apply_action(self, action: int) -> None:
        raise NotImplementedError


def play_out(game: Yardstick, rng: random.Random) -> int:
    """Play at random to the end; the number of steps."""
    steps = 0
    choice = rng.choice
    while game.current_player != -4:
        game.apply_action(choice(game.legal_actions()))
        steps += 1
    return steps


class TicTacToe(Yardstick):
    name = "tic_tac_toe"
    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.current_player = 0
        self.returns = [0, 0]

    def legal_actions(self) -> list[int]:
        return [i for i, v in enumerate(self.board) if v is None]

    def apply_action(self, action: int) -> None:
        board, player = self.board, self.current_player
        board[action] = player
        for a, b, c in self.LINES:
            if board[a] == board[b] == board[c] == player:
                self.returns = [1, -1] if player == 0 else [-1, 1]
                self.current_player = -4
                return
        self.current_player = 1 - player if None in board else -4


class ConnectFour(Yardstick):
    name = "connect_four"
    ROWS, COLUMNS = 6, 7

    def __init__(self) -> None:
        self.columns: list[list[int]] = [[] for _ in range(self.COLUMNS)]
        self.stones = 0
        self.current_player = 0
        self.returns = [0, 0]

    def legal_actions(self) -> list[int]:
        return [i for i, column in enumerate(self.columns) if len(column) < self.ROWS]

    def owner(self, column: int, height: int) -> int:
        if 0 <= column < self.COLUMNS and 0 <= height < len(self.columns[column]):
            return self.columns[column][height]
        return -1

    def wins(self, column: int, height: int, player: int) -> bool:
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            count = 1
            for sign in (1, -1):
                x, y = column + sign * dx, height + sign * dy
                while self.owner(x, y) == player:
                    count += 1
                    x, y = x + sign * dx, y + sign * dy
            if count >= 4:
                return True
        return False

    def apply_action(self, action: int) -> None:
        player, column = self.current_player, self.columns[action]
        column.append(player)
        self.stones += 1
        if self.wins(action, len(column) - 1, player):
            self.returns = [1, -1] if player == 0 else [-1, 1]
            self.current_player = -4
        elif self.stones == self.ROWS * self.COLUMNS:
            self.current_player = -4
        else:
            self.current_player = 1 - player


class Breakthrough(Yardstick):
    name = "breakthrough"
    SIZE = 8

    def __init__(self) -> None:
        n = self.SIZE
        self.board: list[int | None] = [1] * (2 * n) + [None] * (n * (n - 4)) + [0] * (2 * n)
        self.pawns = [2 * n, 2 * n]
        self.current_player = 0
        self.returns = [0, 0]
        self.moves = self.find_moves()

    def find_moves(self) -> list[tuple[int, int]]:
        board, player, n = self.board, self.current_player, self.SIZE
        moves = []
        for cell, owner in enumerate(board):
            if owner != player:
                continue
            row, column = divmod(cell, n)
            row += -1 if player == 0 else 1
            if not 0 <= row < n:
                continue
            for step in (-1, 0, 1):
                if 0 <= column + step < n:
                    target = row * n + column + step
                    if board[target] is None or (step and board[target] != player):
                        moves.append((cell, target))
        return moves

    def legal_actions(self) -> list[int]:
        return list(range(len(self.moves)))

    def apply_action(self, action: int) -> None:
        source, target = self.moves[action]
        player = self.current_player
        if self.board[target] is not None:
            self.pawns[1 - player] -= 1
        self.board[source], self.board[target] = None, player
        if target // self.SIZE == (0 if player == 0 else self.SIZE - 1) or not self.pawns[1 - player]:
            self.returns = [1, -1] if player == 0 else [-1, 1]
            self.current_player = -4
            return
        self.current_player = 1 - player
        self.moves = self.find_moves()


class Blackmore(Yardstick):
    """With the default parameters: nine numbers, six cards each, the descending side, the dominant card may always change."""

    name = "witches_of_blackmore"
    NUMBERS, COLOURS, HAND = 9, 6, 6

    def __init__(self, players: int = 2) -> None:
        self.players = players
        self.deck = list(range(self.NUMBERS * self.COLOURS))
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.played: dict[int, int] = {}
        self.dominant: list[int] = []
        self.points = [0] * players
        self.leader = 0
        self.lead: int | None = None
        self.wheel, self.colour = 1, -1
        self.final = False
        self.dealing: list[int] = []  # who is still to get a card; -1 is the dominant pile
        self.order: list[int] = []  # who is still to play in this trick
        self.phase = "first"
        self.current_player = -1
        self.returns = [0] * players

    def legal_actions(self) -> list[int]:
        if self.phase == "first":
            return list(range(self.players))
        if self.phase == "deal":
            return self.deck
        if self.phase == "play":
            return sorted(self.hands[self.current_player])
        return [0, *sorted(card + 1 for card in self.played.values())]

    def apply_action(self, action: int) -> None:
        if self.phase == "first":
            self.leader = action
            self.dealing = [p for p in self.clockwise(action) for _ in range(self.HAND)] + [-1]
            self.deal()
        elif self.phase == "deal":
            self.give(action)
            self.deal()
        elif self.phase == "play":
            player = self.current_player
            self.hands[player].remove(action)
            self.played[player] = action
            if self.lead is None:
                self.lead = action // self.NUMBERS
            self.next_card()
        else:
            if action:
                card = action - 1
                player = next(p for p, c in self.played.items() if c == card)
                del self.played[player]
                self.dominant.append(card)
                self.look()
            self.collect()

    def clockwise(self, player: int) -> list[int]:
        return [(player + i) % self.players for i in range(self.players)]

    def look(self) -> None:
        """The dominant colour and the Wheel follow the top of the dominant pile."""
        if self.dominant:
            self.colour, number = divmod(self.dominant[-1], self.NUMBERS)
            self.wheel = number + 1
        else:
            self.colour = -1

    def give(self, card: int) -> None:
        """A card of the deck to whoever is next."""
        self.deck.remove(card)
        to = self.dealing.pop(0)
        if to < 0:
            self.dominant.append(card)
            self.look()
        else:
            self.hands[to].append(card)

    def deal(self) -> None:
        """Give cards until chance has to say which."""
        while self.dealing:
            if len(self.deck) > 1:
                self.phase, self.current_player = "deal", -1
                return
            if self.deck:
                self.give(self.deck[0])
            else:
                to = self.dealing.pop(0)
                if self.dominant:
                    self.hands[to].append(self.dominant.pop())
                    self.look()
        self.final = not self.deck
        self.next_trick()

    def next_trick(self) -> None:
        if not any(self.hands):
            best = max(self.points)
            winners = [p for p in range(self.players) if self.points[p] == best]
            if len(winners) < self.players:
                self.returns = [1 if p in winners else -1 for p in range(self.players)]
            self.current_player = -4
            return
        self.leader = next(p for p in self.clockwise(self.leader) if self.hands[p])
        self.order = [p for p in self.clockwise(self.leader) if self.hands[p]]
        self.lead = None
        self.next_card()

    def next_card(self) -> None:
        if self.order:
            self.phase, self.current_player = "play", self.order.pop(0)
            return
        n, best, winner = self.NUMBERS, 0, -1
        wanted = self.colour if any(c // n == self.colour for c in self.played.values()) else self.lead
        for player, card in self.played.items():
            colour, number = divmod(card, n)
            if colour == wanted:
                rank = n - (self.wheel - number - 1) % n
                if rank > best:
                    best, winner = rank, player
        self.leader = winner
        self.phase, self.current_player = "change", winner

    def collect(self) -> None:
        self.points[self.leader] += sum(card % self.NUMBERS + 1 for card in self.played.values())
        self.played = {}
        if self.final:
            self.next_trick()
        else:
            self.dealing = self.clockwise(self.leader)
            self.deal()


YARDSTICKS: dict[str, type[Yardstick]] = {c.name: c for c in (TicTacToe, ConnectFour, Breakthrough, Blackmore)}
