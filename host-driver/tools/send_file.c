/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern send-file: puts a file from this process's memory into a receiver's.
 *
 * Waits for a receiver's HELLO with its buffer, puts the file in pieces with several under way, says
 * DONE with the file's SHA-256, and prints the receiver's verdict.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "payload.h"
#include "peer.h"
#include "progress.h"
#include "sha256.h"
#include "tool.h"

enum { PIECE_BYTES = 16384, PUTS_OUT_MAX = 8, ALIVE_MS = 500, TIMEOUT_S = 30, REFUSE_WAIT_MS = 5000 };

struct send_options {
    const char *uri, *file, *report;
    uint16_t queue;
    int timeout_ms;
    uint32_t piece_bytes;
};

struct transfer {
    struct peer peer;
    const struct send_options *options;
    struct payload payload;
    struct tern_region *region;
    struct tern_target receiver;
    struct tern_rptr buffer;
    uint64_t buffer_bytes;
    uint64_t posted, first_cycle, cycles;
    int64_t alive_ms;
    struct progress progress;
};

static const struct argp_option options[] = {
    {"queue", 'q', "NUMBER", 0, "queue number on which receivers say hello (200)", 0},
    {"timeout", 't', "SECONDS", 0, "give up when nothing moves for so long (30)", 0},
    {"piece", 'p', "BYTES", 0, "bytes of one put (16k)", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct send_options *to = state->input;

    switch (key) {
    case 'q':
        to->queue = (uint16_t)tool_number(state, arg, UINT16_MAX);
        return 0;
    case 't':
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
        if (state->arg_num != 2 || to->piece_bytes == 0)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Waits for a receiver. */
static int await_hello(struct transfer *t, int timeout_ms)
{
    struct filemsg message;
    uint16_t node;
    int status;

    do {
        status = peer_receive(&t->peer, &message, &node, timeout_ms);
    } while (!status && message.type != FILEMSG_HELLO);
    if (status)
        return status;
    t->receiver = (struct tern_target){.node = node, .queue = message.queue};
    t->buffer = filemsg_pointer(&message);
    t->buffer_bytes = message.bytes;
    return 0;
}

static void refuse(struct transfer *t, uint32_t status)
{
    struct filemsg message = filemsg_make(FILEMSG_REFUSE);

    message.status = status;
    message.bytes = t->payload.bytes;
    (void)peer_send(&t->peer, t->receiver, &message);
}

static int fail_put(struct transfer *t)
{
    char text[PEER_TEXT];

    if (t->peer.put_error.status == TERN_ST_DISCONNECTED)
        return tool_fail(-TERN_ST_DISCONNECTED, "transfer broken off");
    refuse(t, t->peer.put_error.status);
    return tool_fail(0, "transfer broken off, %llu of %llu bytes arrived: %s",
                     (unsigned long long)t->peer.put_bytes, (unsigned long long)t->payload.bytes,
                     tern_completion_format(&t->peer.put_error, text, sizeof(text)));
}

/* Tells the receiver that there is still somebody. */
static int say_alive(struct transfer *t)
{
    struct filemsg message = filemsg_make(FILEMSG_ALIVE);

    if (peer_now_ms() < t->alive_ms + ALIVE_MS)
        return 0;
    message.bytes = t->peer.put_bytes;
    t->alive_ms = peer_now_ms();
    return peer_send(&t->peer, t->receiver, &message);
}

static void show_progress(struct transfer *t)
{
    uint64_t cycle;

    if (!progress_due(&t->progress, t->peer.put_bytes) || tern_cycles(t->peer.device, &cycle))
        return;
    t->cycles = cycle - t->first_cycle;
    progress_show(&t->progress, t->peer.put_bytes, t->cycles);
}

/* Posts pieces until enough are under way or all are posted. */
static int post_pieces(struct transfer *t)
{
    while (t->posted < t->payload.bytes && t->peer.puts_out < PUTS_OUT_MAX) {
        uint64_t left = t->payload.bytes - t->posted;
        uint32_t bytes = left < t->options->piece_bytes ? (uint32_t)left : t->options->piece_bytes;
        int status = peer_put(&t->peer, tern_rptr_add(t->buffer, t->posted), t->region,
                              t->payload.data + t->posted, bytes);

        if (status == -TERN_ST_AGAIN)
            return 0;
        if (status)
            return status;
        t->posted += bytes;
    }
    return 0;
}

/* Nothing moves any more, or a message did not get through. */
static int fail_lost(struct transfer *t, int status)
{
    char links[PEER_TEXT], text[PEER_TEXT];

    if (t->peer.sent.status && t->peer.sent.status != TERN_ST_DISCONNECTED)
        return tool_fail(0, "transfer broken off, the receiver is gone: %s",
                         tern_completion_format(&t->peer.sent, text, sizeof(text)));

    return tool_fail(status, "transfer broken off after %llu of %llu bytes%s",
                     (unsigned long long)t->peer.put_bytes, (unsigned long long)t->payload.bytes,
                     tool_links_down(t->peer.device, links, sizeof(links)));
}

/* Moves the file.  Returns an exit status. */
static int move_file(struct transfer *t)
{
    int status = tern_cycles(t->peer.device, &t->first_cycle);

    progress_start(&t->progress, t->payload.bytes);
    t->alive_ms = peer_now_ms();
    while (!status && t->peer.put_bytes < t->payload.bytes) {
        status = post_pieces(t);
        if (!status)
            status = peer_step(&t->peer, t->options->timeout_ms);
        if (t->peer.put_failed) {
            progress_end(&t->progress);
            return fail_put(t);
        }
        if (!status)
            status = say_alive(t);
        show_progress(t);
    }
    if (t->payload.bytes == 0)
        show_progress(t);
    progress_end(&t->progress);
    return status ? fail_lost(t, status) : 0;
}

/* Says DONE and waits for the verdict.  Returns an exit status. */
static int conclude(struct transfer *t)
{
    struct filemsg message = filemsg_make(FILEMSG_DONE);
    char digest[65], text[TERN_NODE_TEXT];
    uint16_t node;
    int status;

    message.bytes = t->payload.bytes;
    memcpy(message.body, t->payload.digest, sizeof(message.body));
    status = peer_send(&t->peer, t->receiver, &message);
    if (status)
        return fail_lost(t, status);
    do {
        status = peer_receive(&t->peer, &message, &node, t->options->timeout_ms);
    } while (!status && message.type == FILEMSG_HELLO);
    if (status)
        return tool_fail(status, "the receiver gave no verdict");
    if (message.type != FILEMSG_VERDICT || message.status)
        return tool_fail(0, "the receiver says: %s", filemsg_strerror(message.status));
    printf("receiver %s: %llu bytes verified, SHA-256 %s\n", tern_node_format(node, text),
           (unsigned long long)message.bytes, sha256_text(t->payload.digest, digest));
    return 0;
}

static int write_report(const struct transfer *t)
{
    FILE *out;

    if (!t->options->report)
        return 0;
    out = fopen(t->options->report, "w");
    if (!out)
        return tool_fail(-TERN_ST_SYSTEM, "cannot write %s", t->options->report);
    fprintf(out, "bytes=%llu\ncycles=%llu\npiece_bytes=%u\nmax_payload=%u\n",
            (unsigned long long)t->payload.bytes, (unsigned long long)t->cycles,
            t->options->piece_bytes, t->peer.info.max_payload);
    return fclose(out) ? tool_fail(-TERN_ST_SYSTEM, "cannot write %s", t->options->report) : 0;
}

static int serve_receiver(struct transfer *t)
{
    char node[TERN_NODE_TEXT], links[PEER_TEXT];
    int status = await_hello(t, t->options->timeout_ms);

    if (status)
        return tool_fail(status, "no receiver called%s",
                         tool_links_down(t->peer.device, links, sizeof(links)));
    fprintf(stderr, "receiver at node %s offers %llu bytes\n",
            tern_node_format(t->receiver.node, node), (unsigned long long)t->buffer_bytes);
    if (t->payload.bytes > t->buffer_bytes) {
        refuse(t, FILEMSG_TOO_LARGE);
        return tool_fail(0, "%s has %llu bytes, the receiver's buffer only %llu",
                         t->options->file, (unsigned long long)t->payload.bytes,
                         (unsigned long long)t->buffer_bytes);
    }
    status = t->payload.bytes ? tern_register(t->peer.device, (void *)(uintptr_t)t->payload.data,
                                              t->payload.bytes, TERN_RIGHT_LOCAL_READ, &t->region)
                              : 0;
    if (status)
        return tool_fail(status, "cannot register the file's memory");
    status = move_file(t);
    if (!status)
        status = conclude(t);
    return status ? status : write_report(t);
}

int cmd_send_file(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI FILE",
                              "Puts FILE from this host's memory into the memory of a receiver.\v"
                              "The receiver (tern recv-file) calls first; start in any order.",
                              NULL, NULL, NULL};
    struct send_options chosen = {.queue = FILEMSG_QUEUE, .timeout_ms = TIMEOUT_S * 1000,
                                  .piece_bytes = PIECE_BYTES};
    struct transfer t = {.options = &chosen};
    int status, exit_status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    status = payload_map(chosen.file, &t.payload);
    if (status)
        tool_fail(status, "cannot read %s", chosen.file);
    exit_status = status ? EXIT_BAD : 0;
    status = peer_open(&t.peer, chosen.uri, chosen.queue);
    if (status)
        return tool_fail(status, "cannot open %s", chosen.uri);
    if (!exit_status)
        exit_status = serve_receiver(&t);
    else if (!await_hello(&t, REFUSE_WAIT_MS)) /* a receiver may wait: tell it */
        refuse(&t, FILEMSG_NO_FILE);
    peer_close(&t.peer);
    return exit_status;
}
