/* SPDX-License-Identifier: Apache-2.0 */
#include "asker.h"

#include "owner.h"
#include "peer.h"
#include "tool.h"

enum { TIMEOUT_S = 30, QUEUE_LOG2 = 2, CQ_LOG2 = 3 };

error_t asker_parse(int key, char *arg, struct argp_state *state, struct asker_options *to)
{
    switch (key) {
    case 'a':
        to->at = arg;
        return 0;
    case 'T':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case 'r':
        to->report = arg;
        return 0;
    case ARGP_KEY_ARG:
        to->uri = tool_only(state, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void asker_check(struct argp_state *state, const struct asker_options *chosen, const char *own,
                 const char *for_at, bool has_for_at)
{
    if (!chosen->uri)
        argp_usage(state);
    if (!chosen->own == !chosen->at)
        argp_error(state, "either --%s or --at is needed", own);
    if (chosen->own && (has_for_at || chosen->report))
        argp_error(state, "--%s and --report go with --at", for_at);
}

int asker_open(struct asker *asker, const struct asker_options *chosen)
{
    int status;

    asker->timeout_ms = chosen->timeout_ms == OWNER_FOR_EVER ? TIMEOUT_S * 1000
        : chosen->timeout_ms;
    asker->device = tool_open(chosen->uri);
    if (!asker->device)
        return EXIT_BAD;
    status = tern_cq_create(asker->device, CQ_LOG2, 0, &asker->cq);
    if (!status)
        status = tern_sq_create(asker->cq, QUEUE_LOG2, &asker->sq);
    if (!status)
        return 0;
    tern_close(asker->device);
    return tool_fail(status, "cannot make queues");
}

int asker_await(struct asker *asker, struct tern_completion *done, const char *what)
{
    int64_t end = peer_now_ms() + asker->timeout_ms;
    char text[PEER_TEXT];
    int count;

    while ((count = tern_cq_poll(asker->cq, done, 1)) == 0) {
        int64_t left = end - peer_now_ms();
        int status = tern_cq_wait(asker->cq, left > 0 ? (int)left : 0);

        if (status)
            return tool_fail(status, "%s%s", what,
                             tool_links_down(asker->device, text, sizeof(text)));
    }
    if (count < 0)
        return tool_fail(count, "%s", what);
    if (done->status != TERN_ST_OK)
        return tool_fail(0, "%s: %s", what, tern_completion_format(done, text, sizeof(text)));
    return 0;
}
