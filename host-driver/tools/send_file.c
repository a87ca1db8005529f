/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern send-file: puts a file from this process's memory into a receiver's.
 *
 * Waits for a receiver's HELLO with its buffer, puts the file in pieces with several in flight,
 * sends DONE with the file's SHA-256, and prints the receiver's verdict.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "outgoing.h"
#include "sha256.h"
#include "tool.h"

enum { REFUSE_WAIT_MS = 5000 };

struct transfer {
    struct outgoing out;
    struct tern_target receiver;
    struct tern_rptr buffer;
    uint64_t buffer_bytes;
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
    struct outgoing_options *to = state->input;

    switch (key) {
    case 't':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    default:
        return outgoing_parse(key, arg, state, to);
    }
}

/* Waits for a receiver. */
static int await_hello(struct transfer *t, int timeout_ms)
{
    struct filemsg message;
    uint16_t node;
    int status;

    do {
        status = peer_receive(&t->out.peer, &message, &node, timeout_ms);
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
    struct filemsg message = outgoing_refusal(&t->out, status);

    (void)peer_send(&t->out.peer, t->receiver, &message);
}

static int fail_put(struct transfer *t)
{
    char text[PEER_TEXT];

    if (t->out.peer.put_error.status == TERN_ST_DISCONNECTED)
        return tool_fail(-TERN_ST_DISCONNECTED, "transfer broken off");
    refuse(t, t->out.peer.put_error.status);
    return tool_fail(0, "transfer broken off, %llu of %llu bytes arrived: %s",
                     (unsigned long long)t->out.peer.put_bytes,
                     (unsigned long long)t->out.payload.bytes,
                     tern_completion_format(&t->out.peer.put_error, text, sizeof(text)));
}

/* Tells the receiver that this sender is still alive. */
static int say_alive(struct transfer *t)
{
    struct filemsg message = filemsg_make(FILEMSG_ALIVE);

    if (!outgoing_silent(&t->out))
        return 0;
    message.bytes = t->out.peer.put_bytes;
    t->out.alive_ms = peer_now_ms();
    return peer_send(&t->out.peer, t->receiver, &message);
}

/* Posts pieces until enough are in flight or all are posted. */
static int post_pieces(struct transfer *t)
{
    uint32_t bytes;

    while ((bytes = outgoing_piece(&t->out)) > 0) {
        int status = peer_put(&t->out.peer, tern_rptr_add(t->buffer, t->out.posted), t->out.region,
                              t->out.payload.data + t->out.posted, bytes);

        if (status == -TERN_ST_AGAIN)
            return 0;
        if (status)
            return status;
        t->out.posted += bytes;
    }
    return 0;
}

/* Ends the transfer after it has stopped, or a message was not delivered. */
static int fail_lost(struct transfer *t, int status)
{
    char links[PEER_TEXT], text[PEER_TEXT];

    if (t->out.peer.sent.status && t->out.peer.sent.status != TERN_ST_DISCONNECTED)
        return tool_fail(0, "transfer broken off, the receiver is gone: %s",
                         tern_completion_format(&t->out.peer.sent, text, sizeof(text)));

    return tool_fail(status, "transfer broken off after %llu of %llu bytes%s",
                     (unsigned long long)t->out.peer.put_bytes,
                     (unsigned long long)t->out.payload.bytes,
                     tool_links_down(t->out.peer.device, links, sizeof(links)));
}

/* Moves the file.  Returns an exit status. */
static int move_file(struct transfer *t)
{
    int status = outgoing_start(&t->out);

    t->out.alive_ms = peer_now_ms();
    while (!status && t->out.peer.put_bytes < t->out.payload.bytes) {
        status = post_pieces(t);
        if (!status)
            status = peer_step(&t->out.peer, t->out.options->timeout_ms);
        if (t->out.peer.put_failed) {
            outgoing_end(&t->out);
            return fail_put(t);
        }
        if (!status)
            status = say_alive(t);
        outgoing_show(&t->out);
    }
    outgoing_end(&t->out);
    return status ? fail_lost(t, status) : 0;
}

/* Sends DONE and waits for the verdict. Returns an exit status. */
static int conclude(struct transfer *t)
{
    struct filemsg message = outgoing_done(&t->out);
    char digest[65], text[TERN_NODE_TEXT];
    uint16_t node;
    int status;

    status = peer_send(&t->out.peer, t->receiver, &message);
    if (status)
        return fail_lost(t, status);
    do {
        status = peer_receive(&t->out.peer, &message, &node, t->out.options->timeout_ms);
    } while (!status && message.type == FILEMSG_HELLO);
    if (status)
        return tool_fail(status, "the receiver gave no verdict");
    if (message.type != FILEMSG_VERDICT || message.status)
        return tool_fail(0, "the receiver says: %s", filemsg_strerror(message.status));
    printf("receiver %s: %llu bytes verified, SHA-256 %s\n", tern_node_format(node, text),
           (unsigned long long)message.bytes, sha256_text(t->out.payload.digest, digest));
    return 0;
}

static int write_report(const struct transfer *t)
{
    return tool_report(t->out.options->report,
                       "bytes=%llu\ncycles=%llu\npiece_bytes=%u\nmax_payload=%u\n",
                       (unsigned long long)t->out.payload.bytes, (unsigned long long)t->out.cycles,
                       t->out.options->piece_bytes, t->out.peer.info.max_payload);
}

static int serve_receiver(struct transfer *t)
{
    char node[TERN_NODE_TEXT], links[PEER_TEXT];
    int status = await_hello(t, t->out.options->timeout_ms);

    if (status)
        return tool_fail(status, "no receiver called%s",
                         tool_links_down(t->out.peer.device, links, sizeof(links)));
    fprintf(stderr, "receiver at node %s offers %llu bytes\n",
            tern_node_format(t->receiver.node, node), (unsigned long long)t->buffer_bytes);
    if (t->out.payload.bytes > t->buffer_bytes) {
        refuse(t, FILEMSG_TOO_LARGE);
        return tool_fail(0, "%s has %llu bytes, the receiver's buffer only %llu",
                         t->out.options->file, (unsigned long long)t->out.payload.bytes,
                         (unsigned long long)t->buffer_bytes);
    }
    status = outgoing_register(&t->out);
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
    struct outgoing_options chosen = outgoing_defaults;
    struct transfer t = {.out.options = &chosen};
    int status, exit_status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    status = payload_map(chosen.file, &t.out.payload);
    if (status)
        tool_fail(status, "cannot read %s", chosen.file);
    exit_status = status ? EXIT_BAD : 0;
    status = peer_open(&t.out.peer, chosen.uri, chosen.queue);
    if (status)
        return tool_fail_open(status, chosen.uri);
    if (!exit_status)
        exit_status = serve_receiver(&t);
    else if (!await_hello(&t, REFUSE_WAIT_MS)) /* a receiver may be waiting: tell it */
        refuse(&t, FILEMSG_NO_FILE);
    peer_close(&t.out.peer);
    return exit_status;
}
