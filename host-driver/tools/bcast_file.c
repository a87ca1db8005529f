/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern bcast: puts a file into the memory of all receivers in a box at once, each piece by one descriptor.
 *
 * Waits until every member of the group has called (tern recv-file --group), opens the group, broadcasts
 * the file in pieces with several under way, says DONE with the file's SHA-256, and gathers the verdicts.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "payload.h"
#include "peer.h"
#include "progress.h"
#include "sha256.h"
#include "tool.h"

enum { PIECE_BYTES = 16384, PIECES_OUT_MAX = 8, ALIVE_MS = 500, TIMEOUT_S = 30, MEMBERS_MAX = 32768 };

struct bcast_options {
    const char *uri, *file, *to, *report;
    uint16_t queue;
    unsigned group;
    int timeout_ms;
    uint32_t piece_bytes;
};

/* A receiver: where it answers, once it has called, and what became of it. */
struct receiver {
    struct tern_target at;
    bool called, judged;
    uint32_t verdict;
};

struct bcast {
    struct peer peer;
    const struct bcast_options *options;
    struct payload payload;
    struct tern_region *region;
    struct tern_group *group;
    struct receiver *receivers;
    unsigned count;
    uint64_t posted, first_cycle, cycles;
    int64_t alive_ms;
    struct progress progress;
};

static const struct argp_option options[] = {
    {"to", 't', "BOX|NODE,...|all", 0, "who is to have it: all nodes from corner to corner as "
                                       "0.0.0-1.1.1, or those named, or all there are", 0},
    {"group", 'g', "NUMBER", 0, "number of the group, if there are several (0)", 0},
    {"queue", 'q', "NUMBER", 0, "queue number on which receivers say hello (200)", 0},
    {"timeout", 'T', "SECONDS", 0, "give up when nothing moves for so long (30)", 0},
    {"piece", 'p', "BYTES", 0, "bytes of one broadcast (16k)", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bcast_options *to = state->input;

    switch (key) {
    case 't':
        to->to = arg;
        return 0;
    case 'g':
        to->group = (unsigned)tool_number(state, arg, UINT16_MAX);
        return 0;
    case 'q':
        to->queue = (uint16_t)tool_number(state, arg, UINT16_MAX);
        return 0;
    case 'T':
        to->timeout_ms = (int)tool_number(state, arg, 1000000) * 1000;
        return 0;
    case 'p':
        to->piece_bytes = (uint32_t)tool_number(state, arg, TERN_PUT_BYTES_MAX);
        return 0;
    case 'r':
        to->report = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_usage(state);
        *(state->arg_num == 0 ? &to->uri : &to->file) = arg;
        return 0;
    case ARGP_KEY_END:
        if (state->arg_num != 2 || !to->to || to->piece_bytes == 0)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the group */

/* Nodes separated by commas; the number of them, or -1. */
static int parse_nodes(const char *text, uint16_t *nodes)
{
    int count = 0;

    for (;;) {
        if (count == MEMBERS_MAX || tern_node_parse(text, &nodes[count], &text))
            return -1;
        count++;
        if (!*text)
            return count;
        if (*text++ != ',')
            return -1;
    }
}

static int group_of_nodes(struct bcast *b, uint32_t key, uint64_t bytes)
{
    uint16_t *nodes = malloc(MEMBERS_MAX * sizeof(*nodes));
    int count = nodes ? parse_nodes(b->options->to, nodes) : -1;
    int status = count < 0 ? -TERN_ST_BAD_ARGUMENT
                           : tern_group_create_list(b->peer.cq, nodes, (unsigned)count, key, bytes,
                                                    &b->group);

    free(nodes);
    return status;
}

static int make_group(struct bcast *b)
{
    uint32_t key = peer_group_key(&b->peer, b->options->group);
    uint64_t bytes = b->payload.bytes ? b->payload.bytes : 1;
    struct tern_box box;

    if (!strcmp(b->options->to, "all"))
        box = tern_box_all(b->peer.info.dims);
    else if (strchr(b->options->to, ',') || tern_box_parse(b->options->to, &box, NULL))
        return group_of_nodes(b, key, bytes);
    return tern_group_create(b->peer.cq, box, key, bytes, &b->group);
}

static int list_receivers(struct bcast *b)
{
    struct tern_member *members;

    b->count = tern_group_members(b->group, NULL, 0);
    members = calloc(b->count + 1, sizeof(*members));
    b->receivers = calloc(b->count + 1, sizeof(*b->receivers));
    if (!members || !b->receivers) {
        free(members);
        return -TERN_ST_NO_MEMORY;
    }
    tern_group_members(b->group, members, b->count);
    for (unsigned i = 0; i < b->count; i++)
        b->receivers[i].at.node = members[i].node;
    free(members);
    return 0;
}

static struct receiver *receiver_at(struct bcast *b, uint16_t node)
{
    for (unsigned i = 0; i < b->count; i++)
        if (b->receivers[i].at.node == node)
            return &b->receivers[i];
    return NULL;
}

/* ---- messages to all */

static int tell(struct bcast *b, const struct receiver *receiver, const struct filemsg *message)
{
    char text[PEER_TEXT];

    if (!peer_send(&b->peer, receiver->at, message))
        return 0;
    return tool_fail(0, "a receiver is gone: %s",
                     tern_completion_format(&b->peer.sent, text, sizeof(text)));
}

/* Those who have called hear why nothing comes. */
static void refuse_all(struct bcast *b, uint32_t status)
{
    struct filemsg message = filemsg_make(FILEMSG_REFUSE);

    message.status = status;
    message.bytes = b->payload.bytes;
    for (unsigned i = 0; i < b->count; i++)
        if (b->receivers[i].called)
            (void)peer_send(&b->peer, b->receivers[i].at, &message);
}

static int say_alive(struct bcast *b)
{
    struct filemsg message = filemsg_make(FILEMSG_ALIVE);

    if (peer_now_ms() < b->alive_ms + ALIVE_MS)
        return 0;
    message.bytes = b->peer.put_bytes;
    for (unsigned i = 0; i < b->count; i++)
        if (b->receivers[i].called && tell(b, &b->receivers[i], &message))
            return EXIT_BAD;
    b->alive_ms = peer_now_ms();
    return 0;
}

/* ---- the receivers call */

static void refuse_one(struct bcast *b, struct tern_target at, uint32_t status)
{
    struct filemsg message = filemsg_make(FILEMSG_REFUSE);

    message.status = status;
    message.bytes = b->payload.bytes;
    (void)peer_send(&b->peer, at, &message);
}

/* Books a call; false when it is not the first of a member. */
static bool book_call(struct bcast *b, const struct filemsg *message, uint16_t node)
{
    struct receiver *receiver = receiver_at(b, node);
    bool first = receiver && !receiver->called;

    if (receiver) {
        receiver->at.queue = message->queue;
        receiver->called = true;
    } else {
        refuse_one(b, (struct tern_target){.node = node, .queue = message->queue},
                   FILEMSG_NOT_MEMBER);
    }
    return first;
}

static int fail_missing(struct bcast *b, unsigned called)
{
    char node[TERN_NODE_TEXT];

    for (unsigned i = 0; i < b->count; i++)
        if (!b->receivers[i].called)
            fprintf(stderr, "tern: no receiver has called from node %s\n",
                    tern_node_format(b->receivers[i].at.node, node));
    refuse_all(b, TERN_ST_NO_BASE);
    return tool_fail(0, "%u of %u receivers have called", called, b->count);
}

static int await_calls(struct bcast *b)
{
    int64_t end = peer_now_ms() + b->options->timeout_ms;
    unsigned called = 0;

    b->alive_ms = peer_now_ms();
    while (called < b->count) {
        struct filemsg message;
        uint16_t node;
        int status = peer_receive(&b->peer, &message, &node, ALIVE_MS);

        if (status && status != -TERN_ST_WAIT_EXPIRED)
            return tool_fail(status, "cannot hear receivers");
        if (!status && message.type == FILEMSG_HELLO && book_call(b, &message, node))
            called++;
        if (say_alive(b))
            return EXIT_BAD;
        if (peer_now_ms() > end)
            return fail_missing(b, called);
    }
    fprintf(stderr, "%u receivers have called\n", called);
    return 0;
}

static int open_group(struct bcast *b)
{
    char text[TERN_NODE_TEXT];
    uint16_t node = 0;
    int status = tern_group_open(b->group, &node);

    if (!status)
        return 0;
    refuse_all(b, (uint32_t)-status);
    return tool_fail(status, "nothing was sent, member %s is not ready", tern_node_format(node, text));
}

/* ---- the file */

static void show_progress(struct bcast *b)
{
    uint64_t cycle;

    if (!progress_due(&b->progress, b->peer.put_bytes) || tern_cycles(b->peer.device, &cycle))
        return;
    b->cycles = cycle - b->first_cycle;
    progress_show(&b->progress, b->peer.put_bytes, b->cycles);
}

/* Posts pieces until enough are under way or all are posted. */
static int post_pieces(struct bcast *b)
{
    while (b->posted < b->payload.bytes && b->peer.puts_out < PIECES_OUT_MAX) {
        uint64_t left = b->payload.bytes - b->posted;
        uint32_t bytes = left < b->options->piece_bytes ? (uint32_t)left : b->options->piece_bytes;
        int status = peer_bcast(&b->peer, b->group, b->region, b->posted, bytes);

        if (status == -TERN_ST_AGAIN)
            return 0;
        if (status)
            return status;
        b->posted += bytes;
    }
    return 0;
}

static int fail_broadcast(struct bcast *b)
{
    char text[PEER_TEXT];

    refuse_all(b, b->peer.put_error.status);
    return tool_fail(0, "broken off, %llu of %llu bytes arrived everywhere: %s",
                     (unsigned long long)b->peer.put_bytes, (unsigned long long)b->payload.bytes,
                     tern_completion_format(&b->peer.put_error, text, sizeof(text)));
}

/* Posts, waits, books: one turn of the transfer. */
static int turn(struct bcast *b)
{
    int status = post_pieces(b);

    if (!status)
        status = peer_step(&b->peer, b->options->timeout_ms);
    b->peer.inbox_count = 0; /* nobody has anything to say now but to call again */
    return status;
}

static int move_file(struct bcast *b)
{
    char links[PEER_TEXT];
    int status = tern_cycles(b->peer.device, &b->first_cycle);

    progress_start(&b->progress, b->payload.bytes);
    while (!status && !b->peer.put_failed && b->peer.put_bytes < b->payload.bytes) {
        status = turn(b);
        if (!status && say_alive(b))
            return EXIT_BAD;
        show_progress(b);
    }
    if (b->payload.bytes == 0)
        show_progress(b);
    progress_end(&b->progress);
    if (b->peer.put_failed)
        return fail_broadcast(b);
    return status ? tool_fail(status, "broken off after %llu of %llu bytes%s",
                              (unsigned long long)b->peer.put_bytes,
                              (unsigned long long)b->payload.bytes,
                              tool_links_down(b->peer.device, links, sizeof(links)))
                  : 0;
}

/* ---- the verdicts */

static int await_verdicts(struct bcast *b)
{
    unsigned judged = 0;

    while (judged < b->count) {
        struct receiver *receiver;
        struct filemsg message;
        uint16_t node;

        if (peer_receive(&b->peer, &message, &node, b->options->timeout_ms))
            return EXIT_BAD;
        receiver = receiver_at(b, node);
        if (message.type != FILEMSG_VERDICT || !receiver || receiver->judged)
            continue;
        receiver->judged = true;
        receiver->verdict = message.status;
        judged++;
    }
    return 0;
}

/* Says of every receiver that has no good verdict why; how many those are. */
static unsigned print_failures(const struct bcast *b)
{
    unsigned failures = 0;
    char node[TERN_NODE_TEXT];

    for (unsigned i = 0; i < b->count; i++) {
        const struct receiver *receiver = &b->receivers[i];

        if (receiver->judged && !receiver->verdict)
            continue;
        failures++;
        fprintf(stderr, "tern: receiver %s: %s\n", tern_node_format(receiver->at.node, node),
                receiver->judged ? filemsg_strerror(receiver->verdict) : "no verdict");
    }
    return failures;
}

static int conclude(struct bcast *b)
{
    struct filemsg message = filemsg_make(FILEMSG_DONE);
    unsigned failures;
    char digest[65];

    message.bytes = b->payload.bytes;
    memcpy(message.body, b->payload.digest, sizeof(message.body));
    for (unsigned i = 0; i < b->count; i++)
        (void)tell(b, &b->receivers[i], &message);
    (void)await_verdicts(b);
    failures = print_failures(b);
    if (failures)
        return tool_fail(0, "%u of %u receivers do not have the file", failures, b->count);
    printf("%u receivers: %llu bytes verified, SHA-256 %s\n", b->count,
           (unsigned long long)b->payload.bytes, sha256_text(b->payload.digest, digest));
    return 0;
}

static int write_report(const struct bcast *b)
{
    FILE *out;

    if (!b->options->report)
        return 0;
    out = fopen(b->options->report, "w");
    if (!out)
        return tool_fail(-TERN_ST_SYSTEM, "cannot write %s", b->options->report);
    fprintf(out, "bytes=%llu\ncycles=%llu\nreceivers=%u\ndescriptors=%llu\npiece_bytes=%u\n",
            (unsigned long long)b->payload.bytes, (unsigned long long)b->cycles, b->count,
            (unsigned long long)((b->payload.bytes + b->options->piece_bytes - 1) /
                                 b->options->piece_bytes),
            b->options->piece_bytes);
    return fclose(out) ? tool_fail(-TERN_ST_SYSTEM, "cannot write %s", b->options->report) : 0;
}

static int run(struct bcast *b)
{
    int status = make_group(b);

    if (status)
        return tool_fail(status, "no group '%s' with this node in it", b->options->to);
    status = list_receivers(b);
    if (!status && b->payload.bytes)
        status = tern_register(b->peer.device, (void *)(uintptr_t)b->payload.data, b->payload.bytes,
                               TERN_RIGHT_LOCAL_READ, &b->region);
    if (status)
        return tool_fail(status, "cannot register the file's memory");
    status = await_calls(b);
    if (!status)
        status = open_group(b);
    if (!status)
        status = move_file(b);
    if (!status)
        status = conclude(b);
    return status ? status : write_report(b);
}

int cmd_bcast(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI FILE",
                              "Puts FILE into the memory of all receivers in a box at once.\v"
                              "The receivers (tern recv-file --group) call first; start in any order.",
                              NULL, NULL, NULL};
    struct bcast_options chosen = {.queue = FILEMSG_QUEUE, .timeout_ms = TIMEOUT_S * 1000,
                                   .piece_bytes = PIECE_BYTES};
    struct bcast b = {.options = &chosen};
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    status = payload_map(chosen.file, &b.payload);
    if (status)
        return tool_fail(status, "cannot read %s", chosen.file);
    status = peer_open(&b.peer, chosen.uri, chosen.queue);
    if (status)
        return tool_fail(status, "cannot open %s", chosen.uri);
    status = run(&b);
    peer_close(&b.peer);
    free(b.receivers);
    return status;
}
