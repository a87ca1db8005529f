/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes at rest. */
#include "rest.h"

#include <stdlib.h>
#include <string.h>

enum {
    PATIENCE = 1024, /* cycles without an event before a node is watched */
    PATIENCE_MAX = 1 << 20,
    MARGIN = 64 /* cycles before a timer is due */
};

void tern_rest_init(struct tern_rest *rest, bool never)
{
    *rest = (struct tern_rest){.never = never, .patience = PATIENCE};
}

void tern_rest_fini(struct tern_rest *rest)
{
    free(rest->in.beat);
    free(rest->out.beat);
    free(rest->before.bytes);
    free(rest->after.bytes);
}

/* ---- saved states; without memory for them a node does not rest ---- */

static bool keep_beats(struct tern_rest_beats *beats, uint32_t at, unsigned ports,
                       const struct tern_model_beat *beat)
{
    for (unsigned p = 0; p < ports; p++) {
        if (!beat[p].valid)
            continue;
        if (beats->count == beats->size) {
            size_t size = beats->size ? 2 * beats->size : 1024;
            struct tern_rest_beat *more = realloc(beats->beat, size * sizeof(*more));

            if (more == NULL)
                return false;
            beats->beat = more;
            beats->size = size;
        }
        beats->beat[beats->count++] =
            (struct tern_rest_beat){.at = at, .port = (uint8_t)p, .beat = beat[p]};
    }
    return true;
}

static void take(void *ctx, const void *bytes, size_t count)
{
    struct tern_rest_image *image = ctx;

    if (image->count + count > image->size) {
        size_t size = 2 * (image->count + count);
        uint8_t *more = realloc(image->bytes, size);

        if (more == NULL)
            return;
        image->bytes = more;
        image->size = size;
    }
    memcpy(image->bytes + image->count, bytes, count);
    image->count += count;
}

static void keep_state(struct tern_rest_image *image, struct tern_model *model)
{
    image->count = 0;
    tern_model_state(model, take, image);
}

/* ---- from running to rest ---- */

static void give_up(struct tern_rest *rest, uint64_t cycle)
{
    rest->state = TERN_REST_AWAKE;
    rest->quiet = cycle;
    if (rest->patience < PATIENCE_MAX)
        rest->patience *= 2;
}

/* Tells whether the state of `cycle` equals that of a period ago, except for counters of time. */
static bool has_come_back(struct tern_rest *rest, struct tern_model *model)
{
    tern_model_turn(model, -(int64_t)TERN_REST_PERIOD);
    keep_state(&rest->after, model);
    tern_model_turn(model, TERN_REST_PERIOD);
    return rest->after.count == rest->before.count && rest->after.count != 0 &&
           memcmp(rest->after.bytes, rest->before.bytes, rest->after.count) == 0;
}

static void begin(struct tern_rest *rest, struct tern_model *model, uint64_t cycle)
{
    uint64_t left = tern_model_timer(model);

    if (left < TERN_REST_PERIOD || !has_come_back(rest, model)) {
        give_up(rest, cycle);
        return;
    }
    rest->state = TERN_REST_RESTS;
    rest->patience = PATIENCE;
    rest->since = cycle;
    rest->until = left - MARGIN > UINT64_MAX - cycle ? UINT64_MAX : cycle + left - MARGIN;
    rest->at = 0;
    rest->in.next = rest->out.next = 0;
}

void tern_rest_look(struct tern_rest *rest, struct tern_model *model, uint64_t cycle,
                    bool busy, unsigned ports, const struct tern_model_in *in,
                    const struct tern_model_out *out)
{
    if (busy) {
        if (rest->state == TERN_REST_WATCHED)
            give_up(rest, cycle);
        rest->quiet = cycle + 1;
        return;
    }
    if (rest->state == TERN_REST_AWAKE) {
        if (rest->never || cycle - rest->quiet < rest->patience)
            return;
        keep_state(&rest->before, model);
        rest->state = TERN_REST_WATCHED;
        rest->since = cycle + 1;
        rest->in.count = rest->out.count = 0;
        return;
    }
    if (!keep_beats(&rest->in, (uint32_t)(cycle - rest->since), ports, in->lrx) ||
        !keep_beats(&rest->out, (uint32_t)(cycle - rest->since), ports, out->ltx))
        give_up(rest, cycle);
    else if (cycle + 1 - rest->since == TERN_REST_PERIOD)
        begin(rest, model, cycle + 1);
}

/* ---- at rest ---- */

/* Fills in the beats at place `at` of the period; ports without a beat stay as they are. */
static void beats_at(struct tern_rest_beats *beats, uint32_t at,
                     struct tern_model_beat beat[TERN_MODEL_WIRES])
{
    for (; beats->next < beats->count && beats->beat[beats->next].at == at; beats->next++)
        beat[beats->beat[beats->next].port] = beats->beat[beats->next].beat;
}

static bool same_beats(struct tern_rest_beats *beats, uint32_t at, unsigned ports,
                       const struct tern_model_beat *beat)
{
    size_t next = beats->next;

    for (unsigned p = 0; p < ports; p++) {
        const struct tern_rest_beat *was = &beats->beat[next];

        if (!beat[p].valid)
            continue;
        if (next == beats->count || was->at != at || was->port != p ||
            was->beat.kind != beat[p].kind || was->beat.data != beat[p].data)
            return false;
        next++;
    }
    if (next < beats->count && beats->beat[next].at == at)
        return false;
    beats->next = next;
    return true;
}

bool tern_rest_pass(struct tern_rest *rest, uint64_t cycle, unsigned ports,
                    const struct tern_model_beat in[TERN_MODEL_WIRES],
                    struct tern_model_beat out[TERN_MODEL_WIRES])
{
    if (cycle >= rest->until || !same_beats(&rest->in, rest->at, ports, in))
        return false;
    beats_at(&rest->out, rest->at, out);
    rest->rested++;
    if (++rest->at == TERN_REST_PERIOD) {
        rest->at = 0;
        rest->in.next = rest->out.next = 0;
    }
    return true;
}

void tern_rest_end(struct tern_rest *rest, struct tern_model *model, uint64_t cycle,
                   const struct tern_model_in *in, struct tern_model_out *out)
{
    uint64_t periods = (cycle - rest->since) / TERN_REST_PERIOD;
    struct tern_model_in pins = *in;

    tern_model_turn(model, (int64_t)(periods * TERN_REST_PERIOD));
    rest->in.next = 0;
    for (uint32_t at = 0; at < rest->at; at++) {
        memset(pins.lrx, 0, sizeof(pins.lrx));
        beats_at(&rest->in, at, pins.lrx);
        tern_model_step(model, &pins, out);
    }
    rest->rested -= rest->at;
    rest->state = TERN_REST_AWAKE;
    rest->quiet = cycle;
}
