"""The Witches of Blackmore by hand."""

from __future__ import annotations

from _yardsticks.base import Yardstick


class Blackmore(Yardstick):
    """With the default parameters: nine numbers, six cards each, the descending side, the dominant card may
    always change.
    """

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
