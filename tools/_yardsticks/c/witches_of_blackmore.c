/* The Witches of Blackmore with its default parameters: nine numbers, six colours, six cards each, the descending side, the dominant card may
   always change. A card is colour * NUMBERS + number - 1; lists of cards are kept ascending. */
#include <string.h>

enum { NUMBERS = 9, COLOURS = 6, HAND = 6, CARDS = NUMBERS * COLOURS, SEATS = 6 };
enum { FIRST, DEAL, PLAY, CHANGE };

typedef struct {
    int size, card[CARDS];
} List;

typedef struct {
    int current_player, returns[SEATS], players, phase, leader, lead, wheel, colour, final;
    int points[SEATS], played[SEATS]; /* -1: none */
    List deck, hand[SEATS];
    int dominant[CARDS], dominants;
    int dealing[SEATS * HAND + 1], dealt, to_deal; /* who is still to get a card; -1 is the dominant pile */
    int order[SEATS], turn, turns;                 /* who is still to play in this trick */
    int offers[SEATS + 1];
} Game;

static void next_trick(Game *g);
static void next_card(Game *g);

static void insert(List *list, int card) {
    int i = list->size++;
    for (; i > 0 && list->card[i - 1] > card; i--) list->card[i] = list->card[i - 1];
    list->card[i] = card;
}

static void take(List *list, int card) {
    int i = 0;
    while (list->card[i] != card) i++;
    list->size--;
    memmove(list->card + i, list->card + i + 1, (size_t)(list->size - i) * sizeof(int));
}

/* The dominant colour and the Wheel follow the top of the dominant pile. */
static void look(Game *g) {
    g->colour = -1;
    if (g->dominants) {
        int card = g->dominant[g->dominants - 1];
        g->colour = card / NUMBERS;
        g->wheel = card % NUMBERS + 1;
    }
}

static void give(Game *g, int card) {
    int to = g->dealing[g->dealt++];
    take(&g->deck, card);
    if (to < 0) {
        g->dominant[g->dominants++] = card;
        look(g);
    } else {
        insert(&g->hand[to], card);
    }
}

/* Give cards until chance has to say which. */
static void deal(Game *g) {
    while (g->dealt < g->to_deal) {
        if (g->deck.size > 1) {
            g->phase = DEAL;
            g->current_player = -1;
            return;
        }
        if (g->deck.size) {
            give(g, g->deck.card[0]);
        } else {
            int to = g->dealing[g->dealt++];
            if (g->dominants) {
                insert(&g->hand[to], g->dominant[--g->dominants]);
                look(g);
            }
        }
    }
    g->final = !g->deck.size;
    next_trick(g);
}

static void start(Game *g, int players) {
    memset(g, 0, sizeof *g);
    g->players = players;
    g->deck.size = CARDS;
    for (int i = 0; i < CARDS; i++) g->deck.card[i] = i;
    for (int p = 0; p < players; p++) g->played[p] = -1;
    g->wheel = 1;
    g->colour = g->lead = -1;
    g->phase = FIRST;
    g->current_player = -1;
}

static const int *legal(Game *g, int *count) {
    int n = 0;
    switch (g->phase) {
    case FIRST:
        for (; n < g->players; n++) g->offers[n] = n;
        break;
    case DEAL:
        *count = g->deck.size;
        return g->deck.card;
    case PLAY:
        *count = g->hand[g->current_player].size;
        return g->hand[g->current_player].card;
    default: /* nothing, or a card of the trick */
        g->offers[n++] = 0;
        for (int p = 0; p < g->players; p++) {
            if (g->played[p] < 0) continue;
            int i = n++;
            for (; i > 1 && g->offers[i - 1] > g->played[p] + 1; i--) g->offers[i] = g->offers[i - 1];
            g->offers[i] = g->played[p] + 1;
        }
    }
    *count = n;
    return g->offers;
}

static void end(Game *g) {
    int best = 0, winners = 0;
    for (int p = 0; p < g->players; p++)
        if (g->points[p] > best) best = g->points[p];
    for (int p = 0; p < g->players; p++) winners += g->points[p] == best;
    for (int p = 0; p < g->players; p++) g->returns[p] = winners == g->players ? 0 : g->points[p] == best ? 1 : -1;
    g->current_player = -4;
}

static void next_trick(Game *g) {
    int n = g->players, first = -1;
    g->turn = g->turns = 0;
    for (int i = 0; i < n; i++) {
        int p = (g->leader + i) % n;
        if (!g->hand[p].size) continue;
        if (first < 0) first = p;
        g->order[g->turns++] = p;
    }
    if (first < 0) {
        end(g);
        return;
    }
    g->leader = first;
    g->lead = -1;
    next_card(g);
}

static void next_card(Game *g) {
    if (g->turn < g->turns) {
        g->phase = PLAY;
        g->current_player = g->order[g->turn++];
        return;
    }
    int best = 0, winner = -1, wanted = g->lead;
    for (int p = 0; p < g->players; p++)
        if (g->played[p] >= 0 && g->played[p] / NUMBERS == g->colour) wanted = g->colour;
    for (int p = 0; p < g->players; p++) {
        if (g->played[p] < 0 || g->played[p] / NUMBERS != wanted) continue;
        int rank = NUMBERS - (g->wheel - g->played[p] % NUMBERS - 1 + NUMBERS) % NUMBERS;
        if (rank > best) {
            best = rank;
            winner = p;
        }
    }
    g->leader = winner;
    g->phase = CHANGE;
    g->current_player = winner;
}

static void apply(Game *g, int action) {
    int n = g->players, player = g->current_player;
    switch (g->phase) {
    case FIRST:
        g->leader = action;
        g->dealt = g->to_deal = 0;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < HAND; k++) g->dealing[g->to_deal++] = (action + i) % n;
        g->dealing[g->to_deal++] = -1;
        deal(g);
        break;
    case DEAL:
        give(g, action);
        deal(g);
        break;
    case PLAY:
        take(&g->hand[player], action);
        g->played[player] = action;
        if (g->lead < 0) g->lead = action / NUMBERS;
        next_card(g);
        break;
    default:
        for (int p = 0; p < n; p++) {
            if (g->played[p] < 0) continue;
            if (g->played[p] + 1 == action) {
                g->dominant[g->dominants++] = action - 1;
                look(g);
            } else {
                g->points[g->leader] += g->played[p] % NUMBERS + 1;
            }
            g->played[p] = -1;
        }
        if (g->final) {
            next_trick(g);
        } else {
            g->dealt = g->to_deal = 0;
            for (int i = 0; i < n; i++) g->dealing[g->to_deal++] = (g->leader + i) % n;
            deal(g);
        }
    }
}

#include "yardstick.h"
