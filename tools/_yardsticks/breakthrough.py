"""Breakthrough, 8×8, by hand."""

from __future__ import annotations

from _yardsticks.base import Yardstick


class Breakthrough(Yardstick):
    SIZE = 8

    def __init__(self, players: int = 2) -> None:
        self.players = players
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
