/* SPDX-License-Identifier: Apache-2.0
 *
 * A program with typical work: CRC over a buffer, a sorted linked list, a small matrix product, a
 * state machine over text, sorting. Built -O2 it is the project's own measure of cycles per
 * instruction (`make core-run ELF=build/core/work.elf`).
 *
 * Every stage has a known result; main returns the number of the stage that failed.
 */
#include <stdint.h>
#include <string.h>

enum { BYTES = 1024, NODES = 64, DIM = 12, WORDS = 200, ROUNDS = 4 };

struct node {
    struct node *next;
    uint16_t key, payload;
};

static uint8_t buffer[BYTES];
static struct node nodes[NODES];
static int16_t left[DIM][DIM], right[DIM][DIM];
static int32_t result[DIM][DIM];
static uint32_t words[WORDS];

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static uint32_t crc32c(const uint8_t *data, uint32_t byte_len)
{
    uint32_t crc = ~0u;

    while (byte_len-- != 0) {
        crc ^= *data++;
        for (int i = 0; i < 8; i++)
            crc = crc & 1 ? crc >> 1 ^ 0x82f63b78u : crc >> 1;
    }
    return ~crc;
}

/* Inserts every node in order of its key, then walks the list: keys must ascend. */
static uint32_t list_work(uint32_t seed)
{
    struct node *head = NULL;
    uint32_t sum = 0, last = 0;

    for (int i = 0; i < NODES; i++) {
        struct node *n = &nodes[i], **at = &head;

        n->key = (uint16_t)next_random(&seed);
        n->payload = (uint16_t)i;
        while (*at != NULL && (*at)->key < n->key)
            at = &(*at)->next;
        n->next = *at;
        *at = n;
    }
    for (struct node *n = head; n != NULL; n = n->next) {
        if (n->key < last)
            return 0;
        last = n->key;
        sum += n->payload;
    }
    return sum;
}

/* A circulant matrix times its transpose has equal row sums: the square of a row's sum. */
static int matrix_work(void)
{
    int32_t row = DIM * (DIM + 1) / 2;

    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++)
            left[i][j] = right[j][i] = (int16_t)((i + j) % DIM + 1);
    for (int i = 0; i < DIM; i++)
        for (int j = 0; j < DIM; j++) {
            int32_t sum = 0;

            for (int k = 0; k < DIM; k++)
                sum += left[i][k] * right[k][j];
            result[i][j] = sum;
        }
    for (int i = 0; i < DIM; i++) {
        int32_t sum = 0;

        for (int j = 0; j < DIM; j++)
            sum += result[i][j];
        if (sum != row * row)
            return 0;
    }
    return 1;
}

enum state { START, SIGN, INT, POINT, FRACTION, BAD, STATES };

static enum state step(enum state s, char c)
{
    int digit = c >= '0' && c <= '9';

    switch (s) {
    case START: return digit ? INT : c == '-' || c == '+' ? SIGN : BAD;
    case SIGN: return digit ? INT : BAD;
    case INT: return digit ? INT : c == '.' ? POINT : BAD;
    case POINT: return digit ? FRACTION : BAD;
    case FRACTION: return digit ? FRACTION : BAD;
    default: return BAD;
    }
}

/* Counts the numbers in a text by kind; commas separate the fields. */
static uint32_t text_work(const char *text)
{
    uint32_t seen[STATES] = { 0 };
    enum state s = START;

    for (;; text++) {
        if (*text != ',' && *text != '\0') {
            s = step(s, *text);
            continue;
        }
        seen[s]++;
        s = START;
        if (*text == '\0')
            return seen[INT] << 16 | seen[FRACTION] << 8 | seen[BAD];
    }
}

static int sort_work(uint32_t seed)
{
    for (int i = 0; i < WORDS; i++)
        words[i] = next_random(&seed);
    for (int gap = WORDS / 2; gap > 0; gap /= 2)
        for (int i = gap; i < WORDS; i++) {
            uint32_t x = words[i];
            int j = i;

            for (; j >= gap && words[j - gap] > x; j -= gap)
                words[j] = words[j - gap];
            words[j] = x;
        }
    for (int i = 1; i < WORDS; i++)
        if (words[i - 1] > words[i])
            return 0;
    return 1;
}

static int one_round(uint32_t seed)
{
    memcpy(buffer, "123456789", 9);
    if (crc32c(buffer, 9) != 0xe3069283u)
        return 2;
    for (int i = 0; i < BYTES; i++)
        buffer[i] = 0;
    if (crc32c(buffer, 32) != 0x8a9136aau)
        return 3;
    if (list_work(seed) != NODES * (NODES - 1) / 2)
        return 4;
    if (!matrix_work())
        return 5;
    if (text_work("12,-7,3.25,+1.,x,44.5,-,9,0.125,1.2.3,77") != (4u << 16 | 3u << 8 | 2u))
        return 6;
    if (!sort_work(seed))
        return 7;
    return 0;
}

int main(void)
{
    int bad = 0;

    for (uint32_t round = 0; round < ROUNDS && bad == 0; round++)
        bad = one_round(round * 7919 + 1);
    return bad;
}
