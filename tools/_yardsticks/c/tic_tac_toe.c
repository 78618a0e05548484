/* Tic-tac-toe. */
typedef struct {
    int current_player, returns[2], free, board[9], offers[9];
} Game;

static const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};

static void start(Game *g, int players) {
    (void)players;
    g->current_player = 0;
    g->returns[0] = g->returns[1] = 0;
    g->free = 9;
    for (int i = 0; i < 9; i++) g->board[i] = -1;
}

static const int *legal(Game *g, int *count) {
    int n = 0;
    for (int i = 0; i < 9; i++) {
        g->offers[n] = i;
        n += g->board[i] < 0;
    }
    *count = n;
    return g->offers;
}

static void apply(Game *g, int action) {
    int player = g->current_player, *board = g->board;
    board[action] = player;
    for (int i = 0; i < 8; i++) {
        const int *line = LINES[i];
        if (board[line[0]] == player && board[line[1]] == player && board[line[2]] == player) {
            g->returns[player] = 1;
            g->returns[1 - player] = -1;
            g->current_player = -4;
            return;
        }
    }
    g->current_player = --g->free ? 1 - player : -4;
}

#include "yardstick.h"
