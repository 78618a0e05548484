/* Plain C: random games of one game, timed or shown. A yardstick includes this after its `Game` and its rules:

       void start(Game *g, int players);
       const int *legal(Game *g, int *count);     what is on offer, ascending
       void apply(Game *g, int action);

   A game has `current_player` (-1 at chance, -4 at the end) and `returns`.

       PROGRAM time SECONDS PLAYERS               games, steps, seconds
       PROGRAM show GAMES SEED PLAYERS            a line for each step: who acts, what was taken, what was on offer; then the returns
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t word = 88172645463325252u;

/* A number below n, by xorshift64* and a multiplication. */
static inline int below(int n) {
    word ^= word >> 12;
    word ^= word << 25;
    word ^= word >> 27;
    return (int)(((word * 2685821657736338717u >> 32) * (uint64_t)n) >> 32);
}

static long play(int players) {
    Game game;
    long steps = 0;
    start(&game, players);
    while (game.current_player != -4) {
        int count;
        const int *actions = legal(&game, &count);
        apply(&game, actions[below(count)]);
        steps++;
    }
    return steps;
}

static void show(int players) {
    Game game;
    start(&game, players);
    while (game.current_player != -4) {
        int count;
        const int *actions = legal(&game, &count);
        int action = actions[below(count)];
        printf("%d %d", game.current_player, action);
        for (int i = 0; i < count; i++) printf(" %d", actions[i]);
        printf("\n");
        apply(&game, action);
    }
    printf("returns");
    for (int p = 0; p < players; p++) printf(" %d", game.returns[p]);
    printf("\n");
}

/* Seconds of the processor. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int count, char **arguments) {
    if (count == 5 && !strcmp(arguments[1], "show")) {
        word += 1 + strtoull(arguments[3], NULL, 10) * 0x9E3779B97F4A7C15u;
        for (int i = atoi(arguments[2]); i > 0; i--) show(atoi(arguments[4]));
        return 0;
    }
    if (count == 4 && !strcmp(arguments[1], "time")) {
        double begun = now(), spent = 0, wanted = atof(arguments[2]);
        long games = 0, steps = 0;
        while (spent < wanted) {
            for (int i = 0; i < 100; i++) steps += play(atoi(arguments[3]));
            games += 100;
            spent = now() - begun;
        }
        printf("%ld %ld %.6f\n", games, steps, spent);
        return 0;
    }
    fprintf(stderr, "usage: %s time SECONDS PLAYERS | show GAMES SEED PLAYERS\n", arguments[0]);
    return 2;
}
