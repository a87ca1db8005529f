/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern put and tern recv: single puts. `recv` registers memory and prints its pointer; `put` puts
 * there or, given a second URI, opens both NICs itself, puts from one to the other, and times it in
 * NIC cycles.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "tool.h"

enum { WAIT_MS = 60000, RECV_BYTES = 4096, RECV_CQ_LOG2 = 2, LOOK_MS = 10, PAGE = 4096 };

struct put_options {
    struct tool_ends ends;
    const char *data;
    uint64_t bytes;
    unsigned count;
    bool by_descriptor; /* payload inside the descriptor */
};

static const struct argp_option put_options[] = {
    {"from", 'f', "URI", 0, "the NIC that puts", 0},
    {"to", 't', "POINTER|URI", 0, "what `tern recv` printed, or a NIC to open as well", 0},
    {"data", 'd', "TEXT", 0, "what to put (default: counting bytes)", 0},
    {"bytes", 'b', "BYTES", 0, "how much (64)", 0},
    {"count", 'c', "NUMBER", 0, "how many puts, one after another (1)", 0},
    {"inline", 'i', NULL, 0, "the payload, at most 32 bytes, goes in the descriptor", 0},
    {0},
};

static error_t parse_put(int key, char *arg, struct argp_state *state)
{
    struct put_options *to = state->input;

    switch (key) {
    case 'd':
        to->data = arg;
        to->bytes = strlen(arg);
        return 0;
    case 'b':
        to->bytes = tool_number(state, arg, TERN_PUT_BYTES_MAX);
        return 0;
    case 'c':
        to->count = (unsigned)tool_number(state, arg, 1000000000);
        return 0;
    case 'i':
        to->by_descriptor = true;
        return 0;
    default:
        return tool_parse_ends(key, arg, state, &to->ends);
    }
}

static int post_one(struct peer *from, const struct put_options *chosen, struct tern_rptr to,
                    const struct tern_region *region, const uint8_t *data)
{
    if (chosen->by_descriptor)
        return tern_put_inline(from->sq, to, data, (uint32_t)chosen->bytes, TERN_DFLAG_SIGNAL,
                               chosen->bytes);
    return tern_put(from->sq, to, region, data, (uint32_t)chosen->bytes, TERN_DFLAG_SIGNAL,
                    chosen->bytes);
}

/* Makes puts one after another, and waits for each. */
static int put_and_time(struct peer *from, const struct put_options *chosen, struct tern_rptr to,
                        const struct tern_region *region, const uint8_t *data)
{
    uint64_t start, end;
    char text[PEER_TEXT];
    int status = tern_cycles(from->device, &start);

    for (unsigned i = 0; i < chosen->count && !status; i++) {
        status = post_one(from, chosen, to, region, data);
        from->puts_out += !status;
        while (!status && from->puts_out)
            status = peer_step(from, WAIT_MS);
        if (from->put_failed)
            return tool_fail(0, "%s", tern_completion_format(&from->put_error, text, sizeof(text)));
    }
    if (!status)
        status = tern_cycles(from->device, &end);
    if (status)
        return tool_fail(status, "put failed");
    printf("%u put%s of %" PRIu64 " bytes", chosen->count, chosen->count == 1 ? "" : "s",
           chosen->bytes);
    if (from->info.modelled)
        printf("\n"); /* the soft tier's clock is not that of the chip */
    else
        printf(", %" PRIu64 " cycles, host included\n", end - start);
    return 0;
}

/*
 * Returns memory of zeros that begins with a page. A NIC reads blocks of the host's memory, so it
 * needs three reads for a packet's bytes in place of two if they begin within one.
 */
static uint8_t *new_memory(uint64_t bytes)
{
    uint8_t *memory = NULL;

    if (bytes <= SIZE_MAX - PAGE)
        memory = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
    return memory ? memset(memory, 0, bytes) : NULL;
}

/* Puts to a second NIC opened by this process: registers memory there and checks it afterwards. */
static int put_to_own(struct peer *from, const struct put_options *chosen,
                      const struct tern_region *region, const uint8_t *data)
{
    struct tern_device *target = tool_open(chosen->ends.to);
    uint8_t *memory = new_memory(chosen->bytes + 1);
    struct tern_region *there;
    int status;

    if (!target || !memory)
        return EXIT_BAD;
    status = tern_register(target, memory, chosen->bytes + 1, TERN_RIGHT_REMOTE_WRITE, &there);
    if (status)
        status = tool_fail(status, "cannot register memory at %s", chosen->ends.to);
    else
        status = put_and_time(from, chosen, tern_region_pointer(there, 0), region, data);
    if (!status && memcmp(memory, data, chosen->bytes))
        status = tool_fail(0, "what arrived differs");
    tern_close(target);
    free(memory);
    return status;
}

int cmd_put(int argc, char **argv)
{
    const struct argp argp = {put_options, parse_put, NULL, "Puts bytes and counts NIC cycles.",
                              NULL, NULL, NULL};
    struct put_options chosen = {.bytes = 64, .count = 1};
    struct tern_region *region = NULL;
    struct tern_rptr to;
    struct peer from;
    uint8_t *data;
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    data = new_memory(chosen.bytes + 1);
    for (uint64_t i = 0; data && i < chosen.bytes; i++)
        data[i] = chosen.data ? (uint8_t)chosen.data[i] : (uint8_t)i;
    status = data ? peer_open(&from, chosen.ends.from, TERN_QUEUE_ANY) : -TERN_ST_NO_MEMORY;
    if (!status)
        status = tern_register(from.device, data, chosen.bytes + 1, TERN_RIGHT_LOCAL_READ, &region);
    if (status)
        return tool_fail_open(status, chosen.ends.from);
    if (!tern_rptr_parse(chosen.ends.to, &to, NULL))
        status = put_and_time(&from, &chosen, to, region, data);
    else
        status = put_to_own(&from, &chosen, region, data);
    peer_close(&from);
    free(data);
    return status;
}

/* ---- recv */

struct recv_options {
    const char *uri;
    uint64_t bytes;
    int timeout_ms;
};

static const struct argp_option recv_options[] = {
    {"bytes", 'b', "BYTES", 0, "how much memory to offer (4096)", 0},
    {"timeout", 't', "SECONDS", 0, "stop waiting after so long (never)", 0},
    {0},
};

static error_t parse_recv(int key, char *arg, struct argp_state *state)
{
    struct recv_options *to = state->input;

    switch (key) {
    case 'b':
        to->bytes = tool_number(state, arg, UINT64_C(1) << 32);
        return 0;
    case 't':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case ARGP_KEY_ARG:
        to->uri = arg;
        return 0;
    case ARGP_KEY_END:
        if (!to->uri || !to->bytes)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Returns the bytes up to the last that is not zero. */
static uint64_t arrived(const volatile uint8_t *memory, uint64_t bytes)
{
    while (bytes > 0 && !memory[bytes - 1])
        bytes--;
    return bytes;
}

static void print_bytes(const uint8_t *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (isprint(memory[i]))
            putchar(memory[i]);
        else
            printf("\\x%02x", memory[i]);
    putchar('\n');
}

/*
 * Waits until bytes have arrived. WAIT_EXPIRED after `timeout_ms`, unless that is negative;
 * DISCONNECTED, which the completion queue reports, as soon as the NIC is gone.
 */
static int await_bytes(struct tern_cq *cq, const struct recv_options *chosen, const uint8_t *memory)
{
    int64_t end = peer_now_ms() + chosen->timeout_ms;

    while (!arrived(memory, chosen->bytes)) {
        int status = tern_cq_wait(cq, LOOK_MS);

        if (status != -TERN_ST_WAIT_EXPIRED && status)
            return status;
        if (chosen->timeout_ms >= 0 && peer_now_ms() >= end)
            return -TERN_ST_WAIT_EXPIRED;
    }
    return 0;
}

/* Registers the memory, and makes the completion queue `cq` that reports a lost connection. */
static int offer(struct tern_device *device, uint8_t *memory, uint64_t bytes, struct tern_cq **cq)
{
    char text[TERN_RPTR_TEXT];
    struct tern_region *region;
    int status = tern_register(device, memory, bytes, TERN_RIGHT_REMOTE_WRITE, &region);

    if (!status)
        status = tern_cq_create(device, RECV_CQ_LOG2, 0, cq);
    if (status)
        return tool_fail(status, "cannot register memory");
    printf("%s\n", tern_rptr_format(tern_region_pointer(region, 0), text));
    fflush(stdout);
    return EXIT_DONE;
}

int cmd_recv(int argc, char **argv)
{
    const struct argp argp = {recv_options, parse_recv, "URI",
                              "Offers memory, prints its pointer, and shows what arrives.", NULL,
                              NULL, NULL};
    struct recv_options chosen = {.bytes = RECV_BYTES, .timeout_ms = -1};
    struct tern_device *device;
    struct tern_cq *cq = NULL;
    uint8_t *memory;
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    memory = calloc(1, chosen.bytes);
    device = tool_open(chosen.uri);
    if (!device || !memory)
        return EXIT_BAD;
    if (offer(device, memory, chosen.bytes, &cq))
        return EXIT_BAD;
    status = await_bytes(cq, &chosen, memory);
    if (!status)
        print_bytes(memory, arrived(memory, chosen.bytes));
    tern_close(device);
    free(memory);
    return status ? tool_fail(status, "nothing arrived") : EXIT_DONE;
}
