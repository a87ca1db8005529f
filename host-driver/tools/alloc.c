/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern alloc: memory of a node for all nodes.
 *
 * `serve` makes a pool with a heap and serves it; `info` shows how the heap of another process is
 * divided, by reads of its words; `stress` takes pieces of random sizes from it, fills them, and
 * gives them back after it has checked each byte.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tern/alloc.h>
#include <tern/read.h>

#include "owner.h"
#include "progress.h"
#include "tool.h"

enum {
    BYTES_DEFAULT = 16 << 20, BYTES_MAX = 1 << 30, HEAD = 1 << 16, MEMBERS = 32, STOCK = 32,
    OPERATIONS_DEFAULT = 10000, PIECES = 64, LARGEST = 1000, CLASSES_MAX = 64, WAIT_MS = 10000,
};

struct alloc_options {
    const char *verb, *uri, *pool;
    uint16_t node;
    bool has_node, literal;
    uint64_t bytes, operations;
    int timeout_ms;
    const char *report;
};

static const struct argp_option options[] = {
    {"bytes", 'b', "BYTES", 0, "serve: how large the heap is (16m)", 0},
    {"node", 'N', "X.Y.Z", 0, "info, stress: where the pool is (the node of URI)", 0},
    {"operations", 'n', "NUMBER", 0, "stress: pieces to take and to give back (10000)", 0},
    {"literal", 'l', 0, 0,
     "stress: by headers, maps and compare-and-swaps, one piece at a time; else by stock", 0},
    {"timeout", 'T', "SECONDS", 0, "serve: end after so long (never)", 0},
    {"report", 'r', "FILE", 0, "stress: write figures to FILE, key=value", 0},
    {0},
};

static void take_node(struct alloc_options *to, const char *text, struct argp_state *state)
{
    const char *end;

    if (tern_node_parse(text, &to->node, &end) || *end)
        argp_error(state, "%s is no node, X.Y.Z", text);
    to->has_node = true;
}

static void take_word(struct alloc_options *to, const char *word, struct argp_state *state)
{
    const char **places[] = {&to->verb, &to->uri, &to->pool};

    if (state->arg_num >= 3)
        argp_error(state, "what is %s?", word);
    *places[state->arg_num] = word;
}

static bool is_verb(const char *word)
{
    return !strcmp(word, "serve") || !strcmp(word, "info") || !strcmp(word, "stress");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct alloc_options *to = state->input;

    switch (key) {
    case 'b':
        to->bytes = tool_number(state, arg, BYTES_MAX);
        return 0;
    case 'N':
        take_node(to, arg, state);
        return 0;
    case 'n':
        to->operations = tool_number(state, arg, UINT32_MAX);
        return 0;
    case 'l':
        to->literal = true;
        return 0;
    case 'T':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case 'r':
        to->report = arg;
        return 0;
    case ARGP_KEY_ARG:
        take_word(to, arg, state);
        return 0;
    case ARGP_KEY_END:
        if (!to->pool || !is_verb(to->verb))
            argp_error(state, "say serve, info or stress, the NIC, and the name of the pool");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- serve */

static int serve_pool(const struct alloc_options *chosen, struct tern_device *device)
{
    const struct tern_pool_config config = {.name = chosen->pool, .bytes = chosen->bytes + HEAD,
                                            .members = MEMBERS};
    struct tern_pool *pool;
    int status = tern_pool_create(device, &config, &pool);

    if (status)
        return tool_fail(status, "cannot make the pool %s", chosen->pool);
    status = tern_heap_make(pool, "heap", chosen->bytes);
    if (!status)
        status = tern_pool_thread(pool);
    if (status) {
        status = tool_fail(status, "cannot serve the pool %s", chosen->pool);
    } else {
        printf("serving %s\n", chosen->pool);
        (void)fflush(stdout);
        status = owner_stay(device, chosen->timeout_ms);
    }
    tern_pool_close(pool);
    return status;
}

static int serve(const struct alloc_options *chosen)
{
    struct tern_device *device;
    int status;

    owner_hold_signals();
    device = tool_open(chosen->uri);
    if (!device)
        return EXIT_BAD;
    status = serve_pool(chosen, device);
    tern_close(device);
    return status;
}

/* ---- a client */

struct client {
    struct tern_device *device;
    struct tern_member *member;
    struct tern_heap *heap;
    uint16_t node;
};

static int join(struct client *c, const struct alloc_options *chosen)
{
    const struct tern_heap_config config = {
        .path = chosen->literal ? TERN_ALLOC_LITERAL : TERN_ALLOC_FAST, .stock = STOCK};
    struct tern_info info;
    int status = tern_query(c->device, &info);

    c->node = chosen->has_node ? chosen->node : info.node;
    if (!status)
        status = tern_member_join(c->device, c->node, chosen->pool, TERN_POOL_WRITE, &c->member);
    if (!status)
        status = tern_heap_open(&c->member, 1, "heap", &config, &c->heap);
    return status ? tool_fail(status, "cannot join the pool %s", chosen->pool) : 0;
}

static int as_client(const struct alloc_options *chosen,
                     int (*work)(struct client *c, const struct alloc_options *chosen))
{
    struct client c = {.device = tool_open(chosen->uri)};
    int status;

    if (!c.device)
        return EXIT_BAD;
    status = join(&c, chosen);
    if (!status)
        status = work(&c, chosen);
    tern_heap_close(c.heap);
    tern_member_quit(c.member);
    tern_close(c.device);
    return status;
}

/* ---- info */

static int info(struct client *c, const struct alloc_options *chosen)
{
    struct tern_heap_class classes[CLASSES_MAX];
    int count = tern_heap_look(c->heap, c->node, classes, CLASSES_MAX);

    if (count < 0)
        return tool_fail(count, "cannot read the heap of %s", chosen->pool);
    printf("%8s %8s %8s %8s\n", "bytes", "blocks", "slabs", "taken");
    for (int i = 0; i < count && i < CLASSES_MAX; i++)
        if (classes[i].blocks)
            printf("%8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 "\n", classes[i].slab_bytes,
                   classes[i].blocks, classes[i].slabs, classes[i].taken);
    return 0;
}

/* ---- stress */

struct piece {
    struct tern_ptr at;
    uint32_t bytes; /* 0: none */
    uint8_t fill;
};

struct stress {
    struct client *client;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t bytes[LARGEST];
    struct piece pieces[PIECES];
    struct progress progress;
};

static int await(struct stress *s, int posted)
{
    struct tern_completion done = {0};

    if (!posted)
        posted = tern_cq_next(s->cq, &done, WAIT_MS);
    return posted ? posted : -(int)done.status;
}

static int take(struct stress *s, struct piece *piece)
{
    uint32_t bytes = 8 + (uint32_t)random() % (LARGEST - 7);
    int status = tern_alloc(s->client->heap, bytes, &piece->at);

    if (status)
        return tool_fail(status, "cannot take %" PRIu32 " bytes", bytes);
    piece->bytes = bytes;
    piece->fill = (uint8_t)random();
    memset(s->bytes, piece->fill, bytes);
    status = await(s, tern_put(s->sq, tern_heap_rptr(s->client->heap, piece->at), s->region,
                               s->bytes, bytes, TERN_DFLAG_SIGNAL, 0));
    return status ? tool_fail(status, "cannot write to a piece") : 0;
}

/* In two reads: one brings 512 bytes at most. */
static int read_back(struct stress *s, const struct piece *piece)
{
    struct tern_rptr from = tern_heap_rptr(s->client->heap, piece->at);
    int status = 0;

    memset(s->bytes, ~piece->fill, piece->bytes);
    for (uint32_t at = 0; !status && at < piece->bytes; at += LARGEST / 2) {
        uint32_t count = piece->bytes - at < LARGEST / 2 ? piece->bytes - at : LARGEST / 2;

        status = await(s, tern_read(s->sq, tern_rptr_add(from, at), s->region, s->bytes + at,
                                    count, TERN_DFLAG_SIGNAL, 0));
    }
    return status;
}

static int give_back(struct stress *s, struct piece *piece)
{
    int status = piece->bytes ? read_back(s, piece) : 0;

    if (status)
        return tool_fail(status, "cannot read a piece");
    for (uint32_t i = 0; i < piece->bytes; i++)
        if (s->bytes[i] != piece->fill)
            return tool_fail(0, "byte %" PRIu32 " of a piece was changed by another", i);
    status = piece->bytes ? tern_free(s->client->heap, piece->at) : 0;
    piece->bytes = 0;
    return status ? tool_fail(status, "cannot give a piece back") : 0;
}

static int work_on(struct stress *s, uint64_t operations)
{
    int status = 0;

    progress_start(&s->progress, operations);
    for (uint64_t i = 0; !status && i < operations; i++) {
        struct piece *piece = &s->pieces[(unsigned long)random() % PIECES];

        status = give_back(s, piece);
        if (!status)
            status = take(s, piece);
        if (!status && progress_due(&s->progress, i + 1))
            progress_show(&s->progress, i + 1, "pieces");
    }
    progress_end(&s->progress);
    for (unsigned i = 0; !status && i < PIECES; i++)
        status = give_back(s, &s->pieces[i]);
    return status;
}

static int say_figures(const struct client *c, const char *report)
{
    struct tern_heap_counts n;
    uint64_t requests;

    tern_heap_counts(c->heap, &n);
    requests = n.header_reads + n.map_reads + n.header_swaps + n.map_swaps + n.owner_swaps +
               n.takes + n.word_takes + n.adds + n.owner_puts + n.asked;
    printf("%" PRIu64 " pieces taken and given back by %" PRIu64 " requests, %" PRIu64
           " of them to the server; %" PRIu64 " retries\n",
           n.taken, requests, n.asked, n.retries);
    return tool_report(report,
                       "taken=%" PRIu64 "\ngiven=%" PRIu64 "\nrequests=%" PRIu64 "\nasked=%" PRIu64
                       "\nretries=%" PRIu64 "\nbytes_wanted=%" PRIu64 "\nbytes_given=%" PRIu64 "\n",
                       n.taken, n.given, requests, n.asked, n.retries, n.bytes_wanted,
                       n.bytes_given);
}

static int stress(struct client *c, const struct alloc_options *chosen)
{
    static struct stress s;
    int status = tern_cq_create(c->device, 5, 0, &s.cq);

    s.client = c;
    if (!status)
        status = tern_sq_create(s.cq, 4, &s.sq);
    if (!status)
        status = tern_register(c->device, s.bytes, sizeof(s.bytes),
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &s.region);
    status = status ? tool_fail(status, "cannot make queues") : work_on(&s, chosen->operations);
    s.client = NULL;
    return status ? status : say_figures(c, chosen->report);
}

int cmd_alloc(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "serve URI POOL\ninfo URI POOL\nstress URI POOL",
        "Memory of one node for programs at all nodes.\v"
        "One process serves a pool of memory at its node (serve) until it is told to end; any "
        "number of others, at any node, see how it is divided (info), or take pieces of it, fill "
        "them, check them and give them back (stress).",
        NULL, NULL, NULL};
    struct alloc_options chosen = {.bytes = BYTES_DEFAULT, .operations = OPERATIONS_DEFAULT,
                                   .timeout_ms = OWNER_FOR_EVER};

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (!strcmp(chosen.verb, "serve"))
        return serve(&chosen);
    return as_client(&chosen, !strcmp(chosen.verb, "info") ? info : stress);
}
