"""Connect Four by hand."""

from __future__ import annotations

from _yardsticks.base import Yardstick


class ConnectFour(Yardstick):
    ROWS, COLUMNS = 6, 7

    def __init__(self, players: int = 2) -> None:
        self.players = players
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
