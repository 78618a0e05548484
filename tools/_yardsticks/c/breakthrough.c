/* Breakthrough, 8 by 8. An action is the place of a move among those on offer. */
enum { SIZE = 8, CELLS = SIZE * SIZE, MOST = 6 * SIZE };

typedef struct {
    int current_player, returns[2], pawns[2], moves, from[MOST], to[MOST];
    signed char board[CELLS];
} Game;

static int NUMBERS[MOST];

static void find_moves(Game *g) {
    int player = g->current_player, ahead = player ? 1 : -1, n = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        if (g->board[cell] != player) continue;
        int row = cell / SIZE + ahead, column = cell % SIZE;
        if (row < 0 || row >= SIZE) continue;
        for (int step = -1; step <= 1; step++) {
            if (column + step < 0 || column + step >= SIZE) continue;
            int target = row * SIZE + column + step, there = g->board[target];
            if (there < 0 || (step && there != player)) {
                g->from[n] = cell;
                g->to[n++] = target;
            }
        }
    }
    g->moves = n;
}

static void start(Game *g, int players) {
    (void)players;
    g->current_player = 0;
    g->returns[0] = g->returns[1] = 0;
    g->pawns[0] = g->pawns[1] = 2 * SIZE;
    for (int i = 0; i < CELLS; i++) g->board[i] = i < 2 * SIZE ? 1 : i < CELLS - 2 * SIZE ? -1 : 0;
    for (int i = 0; i < MOST; i++) NUMBERS[i] = i;
    find_moves(g);
}

static const int *legal(Game *g, int *count) {
    *count = g->moves;
    return NUMBERS;
}

static void apply(Game *g, int action) {
    int from = g->from[action], to = g->to[action], player = g->current_player;
    if (g->board[to] >= 0) g->pawns[1 - player]--;
    g->board[from] = -1;
    g->board[to] = (signed char)player;
    if (to / SIZE == (player ? SIZE - 1 : 0) || !g->pawns[1 - player]) {
        g->returns[player] = 1;
        g->returns[1 - player] = -1;
        g->current_player = -4;
        return;
    }
    g->current_player = 1 - player;
    find_moves(g);
}

#include "yardstick.h"
