/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls from Python: a list of dicts (DS1 of the first table) becomes a packed list of work
 * requests (DS2, and DS1 of the library's table), which becomes descriptors there.
 */
#ifndef TERN_CALLS_PY_H
#define TERN_CALLS_PY_H

#include "tern_py.h"

enum { WAYS = 4, LOG2_SETS = 6, LOG2_SETS_MAX = 16 };

/*
 * A list of dicts as words that are compared, two for each: the dict, and the state that it is in.
 * A dict in the same state has the same keys and the same values.
 */
struct list_words {
    uint64_t fingerprint;
    unsigned requests;
    uint64_t at[2 * TERN_CALL_OPS];
};

/* Work requests and their segments. */
struct packed {
    unsigned requests, segments;
    struct tern_wr wr[TERN_CALL_OPS];
    struct tern_sge sges[TERN_CALL_OPS];
};

/* A list that the table has. */
struct stored_list {
    uint64_t fingerprint;
    uint64_t *at;       /* its words; the packed list lies behind them in the same memory */
    struct tern_wr *wr;
    PyObject *objects;  /* the dicts, so that none comes again, and all that they name */
    unsigned requests;
    bool used;          /* since the hand of its set came by */
};

struct list_counts {
    uint64_t hits, misses, evicted, invalidated, collisions, unlike;
    uint64_t unstored; /* misses whose dicts have values that may change unseen */
};

struct list_table {
    unsigned log2_sets, fingerprint_bits;
    struct stored_list *stored;
    uint8_t *hands;
    struct list_counts counts;
};

/* ---- request.c: false with an error set */

bool list_identify(PyObject *list, struct list_words *words);
bool list_pack(PyObject *list, struct packed *packed);

/* Nothing in the dicts can change unless their state does. */
bool list_is_constant(PyObject *list);

/* A new list of the dicts and of the objects that they name. */
PyObject *list_objects(PyObject *list);

/* Makes the names of keys and operations. */
bool request_names_make(void);

/* ---- lists.c */

bool list_table_make(struct list_table *table, unsigned log2_sets, unsigned fingerprint_bits);
void list_table_free(struct list_table *table);
struct stored_list *list_find(struct list_table *table, const struct list_words *words);

/* Enters a list; NULL when there is no memory, which is no error. */
struct stored_list *list_enter(struct list_table *table, const struct list_words *words,
                               const struct packed *packed, PyObject *list);

/* Drops the lists that name a region that was released. */
void list_sweep(struct list_table *table);

#endif
