/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern bcast: puts a file into the memory of all receivers in a box at once, with one descriptor
 * per piece.
 *
 * Waits until every member of the group has called (tern recv-file --group), opens the group,
 * broadcasts the file in pieces with several in flight, sends DONE with the file's SHA-256, and
 * collects the verdicts.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "outgoing.h"
#include "sha256.h"
#include "tool.h"

enum { CALLS_MS = 500, MEMBERS_MAX = 32768 };

struct bcast_options {
    struct outgoing_options out;
    const char *to;
    unsigned group;
};

/* A receiver: its address, after its call, and its verdict. */
struct receiver {
    struct tern_target at;
    bool called, judged;
    uint32_t verdict;
};

struct bcast {
    struct outgoing out;
    const struct bcast_options *options;
    struct tern_group *group;
    struct receiver *receivers;
    unsigned count;
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
    case 'T':
        to->out.timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (!to->to)
            argp_usage(state);
        return outgoing_parse(key, arg, state, &to->out);
    default:
        return outgoing_parse(key, arg, state, &to->out);
    }
}

/* ---- the group */

/* Parses nodes separated by commas; returns how many, or -1. */
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
                           : tern_group_create_list(b->out.peer.cq, nodes, (unsigned)count, key,
                                                    bytes, &b->group);

    free(nodes);
    return status;
}

static int make_group(struct bcast *b)
{
    uint32_t key = peer_group_key(&b->out.peer, b->options->group);
    uint64_t bytes = b->out.payload.bytes ? b->out.payload.bytes : 1;
    struct tern_box box;

    if (!strcmp(b->options->to, "all"))
        box = tern_box_all(b->out.peer.info.dims);
    else if (strchr(b->options->to, ',') || tern_box_parse(b->options->to, &box, NULL))
        return group_of_nodes(b, key, bytes);
    return tern_group_create(b->out.peer.cq, box, key, bytes, &b->group);
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

    if (!peer_send(&b->out.peer, receiver->at, message))
        return 0;
    return tool_fail(0, "a receiver is gone: %s",
                     tern_completion_format(&b->out.peer.sent, text, sizeof(text)));
}

/* Tells the receivers that have called why no file will come. */
static void refuse_all(struct bcast *b, uint32_t status)
{
    struct filemsg message = outgoing_refusal(&b->out, status);

    for (unsigned i = 0; i < b->count; i++)
        if (b->receivers[i].called)
            (void)peer_send(&b->out.peer, b->receivers[i].at, &message);
}

static int say_alive(struct bcast *b)
{
    struct filemsg message = filemsg_make(FILEMSG_ALIVE);

    if (!outgoing_silent(&b->out))
        return 0;
    message.bytes = b->out.peer.put_bytes;
    for (unsigned i = 0; i < b->count; i++)
        if (b->receivers[i].called && tell(b, &b->receivers[i], &message))
            return EXIT_BAD;
    b->out.alive_ms = peer_now_ms();
    return 0;
}

/* ---- calls of receivers */

static void refuse_one(struct bcast *b, struct tern_target at, uint32_t status)
{
    const struct filemsg message = outgoing_refusal(&b->out, status);

    (void)peer_send(&b->out.peer, at, &message);
}

/* Records a call; false when it is not the first of a member. */
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
    int64_t end = peer_now_ms() + b->out.options->timeout_ms;
    unsigned called = 0;

    b->out.alive_ms = peer_now_ms();
    while (called < b->count) {
        struct filemsg message;
        uint16_t node;
        int status = peer_receive(&b->out.peer, &message, &node, CALLS_MS);

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
    return tool_fail(status, "nothing was sent, member %s is not ready",
                     tern_node_format(node, text));
}

/* ---- the file */

/* Posts pieces until enough are in flight or all are posted. */
static int post_pieces(struct bcast *b)
{
    uint32_t bytes;

    while ((bytes = outgoing_piece(&b->out)) > 0) {
        int status = peer_bcast(&b->out.peer, b->group, b->out.region, b->out.posted, bytes);

        if (status == -TERN_ST_AGAIN)
            return 0;
        if (status)
            return status;
        b->out.posted += bytes;
    }
    return 0;
}

static int fail_broadcast(struct bcast *b)
{
    char text[PEER_TEXT];

    refuse_all(b, b->out.peer.put_error.status);
    return tool_fail(0, "broken off, %llu of %llu bytes arrived everywhere: %s",
                     (unsigned long long)b->out.peer.put_bytes,
                     (unsigned long long)b->out.payload.bytes,
                     tern_completion_format(&b->out.peer.put_error, text, sizeof(text)));
}

/* One turn of the transfer: posts, waits, and handles what came. */
static int turn(struct bcast *b)
{
    int status = post_pieces(b);

    if (!status)
        status = peer_step(&b->out.peer, b->out.options->timeout_ms);
    b->out.peer.inbox_count = 0; /* during the transfer receivers can only repeat their calls */
    return status;
}

static int move_file(struct bcast *b)
{
    char links[PEER_TEXT];
    int status = outgoing_start(&b->out);

    while (!status && !b->out.peer.put_failed && b->out.peer.put_bytes < b->out.payload.bytes) {
        status = turn(b);
        if (!status && say_alive(b))
            return EXIT_BAD;
        outgoing_show(&b->out);
    }
    outgoing_end(&b->out);
    if (b->out.peer.put_failed)
        return fail_broadcast(b);
    return status ? tool_fail(status, "broken off after %llu of %llu bytes%s",
                              (unsigned long long)b->out.peer.put_bytes,
                              (unsigned long long)b->out.payload.bytes,
                              tool_links_down(b->out.peer.device, links, sizeof(links)))
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

        if (peer_receive(&b->out.peer, &message, &node, b->out.options->timeout_ms))
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

/* Prints the reason for each receiver without a good verdict; returns their number. */
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
    struct filemsg message = outgoing_done(&b->out);
    unsigned failures;
    char digest[65];

    for (unsigned i = 0; i < b->count; i++)
        (void)tell(b, &b->receivers[i], &message);
    (void)await_verdicts(b);
    failures = print_failures(b);
    if (failures)
        return tool_fail(0, "%u of %u receivers do not have the file", failures, b->count);
    printf("%u receivers: %llu bytes verified, SHA-256 %s\n", b->count,
           (unsigned long long)b->out.payload.bytes, sha256_text(b->out.payload.digest, digest));
    return 0;
}

static int write_report(const struct bcast *b)
{
    return tool_report(b->out.options->report,
                       "bytes=%llu\ncycles=%llu\nreceivers=%u\ndescriptors=%llu\npiece_bytes=%u\n",
                       (unsigned long long)b->out.payload.bytes, (unsigned long long)b->out.cycles,
                       b->count, (unsigned long long)((b->out.payload.bytes +
                                                       b->out.options->piece_bytes - 1) /
                                            b->out.options->piece_bytes),
                       b->out.options->piece_bytes);
}

static int run(struct bcast *b)
{
    int status = make_group(b);

    if (status)
        return tool_fail(status, "no group '%s' with this node in it", b->options->to);
    status = list_receivers(b);
    if (!status)
        status = outgoing_register(&b->out);
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
                              "The receivers (tern recv-file --group) call first; start in any "
                              "order.", NULL, NULL, NULL};
    struct bcast_options chosen = {.out = outgoing_defaults};
    struct bcast b = {.options = &chosen, .out.options = &chosen.out};
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    status = payload_map(chosen.out.file, &b.out.payload);
    if (status)
        return tool_fail(status, "cannot read %s", chosen.out.file);
    status = peer_open(&b.out.peer, chosen.out.uri, chosen.out.queue);
    if (status)
        return tool_fail_open(status, chosen.out.uri);
    status = run(&b);
    peer_close(&b.out.peer);
    free(b.receivers);
    return status;
}
