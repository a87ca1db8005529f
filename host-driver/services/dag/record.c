/* SPDX-License-Identifier: Apache-2.0 */
/* Records of nodes as bytes: numbers are little endian, texts have their length and a NUL. */
#include <stdlib.h>
#include <string.h>

#include "record.h"

static const uint32_t record_magic = 0x48414454;

enum { ROOM = 512 };

/* ---- joins: a tree of words, from the bits of the predecessors up to one word */

uint32_t record_join_words(uint32_t ins)
{
    uint32_t words = 0;

    for (uint32_t level = ins; level > 0; level = level > 1 ? dag_words(level) : 0) {
        if (level == 1 && words > 0)
            break;
        words += dag_words(level);
    }
    return words;
}

uint8_t record_path(uint32_t first, uint32_t ins, uint32_t number, struct dag_bit *path)
{
    uint32_t base = first, level = ins;
    uint8_t levels = 0;

    do {
        path[levels].join = base + number / DAG_BITS;
        path[levels].bit = (uint16_t)(number % DAG_BITS);
        base += dag_words(level);
        number /= DAG_BITS;
        level = dag_words(level);
        levels++;
    } while (level > 1 && levels < DAG_LEVELS);
    return levels;
}

/* ---- writing */

struct writer {
    uint8_t *memory;
    size_t used, room;
    bool failed;
};

static void put(struct writer *w, const void *bytes, size_t count)
{
    if (w->failed || count == 0)
        return;
    if (w->used + count > w->room) {
        size_t room = (w->used + count) * 2 + ROOM;
        uint8_t *grown = realloc(w->memory, room);

        w->failed = !grown;
        if (!grown)
            return;
        w->memory = grown;
        w->room = room;
    }
    memcpy(w->memory + w->used, bytes, count);
    w->used += count;
}

static void put_number(struct writer *w, uint32_t number)
{
    const uint8_t bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 24)};

    put(w, bytes, sizeof(bytes));
}

static void put_text(struct writer *w, const char *text)
{
    size_t length = strlen(text);

    put_number(w, (uint32_t)length);
    put(w, text, length + 1);
}

static void put_needs(struct writer *w, const struct graph_node *node)
{
    uint32_t count = 0;

    for (const struct graph_need *need = node->needs; need; need = need->next)
        count++;
    put_number(w, count);
    for (const struct graph_need *need = node->needs; need; need = need->next) {
        put_number(w, need->resource);
        put_number(w, need->units);
    }
}

static void put_tasks(struct writer *w, const struct graph_node *node)
{
    put_number(w, node->count);
    for (unsigned i = 0; i < node->count; i++) {
        const struct graph_task *task = &node->tasks[i];

        put_number(w, task->command != NULL);
        put_text(w, task->command ? task->command : task->function);
        put_number(w, task->limit_ms);
        put_number(w, task->tries ? task->tries : 1);
        put_number(w, task->arg_bytes);
        put(w, task->arg, task->arg_bytes);
    }
}

static void put_ins(struct writer *w, const struct tern_dag *dag, const struct graph_node *node)
{
    put_number(w, node->ins);
    for (uint32_t i = node->first_in; i != GRAPH_NONE; i = dag->edges[i].next_in) {
        put_number(w, dag->edges[i].from);
        put_number(w, dag->edges[i].kind);
        put_text(w, dag->edges[i].what);
    }
}

static void put_outs(struct writer *w, const struct dag_out *outs, uint32_t count)
{
    put_number(w, count);
    for (uint32_t i = 0; i < count; i++) {
        put_number(w, outs[i].to);
        put_number(w, outs[i].levels);
        for (unsigned k = 0; k < outs[i].levels; k++) {
            put_number(w, outs[i].path[k].join);
            put_number(w, outs[i].path[k].bit);
        }
    }
}

uint8_t *record_write(const struct tern_dag *dag, uint32_t node, uint32_t fan,
                      const struct dag_out *outs, uint32_t out_count, size_t *bytes)
{
    const struct graph_node *from = &dag->nodes[node];
    struct writer w = {.memory = NULL};

    put_number(&w, record_magic);
    put_text(&w, from->name);
    put_number(&w, fan);
    put_number(&w, from->not_before);
    put_needs(&w, from);
    put_tasks(&w, from);
    put_ins(&w, dag, from);
    put_outs(&w, outs, out_count);
    *bytes = w.used;
    if (w.failed)
        free(w.memory);
    return w.failed ? NULL : w.memory;
}

/* ---- reading */

struct reader {
    uint8_t *at, *end;
    bool failed;
};

static uint8_t *take(struct reader *r, size_t bytes)
{
    uint8_t *at = r->at;

    if (r->failed || (size_t)(r->end - r->at) < bytes) {
        r->failed = true;
        return NULL;
    }
    r->at += bytes;
    return at;
}

static uint32_t take_number(struct reader *r)
{
    const uint8_t *at = take(r, 4);

    return at ? (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
                    (uint32_t)at[3] << 24
              : 0;
}

static const char *take_text(struct reader *r)
{
    uint32_t length = take_number(r);
    const char *text = (const char *)take(r, (size_t)length + 1);

    if (text && text[length] != '\0')
        r->failed = true;
    return text && !r->failed ? text : "";
}

/* Makes an array of as many objects as the next number tells, each of `least` bytes in the text. */
static void *take_array(struct reader *r, uint32_t *count, size_t size, size_t least)
{
    void *array;

    *count = take_number(r);
    if (r->failed || *count > (size_t)(r->end - r->at) / least) {
        r->failed = true;
        *count = 0;
    }
    array = calloc(*count ? *count : 1, size);
    if (!array) {
        r->failed = true;
        *count = 0;
    }
    return array;
}

static void read_tasks(struct reader *r, struct dag_record *record)
{
    record->tasks = take_array(r, &record->task_count, sizeof(*record->tasks), 20);
    for (uint32_t i = 0; i < record->task_count; i++) {
        struct dag_task *task = &record->tasks[i];

        task->command = take_number(r) != 0;
        task->text = take_text(r);
        task->limit_ms = take_number(r);
        task->tries = take_number(r);
        task->arg_bytes = take_number(r);
        task->arg = take(r, task->arg_bytes);
    }
}

static void read_ins(struct reader *r, struct dag_record *record)
{
    record->ins = take_array(r, &record->in_count, sizeof(*record->ins), 13);
    for (uint32_t i = 0; i < record->in_count; i++) {
        record->ins[i].from = take_number(r);
        record->ins[i].kind = (enum tern_constraint)take_number(r);
        record->ins[i].what = take_text(r);
    }
}

static void read_outs(struct reader *r, struct dag_record *record)
{
    record->outs = take_array(r, &record->out_count, sizeof(*record->outs), 16);
    for (uint32_t i = 0; i < record->out_count; i++) {
        struct dag_out *out = &record->outs[i];
        uint32_t levels;

        out->to = take_number(r);
        levels = take_number(r);
        if (levels > DAG_LEVELS)
            r->failed = true;
        out->levels = (uint8_t)(r->failed ? 0 : levels);
        for (unsigned k = 0; k < out->levels; k++) {
            out->path[k].join = take_number(r);
            out->path[k].bit = (uint16_t)take_number(r);
        }
    }
}

int record_read(struct dag_record *record, uint8_t *memory, size_t bytes)
{
    struct reader r = {.at = memory, .end = memory + bytes};

    *record = (struct dag_record){.memory = memory};
    r.failed = take_number(&r) != record_magic;
    record->name = take_text(&r);
    record->fan = take_number(&r);
    record->not_before = take_number(&r);
    record->needs = take_array(&r, &record->need_count, sizeof(*record->needs), 8);
    for (uint32_t i = 0; i < record->need_count; i++) {
        record->needs[i].resource = take_number(&r);
        record->needs[i].units = take_number(&r);
    }
    read_tasks(&r, record);
    read_ins(&r, record);
    read_outs(&r, record);
    if (!r.failed && r.at == r.end)
        return 0;
    record_free(record);
    return -TERN_ST_PROTOCOL;
}

void record_free(struct dag_record *record)
{
    free(record->needs);
    free(record->tasks);
    free(record->ins);
    free(record->outs);
    free(record->memory);
    *record = (struct dag_record){.memory = NULL};
}
