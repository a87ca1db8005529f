/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attempts: inputs and outputs of tasks. An output is a record of the cache with the attempt in its
 * key. Its key becomes known by the commit of that attempt, so other attempts' outputs are never
 * read.
 */
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum {
    FIRST_ROOM = 512,
    GETS = 32,         /* in one exchange */
    SET_EXCHANGES = 4, /* of a set, see tern/cache.h */
};

int attempt_get(struct tern_run *run, const char *key, size_t key_bytes, uint8_t **bytes,
                uint64_t *length)
{
    struct tern_item item = {.room = FIRST_ROOM};
    int status;

    do {
        uint8_t *grown = realloc(item.value, item.room);

        if (!grown) {
            free(item.value);
            return -TERN_ST_NO_MEMORY;
        }
        item.value = grown;
        status = tern_cache_get(run->cache, key, key_bytes, &item);
        if (status == -TERN_ST_BAD_SIZE)
            item.room = item.bytes;
    } while (status == -TERN_ST_BAD_SIZE);
    run->counts.exchanges++;
    if (status)
        free(item.value);
    *bytes = status ? NULL : item.value;
    *length = status ? 0 : item.bytes;
    return status;
}

/* ---- inputs */

static bool is_skipped(enum dag_node_state state)
{
    return state == NODE_SKIP || state == NODE_OVER_SKIPPED;
}

/* The keys that one exchange gets, and their items. */
struct many {
    struct tern_cache_key key[GETS];
    struct tern_item item[GETS];
    struct dag_input *input[GETS];
    int status[GETS];
    char text[GETS][RECORD_KEY];
    unsigned count;
};

/* A value that had no room is got alone. */
static int take_input(struct tern_run *run, struct many *m, unsigned i)
{
    struct dag_input *input = m->input[i];

    input->bytes = m->item[i].value;
    input->length = m->status[i] ? 0 : m->item[i].bytes;
    if (m->status[i] == 0 || m->status[i] == -TERN_ST_NOT_FOUND)
        return 0;
    free(input->bytes);
    input->bytes = NULL;
    if (m->status[i] != -TERN_ST_BAD_SIZE)
        return m->status[i];
    return attempt_get(run, m->key[i].bytes, m->key[i].length, &input->bytes, &input->length);
}

static int get_inputs(struct tern_run *run, struct many *m)
{
    int status = tern_cache_mget(run->cache, m->key, m->item, m->status, m->count), taken = 0;

    run->counts.exchanges++;
    for (unsigned i = 0; i < m->count; i++) {
        if (status < 0)
            m->status[i] = status;
        taken = taken ? taken : take_input(run, m, i);
    }
    m->count = 0;
    return taken;
}

/* Adds an input to the next exchange. */
static int add_input(struct tern_run *run, struct dag_input *input, struct many *m)
{
    struct dag_state state = dag_state_unpack(input->state);
    unsigned i = m->count;

    input->skipped = is_skipped(state.state);
    if (input->skipped)
        return 0;
    m->input[i] = input;
    m->key[i].length = run_output_key(run, input->from, state.step, state.attempt, m->text[i]);
    m->key[i].bytes = m->text[i];
    m->item[i] = (struct tern_item){.value = malloc(FIRST_ROOM), .room = FIRST_ROOM};
    if (!m->item[i].value)
        return -TERN_ST_NO_MEMORY;
    m->count++;
    return m->count == GETS ? get_inputs(run, m) : 0;
}

static bool fails(const struct dag_input *input)
{
    if (input->skipped)
        return true;
    return input->kind == TERN_IF && (strlen(input->what) != input->length ||
                                      memcmp(input->what, input->bytes, input->length) != 0);
}

int attempt_inputs(struct tern_attempt *a, bool *skip)
{
    struct many *m = calloc(1, sizeof(*m));
    int status = m ? 0 : -TERN_ST_NO_MEMORY;

    *skip = false;
    for (unsigned i = 0; i < a->input_count && !status; i++)
        status = add_input(a->run, &a->inputs[i], m);
    if (!status && m->count)
        status = get_inputs(a->run, m);
    for (unsigned i = 0; m && i < m->count; i++)
        free(m->item[i].value);
    for (unsigned i = 0; i < a->input_count && !status; i++)
        *skip |= fails(&a->inputs[i]);
    free(m);
    return status;
}

/*
 * Earlier attempts may have left outputs of the last committed task that they did not commit; no
 * attempt after the one that committed it has run that task. So the newest one counts.
 */
int attempt_resume(struct tern_attempt *a)
{
    int status = -TERN_ST_NOT_FOUND;
    char key[RECORD_KEY];

    for (unsigned old = a->attempt; a->step > 0 && old-- > 0 && status == -TERN_ST_NOT_FOUND;)
        status = attempt_get(a->run, key, run_output_key(a->run, a->node, a->step, old, key),
                             &a->before, &a->before_bytes);
    return status == -TERN_ST_NOT_FOUND ? 0 : status;
}

/* ---- outputs */

int attempt_store(struct tern_attempt *a)
{
    struct tern_item item = {.value = a->output, .bytes = a->output_bytes};
    char key[RECORD_KEY];
    size_t length = run_output_key(a->run, a->node, a->step + 1, a->attempt, key);
    int status = 0;

    if (a->has_output) {
        status = tern_cache_set(a->run->cache, key, length, &item, TERN_ALWAYS);
        a->run->counts.exchanges += SET_EXCHANGES;
    }
    if (status)
        return status;
    free(a->before);
    a->before = a->output;
    a->before_bytes = a->output_bytes;
    a->output = NULL;
    a->output_bytes = 0;
    a->has_output = false;
    return 0;
}

void attempt_free(struct tern_attempt *a)
{
    for (unsigned i = 0; i < a->input_count; i++)
        free(a->inputs[i].bytes);
    free(a->inputs);
    free(a->before);
    free(a->output);
}

/* ---- for functions */

const char *tern_attempt_node(const struct tern_attempt *a)
{
    return a->record->name;
}

const void *tern_attempt_before(const struct tern_attempt *a, uint64_t *bytes)
{
    *bytes = a->before_bytes;
    return a->before;
}

const void *tern_attempt_input(const struct tern_attempt *a, unsigned index, const char **from,
                               uint64_t *bytes)
{
    for (unsigned i = 0; i < a->input_count; i++) {
        if (a->inputs[i].kind != TERN_DATA || index-- > 0)
            continue;
        if (from)
            *from = a->inputs[i].what;
        *bytes = a->inputs[i].length;
        return a->inputs[i].bytes ? (const void *)a->inputs[i].bytes : "";
    }
    *bytes = 0;
    return NULL;
}

int tern_attempt_output(struct tern_attempt *a, const void *bytes, uint64_t length)
{
    uint8_t *copy;

    if (length > tern_cache_limits(a->run->cache).value_bytes)
        return -TERN_ST_BAD_LENGTH;
    copy = malloc(length ? length : 1);
    if (!copy)
        return -TERN_ST_NO_MEMORY;
    if (length)
        memcpy(copy, bytes, length);
    free(a->output);
    a->output = copy;
    a->output_bytes = length;
    a->has_output = true;
    return 0;
}

bool tern_attempt_lost(struct tern_attempt *a)
{
    a->lost |= run_renew(a->run) != 0;
    return a->lost;
}
