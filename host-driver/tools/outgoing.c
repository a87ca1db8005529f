/* SPDX-License-Identifier: Apache-2.0 */
#include "outgoing.h"

#include <string.h>

#include "tool.h"

enum { PIECE_BYTES = 16384, PIECES_OUT_MAX = 8, ALIVE_MS = 500, TIMEOUT_S = 30 };

const struct outgoing_options outgoing_defaults = {
    .queue = FILEMSG_QUEUE, .timeout_ms = TIMEOUT_S * 1000, .piece_bytes = PIECE_BYTES,
};

error_t outgoing_parse(int key, char *arg, struct argp_state *state, struct outgoing_options *to)
{
    switch (key) {
    case 'q':
        to->queue = (uint16_t)tool_number(state, arg, UINT16_MAX);
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

int outgoing_register(struct outgoing *out)
{
    if (out->payload.bytes == 0)
        return 0;
    return tern_register(out->peer.device, (void *)(uintptr_t)out->payload.data, out->payload.bytes,
                         TERN_RIGHT_LOCAL_READ, &out->region);
}

int outgoing_start(struct outgoing *out)
{
    progress_start(&out->progress, out->payload.bytes);
    return tern_cycles(out->peer.device, &out->first_cycle);
}

uint32_t outgoing_piece(const struct outgoing *out)
{
    uint64_t left = out->payload.bytes - out->posted;

    if (out->peer.puts_out >= PIECES_OUT_MAX)
        return 0;
    return left < out->options->piece_bytes ? (uint32_t)left : out->options->piece_bytes;
}

void outgoing_show(struct outgoing *out)
{
    uint64_t cycle;

    if (!progress_due(&out->progress, out->peer.put_bytes) || tern_cycles(out->peer.device, &cycle))
        return;
    out->cycles = cycle - out->first_cycle;
    progress_show(&out->progress, out->peer.put_bytes, "bytes");
}

void outgoing_end(struct outgoing *out)
{
    if (out->payload.bytes == 0)
        outgoing_show(out);
    progress_end(&out->progress);
}

bool outgoing_silent(const struct outgoing *out)
{
    return peer_now_ms() >= out->alive_ms + ALIVE_MS;
}

struct filemsg outgoing_done(const struct outgoing *out)
{
    struct filemsg message = filemsg_make(FILEMSG_DONE);

    message.bytes = out->payload.bytes;
    memcpy(message.body, out->payload.digest, sizeof(message.body));
    return message;
}

struct filemsg outgoing_refusal(const struct outgoing *out, uint32_t status)
{
    struct filemsg message = filemsg_make(FILEMSG_REFUSE);

    message.status = status;
    message.bytes = out->payload.bytes;
    return message;
}
