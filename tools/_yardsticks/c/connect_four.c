/* Connect Four, 6 rows and 7 columns. */
enum { ROWS = 6, COLUMNS = 7 };

typedef struct {
    int current_player, returns[2], stones, height[COLUMNS], offers[COLUMNS];
    signed char owner[COLUMNS][ROWS];
} Game;

static void start(Game *g, int players) {
    (void)players;
    g->current_player = 0;
    g->returns[0] = g->returns[1] = 0;
    g->stones = 0;
    for (int x = 0; x < COLUMNS; x++) {
        g->height[x] = 0;
        for (int y = 0; y < ROWS; y++) g->owner[x][y] = -1;
    }
}

static const int *legal(Game *g, int *count) {
    int n = 0;
    for (int x = 0; x < COLUMNS; x++)
        if (g->height[x] < ROWS) g->offers[n++] = x;
    *count = n;
    return g->offers;
}

static int run(const Game *g, int x, int y, int dx, int dy, int player) {
    int n = 0;
    for (x += dx, y += dy; x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && g->owner[x][y] == player; x += dx, y += dy) n++;
    return n;
}

static void apply(Game *g, int x) {
    static const int DIRECTIONS[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    int player = g->current_player, y = g->height[x]++;
    g->owner[x][y] = (signed char)player;
    g->stones++;
    for (int i = 0; i < 4; i++) {
        int dx = DIRECTIONS[i][0], dy = DIRECTIONS[i][1];
        if (run(g, x, y, dx, dy, player) + run(g, x, y, -dx, -dy, player) >= 3) {
            g->returns[player] = 1;
            g->returns[1 - player] = -1;
            g->current_player = -4;
            return;
        }
    }
    g->current_player = g->stones < ROWS * COLUMNS ? 1 - player : -4;
}

#include "yardstick.h"
