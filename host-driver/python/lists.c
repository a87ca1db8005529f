/* SPDX-License-Identifier: Apache-2.0 */
/* The table of lists: the first of the two tables of a call from Python. */
#include <stdlib.h>

#include "calls_py.h"

static size_t places(const struct list_table *table)
{
    return (size_t)WAYS << table->log2_sets;
}

static void drop(struct stored_list *stored)
{
    PyObject *objects = stored->objects;

    free(stored->at);
    *stored = (struct stored_list){0};
    Py_XDECREF(objects);
}

bool list_table_make(struct list_table *table, unsigned log2_sets, unsigned fingerprint_bits)
{
    if (log2_sets > LOG2_SETS_MAX || fingerprint_bits > 64)
        return py_raise(TERN_ST_BAD_SIZE) != NULL;
    table->log2_sets = log2_sets ? log2_sets : LOG2_SETS;
    table->fingerprint_bits = fingerprint_bits;
    table->stored = calloc(places(table), sizeof(*table->stored));
    table->hands = calloc((size_t)1 << table->log2_sets, 1);
    if (table->stored && table->hands)
        return true;
    return PyErr_NoMemory() != NULL;
}

void list_table_free(struct list_table *table)
{
    for (size_t i = 0; table->stored && i < places(table); i++)
        drop(&table->stored[i]);
    free(table->stored);
    free(table->hands);
    table->stored = NULL;
    table->hands = NULL;
}

static uint64_t cut(const struct list_table *table, uint64_t fingerprint)
{
    unsigned bits = table->fingerprint_bits;

    return bits && bits < 64 ? fingerprint & ((UINT64_C(1) << bits) - 1) : fingerprint;
}

static struct stored_list *set_of(const struct list_table *table, uint64_t fingerprint)
{
    return &table->stored[WAYS * (fingerprint & ((UINT64_C(1) << table->log2_sets) - 1))];
}

struct stored_list *list_find(struct list_table *table, const struct list_words *words)
{
    uint64_t fingerprint = cut(table, words->fingerprint);
    struct stored_list *set = set_of(table, fingerprint);

    for (unsigned way = 0; way < WAYS; way++) {
        struct stored_list *stored = &set[way];

        if (!stored->at || stored->fingerprint != fingerprint)
            continue;
        if (stored->requests == words->requests &&
            memcmp(stored->at, words->at, 2 * words->requests * sizeof(*words->at)) == 0) {
            stored->used = true;
            table->counts.hits++;
            return stored;
        }
        table->counts.collisions++;
    }
    table->counts.misses++;
    return NULL;
}

/* A place for one more, by CLOCK: one used since the hand came by stays. */
static struct stored_list *make_place(struct list_table *table, uint64_t fingerprint)
{
    struct stored_list *set = set_of(table, fingerprint);
    uint8_t *hand = &table->hands[(size_t)(set - table->stored) / WAYS];

    for (unsigned way = 0; way < WAYS; way++) {
        if (!set[way].at)
            return &set[way];
    }
    while (set[*hand].used) {
        set[*hand].used = false;
        *hand = (uint8_t)((*hand + 1) % WAYS);
    }
    set += *hand;
    *hand = (uint8_t)((*hand + 1) % WAYS);
    table->counts.evicted++;
    drop(set);
    return set;
}

/* Copies the packed list to `to`, segments behind the requests. */
static void copy_packed(const struct packed *packed, struct tern_wr *to)
{
    struct tern_sge *sges = (struct tern_sge *)(void *)(to + packed->requests);

    memcpy(sges, packed->sges, packed->segments * sizeof(*sges));
    for (unsigned i = 0; i < packed->requests; i++) {
        to[i] = packed->wr[i];
        to[i].next = i + 1 < packed->requests ? &to[i + 1] : NULL;
        to[i].sges = sges + (packed->wr[i].sges - packed->sges);
    }
}

struct stored_list *list_enter(struct list_table *table, const struct list_words *words,
                               const struct packed *packed, PyObject *list)
{
    uint64_t fingerprint = cut(table, words->fingerprint);
    size_t head = 2 * words->requests * sizeof(*words->at);
    PyObject *objects = list_objects(list);
    uint64_t *memory = malloc(head + packed->requests * sizeof(struct tern_wr) +
                              packed->segments * sizeof(struct tern_sge));
    struct stored_list *stored;

    if (!objects || !memory) {
        PyErr_Clear();
        Py_XDECREF(objects);
        free(memory);
        return NULL;
    }
    stored = make_place(table, fingerprint);
    memcpy(memory, words->at, head);
    *stored = (struct stored_list){.fingerprint = fingerprint, .at = memory,
                                   .wr = (struct tern_wr *)(void *)((uint8_t *)memory + head),
                                   .objects = objects, .requests = packed->requests,
                                   .used = true};
    copy_packed(packed, stored->wr);
    return stored;
}

static bool all_there(PyObject *objects)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(objects); i++) {
        PyObject *object = PyList_GET_ITEM(objects, i);

        if (Py_IS_TYPE(object, &py_region_type) &&
            !((const struct py_region *)(void *)object)->region)
            return false;
    }
    return true;
}

void list_sweep(struct list_table *table)
{
    for (size_t i = 0; i < places(table); i++) {
        struct stored_list *stored = &table->stored[i];

        if (!stored->at || all_there(stored->objects))
            continue;
        table->counts.invalidated++;
        drop(stored);
    }
}
