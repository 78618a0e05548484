"""Runtime library of printed C files: zones, random streams and digest of the specification, random choice,
`main`; names and data as C.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from croupier.core import operations as op
from croupier.core.types import CoreProgram

HEAD = r"""
#include <inttypes.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE (-(INT64_C(1) << 60))
#define CHANCE (-1)
#define SEVERAL (-2)
#define MOST_OFFERS 65536
#define ADD(a, b) ((int64_t)((uint64_t)(a) + (uint64_t)(b)))
#define SUB(a, b) ((int64_t)((uint64_t)(a) - (uint64_t)(b)))
#define TIMES(a, b) ((int64_t)((uint64_t)(a) * (uint64_t)(b)))
#define SHL(a, b) ((int64_t)((uint64_t)(a) << (b)))
"""

SUPPORT = r"""
static struct state S;
static int64_t R[MOST_RESULTS], action[MOST_OFFERS], weight[MOST_OFFERS];
static int64_t offered, chosen, chosen_seat, fuel, decisions, events, depth;
static jmp_buf over, failed;

static void fail(void) { longjmp(failed, 1); }
static void finish(void) { longjmp(over, 1); }
static void pay(int64_t steps) { if ((fuel -= steps) < 0) fail(); }
static void offer(int64_t a, int64_t w) { if (offered == MOST_OFFERS) fail(); action[offered] = a; weight[offered++] = w; }
static int64_t mul(int64_t a, int64_t b) { int64_t c; if (__builtin_mul_overflow(a, b, &c)) fail(); return c; }
static int64_t divided(int64_t a, int64_t b) { int64_t q = a / b; return q - (a % b != 0 && (a < 0) != (b < 0)); }
static int64_t modulo(int64_t a, int64_t b) { int64_t r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }

/* ---- zones: components from the bottom up; loose: does an unordered part go on above? */
static int64_t find(int64_t z, int64_t c) { int64_t i = 0; while (S.items[z][i] != c) i++; return i; }
static void insert(int64_t z, int64_t i, int64_t c) {
    memmove(&S.items[z][i + 1], &S.items[z][i], (S.length[z] - i) * sizeof S.items[z][0]);
    memmove(&S.loose[z][i + 1], &S.loose[z][i], S.length[z] - i);
    S.items[z][i] = c; S.loose[z][i] = 0; S.length[z]++;
}
static void pushed(int64_t z, int64_t c) { insert(z, S.length[z], c); }
static void removed(int64_t z, int64_t i) {
    int64_t above = --S.length[z] - i;
    if (i) S.loose[z][i - 1] &= S.loose[z][i];
    memmove(&S.items[z][i], &S.items[z][i + 1], above * sizeof S.items[z][0]);
    memmove(&S.loose[z][i], &S.loose[z][i + 1], above);
}
static void truncated(int64_t z, int64_t n) { if (n < S.length[z]) { S.length[z] = n; if (n) S.loose[z][n - 1] = 0; } }
static void sort(int64_t *at, int64_t n, int64_t stride, int64_t keys) {
    int64_t row[stride], size = stride * sizeof *at;
    for (int64_t i = 1; i < n; i++) {
        int64_t j = i, k;
        memcpy(row, at + i * stride, size);
        for (; j; j--) {
            int64_t *below = at + (j - 1) * stride;
            for (k = 0; k < keys - 1 && row[k] == below[k];) k++;
            if (row[k] >= below[k]) break;
            memcpy(below + stride, below, size);
        }
        memcpy(at + j * stride, row, size);
    }
}

/* ---- SHA-256 (FIPS 180-4) */
struct sha { uint32_t h[8], k[64]; uint64_t n; unsigned char block[64]; };
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint32_t root(uint64_t p, int third) { /* 32 bits of the fraction of a square or cube root */
    unsigned __int128 low = 0, high = (unsigned __int128)p << 32;
    while (high - low > 1) {
        unsigned __int128 m = (low + high) / 2;
        int small = third ? m * m * m <= (unsigned __int128)p << 96 : m * m <= (unsigned __int128)p << 64;
        if (small) low = m; else high = m;
    }
    return (uint32_t)low;
}
static void sha_begin(struct sha *s) {
    int n = 0;
    s->n = 0;
    for (uint64_t p = 2; n < 64; p++) {
        int prime = 1;
        for (uint64_t d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (prime) { s->k[n] = root(p, 1); if (n < 8) s->h[n] = root(p, 0); n++; }
    }
}
static void sha_block(struct sha *s) {
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++) w[i] = (uint32_t)s->block[4 * i] << 24 | s->block[4 * i + 1] << 16 | s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t x = w[i - 15], y = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (ror(x, 7) ^ ror(x, 18) ^ x >> 3) + (ror(y, 17) ^ ror(y, 19) ^ y >> 10);
    }
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < 64; i++) {
        uint32_t t = v[7] + (ror(v[4], 6) ^ ror(v[4], 11) ^ ror(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) + s->k[i] + w[i];
        uint32_t u = (ror(v[0], 2) ^ ror(v[0], 13) ^ ror(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += t; v[0] = t + u;
    }
    for (int i = 0; i < 8; i++) s->h[i] += v[i];
}
static void sha_add(struct sha *s, const char *text) {
    for (; *text; text++) { s->block[s->n++ % 64] = (unsigned char)*text; if (s->n % 64 == 0) sha_block(s); }
}
static void sha_end(struct sha *s) {
    uint64_t bits = 8 * s->n;
    s->block[s->n++ % 64] = 128;
    if (s->n % 64 == 0) sha_block(s);
    while (s->n % 64 != 56) { s->block[s->n++ % 64] = 0; if (s->n % 64 == 0) sha_block(s); }
    for (int i = 0; i < 8; i++) s->block[56 + i] = (unsigned char)(bits >> (56 - 8 * i));
    sha_block(s);
}

/* ---- random streams: that of chance first, then one for each seat */
static struct { uint32_t key[2], word[4]; uint64_t taken; } stream[PLAYERS + 1];
static uint64_t game;
static uint32_t next_word(int which) {
    uint64_t place = stream[which].taken++ % 4, block = stream[which].taken / 4;
    if (place == 0) {
        uint32_t a = (uint32_t)block, b = (uint32_t)(block >> 32), c = (uint32_t)game, d = (uint32_t)(game >> 32);
        uint32_t k = stream[which].key[0], l = stream[which].key[1];
        for (int i = 0; i < 10; i++, k += 0x9E3779B9, l += 0xBB67AE85) {
            uint64_t x = UINT64_C(0xD2511F53) * a, y = UINT64_C(0xCD9E8D57) * c;
            a = (uint32_t)(y >> 32) ^ b ^ k; b = (uint32_t)y; c = (uint32_t)(x >> 32) ^ d ^ l; d = (uint32_t)x;
        }
        uint32_t found[4] = {a, b, c, d};
        memcpy(stream[which].word, found, sizeof found);
    }
    return stream[which].word[place];
}
static uint64_t uniform(int which, uint64_t n) {
    int wide = n > UINT64_C(1) << 32;
    if (n == 1) return 0;
    for (;;) {
        uint64_t v = next_word(which);
        if (!wide) {
            if ((uint32_t)(v * n) >= (UINT64_C(1) << 32) % n) return v * n >> 32;
            continue;
        }
        v = v << 32 | next_word(which);
        unsigned __int128 product = (unsigned __int128)v * n;
        if ((uint64_t)product >= (0 - n) % n) return (uint64_t)(product >> 64);
    }
}

/* ---- a random choice among the legal actions */
static void draw(int64_t seat) {
    int64_t n = 0, share = 0, total = 0;
    if (!offered || events >= MOST_EVENTS || decisions >= MOST_DECISIONS) fail();
    if (seat == CHANCE) events++; else decisions++;
    if (seat == SEVERAL) {
        for (int64_t i = 0, first = weight[0]; i < offered; i++) { if (weight[i] < first) first = weight[i]; chosen_seat = first; }
        for (int64_t i = 0; i < offered; i++) if (weight[i] == chosen_seat) action[n++] = action[i];
        offered = n; seat = chosen_seat;
        for (int64_t i = 0; i < n; i++) weight[i] = 1;
    }
    for (int64_t i = 1; i < offered; i++) /* ascending */
        for (int64_t j = i, t; j && action[j] < action[j - 1]; j--) {
            t = action[j]; action[j] = action[j - 1]; action[j - 1] = t;
            t = weight[j]; weight[j] = weight[j - 1]; weight[j - 1] = t;
        }
    if (seat != CHANCE) {
        n = 1;
        for (int64_t i = 1; i < offered; i++) if (action[i] != action[n - 1]) action[n++] = action[i];
        chosen = action[uniform((int)seat + 1, n)];
    } else {
        for (int64_t i = 0; i < offered; i++) {
            int64_t a = weight[i], b = share;
            total += a;
            while (b) { int64_t c = a % b; a = b; b = c; }
            share = a;
        }
        if (!total) fail();
        int64_t left = (int64_t)uniform(0, total / share), i = 0;
        while ((left -= weight[i] / share) >= 0) i++;
        chosen = action[i];
    }
    fuel = FUEL;
}
"""  # noqa: E501 the text as it is read

TAIL = r"""
static void key_of(int which, uint64_t seed) {
    char text[64];
    struct sha s;
    if (which) sprintf(text, "croupier-stream-2 %" PRIu64 " seat %d", seed, which); else sprintf(text, "croupier-stream-2 %" PRIu64 " chance", seed);
    sha_begin(&s); sha_add(&s, text); sha_end(&s);
    stream[which].key[0] = s.h[0]; stream[which].key[1] = s.h[1];
}

int main(int count, char **given) {
    uint64_t games = count > 1 ? strtoull(given[1], 0, 10) : 100, seed = count > 2 ? strtoull(given[2], 0, 10) : 0;
    char text[64];
    struct sha digest;
    sha_begin(&digest);
    for (int k = 0; k <= PLAYERS; k++) key_of(k, seed);
    for (game = 1; game <= games; game++) {
        for (int k = 0; k <= PLAYERS; k++) stream[k].taken = 0;
        S = begin;
        decisions = events = offered = depth = 0;
        fuel = FUEL;
        if (setjmp(failed)) { fprintf(stderr, "game %" PRIu64 " needs the interpreter\n", game); return 1; }
        if (!setjmp(over)) { play(); fail(); }
        sprintf(text, "%" PRIu64 " finished ", game);
        sha_add(&digest, text);
        for (int k = 0; k < PLAYERS; k++) { sprintf(text, "%s%" PRId64, k ? "," : "", S.m_result[RETURNS + k]); sha_add(&digest, text); }
        sprintf(text, " %" PRId64 " %" PRId64 "\n", decisions, events);
        sha_add(&digest, text);
    }
    sha_end(&digest);
    for (int k = 0; k < 8; k++) printf("%08" PRIx32, digest.h[k]);
    printf("\n");
    return 0;
}
"""  # noqa: E501 the text as it is read


def c_name(name: str) -> str:
    """An injective encoding of a name as a C identifier."""
    return re.sub(r"[^A-Za-z0-9]", lambda found: f"_{ord(found[0]):x}_", name)


def initializer(words: Iterable[int]) -> str:
    """Words as an initialiser."""
    return f"{{{', '.join(map(word_literal, words)) or '0'}}}"


def word_literal(value: int) -> str:
    """A word as a literal."""
    if abs(value) < 1 << 31:
        return str(value)
    if value == op.NONE:
        return "NONE"
    return "INT64_MIN" if value == -(1 << 63) else f"INT64_C({value})"


def tables(program: CoreProgram) -> list[str]:
    """The constant tables, and the struct of a position."""
    state = [
        f"    int64_t m_{c_name(m.name)}[{max(1, m.size)}];"
        for m in program.memories.values()
        if not m.constant
    ]
    zones, width = max(1, len(program.zones.capacities)), max(program.zones.capacities, default=0) + 2
    contents = [
        f"    int64_t length[{zones}];",
        f"    int32_t items[{zones}][{width}];",
        f"    char loose[{zones}][{width}];",
    ]
    words = [(m.name, m.initial or (0,) * m.size) for m in program.memories.values() if m.constant]
    return [
        *(f"static const int64_t t_{c_name(name)}[] = {initializer(found)};" for name, found in words),
        "struct state {",
        *state,
        *contents,
        "};",
    ]


def first_position(program: CoreProgram) -> list[str]:
    """The position in which a game starts."""
    words = [(m.name, m.initial) for m in program.memories.values() if not m.constant and any(m.initial)]
    out = [
        "static const struct state begin = {",
        *(f"    .m_{c_name(name)} = {initializer(found)}," for name, found in words),
    ]
    if program.zones.contents:
        loose = [
            [bits >> i & 1 for i in range(len(items))]
            for items, bits in zip(program.zones.contents, program.zones.loose, strict=True)
        ]
        out.append(f"    .length = {initializer(map(len, program.zones.contents))},")
        rows = (("items", program.zones.contents), ("loose", loose))
        out += [f"    .{name} = {{{', '.join(map(initializer, found))}}}," for name, found in rows]
    return [*out, "};"]
