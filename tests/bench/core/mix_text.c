/* SPDX-License-Identifier: Apache-2.0 */
/* A state machine that parses a text of numbers and words with errors. */
#include "mix.h"

#include <stdbool.h>

enum { BYTES = 768, ROUNDS = 9 };

enum state {
    START,
    SIGN,
    INTEGER,
    HEX_BEGIN,
    HEX,
    FRACTION,
    EXPONENT_BEGIN,
    EXPONENT,
    WORD,
    WRONG,
    STATES
};

static char text[BYTES];
static uint16_t ends[STATES], steps[STATES];

static const char *const fields[] = { "1024",  "-7",     "0x1f3c", "3.1416", "+2.5e-3", "speed",
                                      "-0.25", "0xzz",   "12a",    "torus",  "6.02e23", "99999" };

static void write_text(uint32_t *seed)
{
    uint32_t at = 0;

    while (at < BYTES - 10) {
        const char *field = fields[mix_random(seed) % (sizeof(fields) / sizeof(fields[0]))];

        while (*field != '\0')
            text[at++] = *field++;
        text[at++] = ',';
    }
    text[at] = '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

static bool is_letter(char c)
{
    return c >= 'a' && c <= 'z';
}

static enum state step(enum state s, char c)
{
    switch (s) {
    case START:
        if (is_digit(c))
            return c == '0' ? HEX_BEGIN : INTEGER;
        if (c == '+' || c == '-')
            return SIGN;
        return is_letter(c) ? WORD : WRONG;
    case SIGN:
        return is_digit(c) ? INTEGER : WRONG;
    case HEX_BEGIN:
        if (c == 'x')
            return HEX;
        /* fall through */
    case INTEGER:
        if (c == '.')
            return FRACTION;
        return is_digit(c) ? INTEGER : c == 'e' ? EXPONENT_BEGIN : WRONG;
    case HEX:
        return is_hex(c) ? HEX : WRONG;
    case FRACTION:
        return is_digit(c) ? FRACTION : c == 'e' ? EXPONENT_BEGIN : WRONG;
    case EXPONENT_BEGIN:
        return is_digit(c) || c == '-' ? EXPONENT : WRONG;
    case EXPONENT:
        return is_digit(c) ? EXPONENT : WRONG;
    case WORD:
        return is_letter(c) ? WORD : WRONG;
    default:
        return WRONG;
    }
}

static void take_apart(void)
{
    enum state s = START;

    for (const char *c = text; *c != '\0'; c++) {
        if (*c == ',') {
            ends[s]++;
            s = START;
            continue;
        }
        s = step(s, *c);
        steps[s]++;
    }
}

/* Damages characters at a fixed distance, or restores them. */
static void spoil(uint32_t distance)
{
    for (uint32_t i = 0; i < BYTES && text[i] != '\0'; i += distance)
        if (text[i] != ',')
            text[i] = (char)(text[i] ^ 1);
}

uint32_t mix_text(uint32_t seed)
{
    uint32_t sum = 0;

    for (int s = 0; s < STATES; s++)
        ends[s] = steps[s] = 0;
    write_text(&seed);
    for (int round = 0; round < ROUNDS; round++) {
        spoil(17);
        take_apart();
        for (int s = 0; s < STATES; s++)
            sum = mix_into(sum, (uint32_t)ends[s] << 16 | steps[s]);
    }
    return sum;
}
