/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern recv-file: offers a buffer to a sender, waits for the file, verifies and saves it.
 *
 * Only the NICs connect the two processes: a message tells the sender the buffer's address.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"
#include "sha256.h"
#include "tool.h"

enum { TIMEOUT_S = 30, CALL_PAUSE_MS = 50, LINK_START_MS = 2000, BUFFER_BYTES = 1 << 20 };

struct recv_options {
    const char *uri, *out;
    uint64_t buffer_bytes;
    struct tern_target sender;
    uint16_t queue;
    int timeout_ms;
    int group; /* number, or none if negative */
};

static const struct argp_option options[] = {
    {"from", 'f', "NODE[:QUEUE]", 0, "the sender (0.0.0:200)", 0},
    {"group", 'g', "NUMBER", OPTION_ARG_OPTIONAL, "as a member of a group, for `tern bcast` (0)",
     0},
    {"buffer", 'b', "BYTES", 0, "room for the file (1m)", 0},
    {"out", 'o', "FILE", 0, "where to save it; not at all without this", 0},
    {"queue", 'q', "NUMBER", 0, "queue number for the sender's messages (any free one)", 0},
    {"timeout", 't', "SECONDS", 0, "give up when the sender is silent for so long (30)", 0},
    {0},
};

static void parse_sender(struct argp_state *state, const char *text, struct tern_target *sender)
{
    const char *end;

    if (tern_node_parse(text, &sender->node, &end) || (*end && *end != ':'))
        argp_error(state, "'%s' is not NODE:QUEUE", text);
    if (*end == ':')
        sender->queue = (uint16_t)tool_number(state, end + 1, UINT16_MAX);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct recv_options *to = state->input;

    switch (key) {
    case 'f':
        parse_sender(state, arg, &to->sender);
        return 0;
    case 'g':
        to->group = arg ? (int)tool_number(state, arg, UINT16_MAX) : 0;
        return 0;
    case 'b':
        to->buffer_bytes = tool_number(state, arg, UINT64_C(1) << 40);
        return 0;
    case 'o':
        to->out = arg;
        return 0;
    case 'q':
        to->queue = (uint16_t)tool_number(state, arg, UINT16_MAX);
        return 0;
    case 't':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case ARGP_KEY_ARG:
        to->uri = tool_only(state, arg);
        return 0;
    case ARGP_KEY_END:
        if (!to->uri || !to->buffer_bytes)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/*
 * Tells whether to repeat the call: the sender, or the link after power-on, may not be ready yet.
 */
static bool worth_another_call(int status, int64_t waited_ms)
{
    return status == -TERN_ST_BAD_QUEUE || status == -TERN_ST_RNR || status == -TERN_ST_FLUSHED ||
           (status == -TERN_ST_LINK_DOWN && waited_ms < LINK_START_MS);
}

/* Offers the buffer until the sender's queue accepts the message. 0 or an exit status. */
static int call_sender(struct peer *peer, const struct recv_options *chosen,
                       const struct tern_region *region)
{
    const struct timespec pause = {.tv_nsec = CALL_PAUSE_MS * 1000000};
    int64_t start = peer_now_ms();
    struct filemsg message = filemsg_make(FILEMSG_HELLO);
    char node[TERN_NODE_TEXT], text[PEER_TEXT];
    int64_t waited;
    int status;

    message.queue = tern_rq_number(peer->rq);
    message.node = peer->info.node;
    message.bytes = chosen->buffer_bytes;
    filemsg_set_pointer(&message, tern_region_pointer(region, 0));
    for (;;) {
        status = peer_send(peer, chosen->sender, &message);
        if (!status)
            return 0;
        waited = peer_now_ms() - start;
        if (!worth_another_call(status, waited) || waited > chosen->timeout_ms)
            break;
        nanosleep(&pause, NULL);
    }
    tern_node_format(chosen->sender.node, node);
    if (peer->sent.status)
        return tool_fail(0, "cannot reach a sender at %s:%u: %s", node, chosen->sender.queue,
                         tern_completion_format(&peer->sent, text, sizeof(text)));
    return tool_fail(status, "cannot reach a sender at %s:%u", node, chosen->sender.queue);
}

/* Waits for DONE.  0 or an exit status. */
static int await_done(struct peer *peer, const struct recv_options *chosen, struct filemsg *message)
{
    char node_text[TERN_NODE_TEXT], links[PEER_TEXT];
    uint64_t announced = 0;
    uint16_t node;

    for (;;) {
        int status = peer_receive(peer, message, &node, chosen->timeout_ms);

        if (status == -TERN_ST_WAIT_EXPIRED)
            return tool_fail(0, "no sign of life from the sender at node %s for %d seconds; "
                             "%llu bytes were announced%s",
                             tern_node_format(chosen->sender.node, node_text),
                             chosen->timeout_ms / 1000, (unsigned long long)announced,
                             tool_links_down(peer->device, links, sizeof(links)));
        if (status)
            return tool_fail(status, "connection lost after %llu bytes",
                             (unsigned long long)announced);
        if (node != chosen->sender.node)
            continue; /* ignore other messages */
        if (message->type == FILEMSG_REFUSE)
            return tool_fail(0, "the sender at node %s gave up: %s (%llu bytes)",
                             tern_node_format(node, node_text), filemsg_strerror(message->status),
                             (unsigned long long)message->bytes);
        if (message->type == FILEMSG_DONE)
            return 0;
        announced = message->bytes;
    }
}

static int save(const char *out, const uint8_t *data, uint64_t bytes)
{
    FILE *file = out ? fopen(out, "wb") : NULL;
    bool good;

    if (!out)
        return 0;
    if (!file)
        return -TERN_ST_SYSTEM;
    good = fwrite(data, 1, bytes, file) == bytes;
    return fclose(file) == 0 && good ? 0 : -TERN_ST_SYSTEM;
}

/* Verifies, saves, and tells the sender.  Returns an exit status. */
static int judge(struct peer *peer, const struct recv_options *chosen, const uint8_t *buffer,
                 const struct filemsg *done)
{
    struct filemsg verdict = filemsg_make(FILEMSG_VERDICT);
    uint8_t digest[FILEMSG_SHA_BYTES];
    char text[65], line[PEER_TEXT];
    int status = 0;

    verdict.bytes = done->bytes;
    if (done->bytes > chosen->buffer_bytes || !sha256(buffer, done->bytes, digest) ||
        memcmp(digest, done->body, sizeof(digest)))
        verdict.status = FILEMSG_DIFFERS;
    else if (save(chosen->out, buffer, done->bytes))
        verdict.status = FILEMSG_NOT_SAVED;
    if (verdict.status)
        status = tool_fail(verdict.status == FILEMSG_NOT_SAVED ? -TERN_ST_SYSTEM : 0,
                           "%s", filemsg_strerror(verdict.status));
    else
        printf("received %llu bytes, SHA-256 %s\n", (unsigned long long)done->bytes,
               sha256_text(digest, text));
    if (peer_send(peer, chosen->sender, &verdict))
        return tool_fail(0, "cannot tell the sender: %s",
                         tern_completion_format(&peer->sent, line, sizeof(line)));
    return status;
}

/* Allows the sender to write the buffer: by its pointer, or by the key of the group. */
static int offer(struct peer *peer, const struct recv_options *chosen, uint8_t *buffer,
                 struct tern_region **region)
{
    uint32_t key;

    if (chosen->group < 0)
        return tern_register(peer->device, buffer, chosen->buffer_bytes, TERN_RIGHT_REMOTE_WRITE,
                             region);
    key = peer_group_key(peer, (unsigned)chosen->group);
    return tern_register_with(peer->device,
            &(struct tern_region_attr){.addr = buffer, .bytes = chosen->buffer_bytes,
                                       .member = true, .key = key},
            region);
}

static int receive(struct peer *peer, const struct recv_options *chosen, uint8_t *buffer)
{
    struct tern_region *region;
    struct filemsg message;
    int status = offer(peer, chosen, buffer, &region);

    if (status)
        return tool_fail(status, "cannot register the buffer");
    status = call_sender(peer, chosen, region);
    if (!status)
        status = await_done(peer, chosen, &message);
    if (!status)
        status = judge(peer, chosen, buffer, &message);
    return status;
}

int cmd_recv_file(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI",
                              "Receives a file into this host's memory and verifies it.", NULL,
                              NULL, NULL};
    struct recv_options chosen = {.buffer_bytes = BUFFER_BYTES, .queue = TERN_QUEUE_ANY,
                                  .timeout_ms = TIMEOUT_S * 1000, .group = -1,
                                  .sender = {.queue = FILEMSG_QUEUE}};
    struct peer peer;
    uint8_t *buffer;
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    buffer = mmap(NULL, chosen.buffer_bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (buffer == MAP_FAILED)
        return tool_fail(-TERN_ST_SYSTEM, "no memory for a buffer of %llu bytes",
                         (unsigned long long)chosen.buffer_bytes);
    status = peer_open(&peer, chosen.uri, chosen.queue);
    if (status)
        return tool_fail_open(status, chosen.uri);
    status = receive(&peer, &chosen, buffer);
    peer_close(&peer);
    munmap(buffer, chosen.buffer_bytes);
    return status;
}
