/* SPDX-License-Identifier: Apache-2.0 */
/* Lists: built in random order, searched, reversed, merge-sorted by two orders, thinned out. */
#include "mix.h"

#include <stddef.h>

enum { NODES = 48, SEARCHES = 24, ROUNDS = 6 };

struct node {
    struct node *next;
    int16_t key, place;
};

typedef int (*order)(const struct node *a, const struct node *b);

static struct node nodes[NODES];

static int by_key(const struct node *a, const struct node *b)
{
    return a->key - b->key;
}

static int by_place(const struct node *a, const struct node *b)
{
    return a->place - b->place;
}

static struct node *build(uint32_t *seed)
{
    struct node *head = NULL;

    for (int i = 0; i < NODES; i++) {
        nodes[i].key = (int16_t)(mix_random(seed) & 0x3ff);
        nodes[i].place = (int16_t)i;
        nodes[i].next = head;
        head = &nodes[i];
    }
    return head;
}

static const struct node *find(const struct node *list, int16_t key)
{
    while (list != NULL && list->key != key)
        list = list->next;
    return list;
}

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;

    while (list != NULL) {
        struct node *next = list->next;

        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

static struct node *merge(struct node *a, struct node *b, order compare)
{
    struct node *head = NULL, **end = &head;

    while (a != NULL && b != NULL) {
        struct node **from = compare(a, b) <= 0 ? &a : &b;

        *end = *from;
        end = &(*from)->next;
        *from = *end;
    }
    *end = a != NULL ? a : b;
    return head;
}

/* Merges runs of 1, 2, 4, ... nodes; `runs[i]` is empty or holds 2^i of them. */
static struct node *sort(struct node *list, order compare)
{
    struct node *runs[8] = { NULL }, *all = NULL;

    while (list != NULL) {
        struct node *one = list;
        unsigned i = 0;

        list = list->next;
        one->next = NULL;
        for (; runs[i] != NULL; i++) {
            one = merge(runs[i], one, compare);
            runs[i] = NULL;
        }
        runs[i] = one;
    }
    for (unsigned i = 0; i < 8; i++)
        if (runs[i] != NULL)
            all = merge(runs[i], all, compare);
    return all;
}

/* Removes every third node from the list and adds up the others. */
static uint32_t thin_out(struct node *list, uint32_t sum)
{
    unsigned i = 0;

    for (struct node **at = &list; *at != NULL; i++) {
        if (i % 4 == 3) {
            *at = (*at)->next;
            continue;
        }
        sum = mix_into(sum, (uint32_t)(*at)->key << 16 | (uint16_t)(*at)->place);
        at = &(*at)->next;
    }
    return sum;
}

uint32_t mix_list(uint32_t seed)
{
    uint32_t sum = 0;

    for (int round = 0; round < ROUNDS; round++) {
        struct node *list = build(&seed);

        for (int i = 0; i < SEARCHES; i++) {
            const struct node *found = find(list, (int16_t)(mix_random(&seed) & 0x3ff));

            sum = mix_into(sum, found != NULL ? (uint16_t)found->place : 0xffff);
        }
        list = sort(reverse(list), by_key);
        sum = mix_into(sum, (uint16_t)list->key);
        list = reverse(sort(list, by_place));
        sum = thin_out(list, sum);
    }
    return sum;
}
