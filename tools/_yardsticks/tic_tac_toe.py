"""Tic-tac-toe by hand."""

from __future__ import annotations

from _yardsticks.base import Yardstick


class TicTacToe(Yardstick):
    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self, players: int = 2) -> None:
        self.players = players
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
