/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rendezvous: the origin side. A put is three descriptors: a request to send that arms the check-in
 * area, a wait for that area, and the broadcast, which starts only after the wait. If the wait
 * fails the NIC flushes the broadcast, and the driver reports the status of the wait.
 *
 * With combined answers the broadcast is not acked. A fourth descriptor waits in a second area for
 * the members that have all bytes; its completion is that of the put.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <tern/checkin.h>
#include <tern/rendezvous.h>

#include "box.h"
#include "fifo.h"

enum { A_PART, THE_END }; /* contexts of the descriptors */

enum { DESCRIPTORS = 4, VALUE_BYTES = TERN_CHECKIN_BYTES, PORTS = 6 };

struct target {
    uint16_t node, slot;
};

struct tern_rendezvous {
    struct tern_work work; /* owner of all descriptors of its puts */
    struct tern_cq *cq;
    struct tern_rendezvous_limits limits;
    struct tern_box box;
    uint32_t key, pass, slots; /* `slots`: of the area */
    uint32_t bytes;            /* of the put in flight */
    uint32_t asked; /* bytes announced by tern_rendezvous_ask() */
    unsigned heard; /* answers to that request */
    uint16_t epoch;
    bool out;
    struct tern_completion why; /* why the request or the wait failed; OK: neither did */
    struct tern_shared memory;  /* values that the NIC writes */
    struct tern_region *region;
    uint64_t context; /* of the put in flight */
    uint16_t first;   /* relay: descriptor index of its request */
    unsigned count;
    struct target targets[];
};

static uint64_t *values(const struct tern_rendezvous *rendezvous)
{
    return (uint64_t *)(void *)rendezvous->memory.base;
}

/* Returns the place of the request that the NIC sends with `relay`. */
static uint32_t *relayed(const struct tern_rendezvous *rendezvous)
{
    return (uint32_t *)(void *)(values(rendezvous) + rendezvous->slots);
}

/* Reads the answer (ANS) in a slot.  False: the slot has no answer of this epoch. */
static bool read_answer(const struct tern_rendezvous *rendezvous, unsigned slot, uint32_t words[2])
{
    uint64_t value = __atomic_load_n(&values(rendezvous)[slot], __ATOMIC_ACQUIRE);

    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
    return TERN_GET(ANS, epoch, words) == rendezvous->epoch;
}

/* ---- making and ending */

static int add_targets(struct tern_rendezvous *rendezvous, const struct tern_group *group,
                       uint16_t dims)
{
    struct tern_member *members = calloc(rendezvous->count + 1, sizeof(*members));

    if (!members)
        return -TERN_ST_NO_MEMORY;
    (void)tern_group_members(group, members, rendezvous->count);
    for (unsigned i = 0; i < rendezvous->count; i++)
        rendezvous->targets[i] = (struct target){
            members[i].node, (uint16_t)tern_box_rank(rendezvous->box, dims, members[i].node)};
    free(members);
    return 0;
}

/* Arms area `id` for the first time; later requests change only its epoch. */
static int arm_first(struct tern_rendezvous *rendezvous, uint16_t id)
{
    struct tern_area area = {
        .id = id,
        .epoch = rendezvous->epoch,
        .slots = rendezvous->slots,
        .pass = rendezvous->pass,
        .limit = rendezvous->limits.answer,
        .region = id == rendezvous->limits.area ? rendezvous->region : NULL,
        .values = rendezvous->memory.base,
    };

    return tern_area_arm(rendezvous->cq->device, &area, NULL);
}

static int arm_areas(struct tern_rendezvous *rendezvous)
{
    int status = arm_first(rendezvous, rendezvous->limits.area);

    if (!status && rendezvous->limits.combined)
        status = arm_first(rendezvous, (uint16_t)(rendezvous->limits.area + 1));
    return status;
}

/* Makes the memory for the answers, and the area. */
static int start(struct tern_rendezvous *rendezvous)
{
    struct tern_device *device = rendezvous->cq->device;
    int status = tern_shared_create(device,
            (size_t)rendezvous->slots * VALUE_BYTES + TERN_RELAY_BYTES, &rendezvous->memory);

    if (status)
        return status;
    status = tern_shared_register(device, &rendezvous->memory, &rendezvous->region);
    if (!status) {
        status = arm_areas(rendezvous);
        if (status)
            (void)tern_release(rendezvous->region);
    }
    if (status)
        tern_shared_destroy(device, &rendezvous->memory);
    return status;
}

static void placed(void *arg, struct tern_completion *completion);

/*
 * Checks the limits of a relay: each node that forwards a request adds 4 bytes and names the next
 * node.
 */
static int check_relay(struct tern_rendezvous *made, const struct tern_info *info)
{
    if (!made->limits.relay)
        return 0;
    if (tern_fifo_read_by(made->limits.relay, made->cq, NULL, NULL))
        return -TERN_ST_BAD_ARGUMENT;
    if (made->count + 1 != tern_box_nodes(made->box, info->dims))
        return -TERN_ST_BAD_BOX;
    return TERN_RELAY_BYTES + 4 * made->count <= info->max_payload ? 0 : -TERN_ST_BAD_SIZE;
}

static const struct tern_work_calls rendezvous_calls;

int tern_rendezvous_create(struct tern_cq *cq, const struct tern_group *group,
                           const struct tern_rendezvous_limits *limits,
                               struct tern_rendezvous **out)
{
    uint16_t dims = cq->device->info.dims;
    unsigned count = tern_group_members(group, NULL, 0);
    struct tern_rendezvous *made = calloc(1, sizeof(*made) + count * sizeof(made->targets[0]));
    int status;

    if (!made)
        return -TERN_ST_NO_MEMORY;
    made->cq = cq;
    made->limits = *limits;
    made->box = tern_group_box(group);
    made->key = tern_group_region_key(group);
    made->slots = limits->combined ? PORTS : tern_box_nodes(made->box, dims);
    made->count = count;
    if (getrandom(&made->pass, sizeof(made->pass), 0) != sizeof(made->pass))
        made->pass = made->key;
    status = made->slots <= TERN_CHECKIN_SLOTS ? check_relay(made,
                                                             &cq->device->info) : -TERN_ST_BAD_SIZE;
    if (!status)
        status = add_targets(made, group, dims);
    if (!status)
        status = start(made);
    if (status) {
        free(made);
        return status;
    }
    if (limits->relay)
        (void)tern_fifo_read_by(limits->relay, cq, placed, made);
    tern_work_add(cq, &made->work, &rendezvous_calls);
    *out = made;
    return 0;
}

/* Stops the area from writing values. */
static int disarm(struct tern_rendezvous *rendezvous)
{
    struct tern_area area = {.id = rendezvous->limits.area,
                             .epoch = (uint16_t)(rendezvous->epoch + 1), .slots = 1,
                             .pass = ~rendezvous->pass};
    int status = tern_area_arm(rendezvous->cq->device, &area, NULL);

    area.id++;
    if (!status && rendezvous->limits.combined)
        status = tern_area_arm(rendezvous->cq->device, &area, NULL);
    return status;
}

int tern_rendezvous_destroy(struct tern_rendezvous *rendezvous)
{
    struct tern_device *device = rendezvous->cq->device;
    int status;

    if (rendezvous->out && !tern_transport_state(device->transport))
        return -TERN_ST_QUEUE_BUSY;
    status = disarm(rendezvous);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    if (rendezvous->limits.relay)
        (void)tern_fifo_read_by(rendezvous->limits.relay, rendezvous->cq, NULL, NULL);
    tern_work_remove(&rendezvous->work);
    (void)tern_release(rendezvous->region);
    tern_shared_destroy(device, &rendezvous->memory);
    free(rendezvous);
    return status;
}

static struct tern_rendezvous *rendezvous_of(struct tern_work *work)
{
    return (struct tern_rendezvous *)(void *)((uint8_t *)work - offsetof(struct tern_rendezvous,
                                                                         work));
}

static void rendezvous_free(struct tern_work *work)
{
    tern_shared_destroy(rendezvous_of(work)->cq->device, &rendezvous_of(work)->memory);
    free(rendezvous_of(work));
}

/* ---- putting */

static void set_box(const struct tern_rendezvous *rendezvous, uint32_t *words)
{
    TERN_SET(BOX, low, words, rendezvous->box.low);
    TERN_SET(BOX, high, words, rendezvous->box.high);
    TERN_SET(BOX, members, words, rendezvous->count);
}

/*
 * Returns a tag for the key of the bytes that earlier epochs did not use; other origins start at
 * other values.
 */
static uint16_t tag_of(const struct tern_rendezvous *rendezvous)
{
    uint32_t count = rendezvous->pass % 0xffffu + rendezvous->epoch;

    return (uint16_t)((rendezvous->key >> 16) + 1 + count % 0xffffu);
}

/* Fills in the request to the members. */
static void set_request(const struct tern_rendezvous *rendezvous, uint32_t bytes,
                        uint32_t reference,
                        uint32_t *words)
{
    TERN_SET(RTS, epoch, words, rendezvous->epoch);
    TERN_SET(RTS, tag, words, tag_of(rendezvous));
    TERN_SET(RTS, pass, words, rendezvous->pass);
    TERN_SET(RTS, length, words, bytes);
    TERN_SET(RTS, lease, words, rendezvous->limits.lease);
    TERN_SET(RTS, reference, words, reference);
    TERN_SET(RTS, box_low, words, rendezvous->box.low);
    TERN_SET(RTS, box_high, words, rendezvous->box.high);
}

static int post_request(struct tern_sq *sq, struct tern_rendezvous *rendezvous, uint32_t bytes,
                        uint32_t reference, unsigned flags)
{
    uint32_t words[DESC_WORDS] = {0};

    set_box(rendezvous, words);
    TERN_SET(DESC, opcode, words, TERN_OP_RTS);
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE | TERN_DFLAG_FENCE);
    TERN_SET(DESC, inline_len, words, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, remote_key, words, rendezvous->key);
    TERN_SET(RTS, area, words, rendezvous->limits.area);
    set_request(rendezvous, bytes, reference, words);
    if (rendezvous->limits.combined) {
        TERN_SET(RTS, combined, words, 1);
        TERN_SET(RTS, delivered, words, bytes != 0);
        TERN_SET(RTS, limit, words, rendezvous->limits.answer);
    }
    if (rendezvous->limits.answers && bytes) {
        TERN_SET(RTS, answers, words, tern_rq_number(rendezvous->limits.answers));
        TERN_SET(RTS, by_message, words, 1);
    }
    return tern_post_for(sq, words, flags, A_PART, &rendezvous->work);
}

/* ---- a relayed request */

static uint32_t key_of_bytes(const struct tern_rendezvous *rendezvous)
{
    return (uint32_t)tag_of(rendezvous) << 16 | (rendezvous->key & 0xffff);
}

/*
 * Writes the request, followed by the descriptor of the broadcast, which the last member places in
 * this NIC's FIFO.
 */
static void write_relayed(const struct tern_rendezvous *rendezvous,
                          const struct tern_region *region,
                          const void *from, uint32_t reference)
{
    uint32_t request[DESC_WORDS] = {0}, get[DESC_WORDS] = {0};
    uint32_t *to = relayed(rendezvous);

    set_request(rendezvous, rendezvous->bytes, reference, request);
    TERN_SET(RTS, answers, request, tern_fifo_number(rendezvous->limits.relay));
    TERN_SET(RLY, origin, request, rendezvous->cq->device->info.node);
    TERN_SET(GET, opcode, get, TERN_OP_BCAST);
    TERN_SET(GET, flags, get, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET);
    TERN_SET(GET, node, get, rendezvous->box.high);
    TERN_SET(GET, length, get, rendezvous->bytes);
    TERN_SET(GET, local_addr, get, (uintptr_t)from);
    TERN_SET(GET, local_key, get, region->key);
    TERN_SET(GBOX, low, get, rendezvous->box.low);
    TERN_SET(GBOX, members, get, rendezvous->count);
    memcpy(to, request + TERN_INLINE_OFFSET / 4, TERN_RELAY_BYTES / 2);
    memcpy(to + TERN_INLINE_BYTES_MAX / 4, get + TERN_INLINE_OFFSET / 4, TERN_RELAY_BYTES / 2);
}

static int post_relayed(struct tern_sq *sq, struct tern_rendezvous *rendezvous)
{
    const struct tern_info *info = &rendezvous->cq->device->info;
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_RELAY);
    TERN_SET(DESC, flags, words, TERN_DFLAG_FENCE);
    TERN_SET(DESC, dst_node, words, tern_box_first(rendezvous->box, info->dims, info->node));
    TERN_SET(DESC, length, words, TERN_RELAY_BYTES);
    TERN_SET(DESC, remote_key, words, rendezvous->key);
    TERN_SET(GET, area, words, rendezvous->limits.area);
    TERN_SET(GET, epoch, words, rendezvous->epoch);
    tern_desc_set_local(words, rendezvous->region, relayed(rendezvous));
    return tern_post_for(sq, words, TERN_MORE, A_PART, &rendezvous->work);
}

/* Posts the wait of a relayed put. If it fails it ends the put; otherwise the broadcast does. */
static int post_relay_wait(struct tern_sq *sq, struct tern_rendezvous *rendezvous)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_WAIT);
    TERN_SET(CHK, area, words, rendezvous->limits.area);
    TERN_SET(CHK, epoch, words, rendezvous->epoch);
    return tern_post_for(sq, words, 0, THE_END, &rendezvous->work);
}

static int post_relay(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                      const struct tern_region *region,
                      const void *from, uint32_t reference)
{
    int status;

    write_relayed(rendezvous, region, from, reference);
    status = post_relayed(sq, rendezvous);
    return status ? status : post_relay_wait(sq, rendezvous);
}

/* ---- a request to all at once */

static int post_wait(struct tern_sq *sq, struct tern_rendezvous *rendezvous)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_WAIT);
    TERN_SET(CHK, area, words, rendezvous->limits.area);
    TERN_SET(CHK, epoch, words, rendezvous->epoch);
    TERN_SET(DESC, decides, words, 1);
    return tern_post_for(sq, words, TERN_MORE, A_PART, &rendezvous->work);
}

/* Posts a wait for the check-ins that report all bytes arrived. */
static int post_end(struct tern_sq *sq, struct tern_rendezvous *rendezvous)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_WAIT);
    TERN_SET(DESC, linked, words, 1);
    TERN_SET(CHK, area, words, rendezvous->limits.area + 1u);
    TERN_SET(CHK, epoch, words, rendezvous->epoch);
    return tern_post_for(sq, words, TERN_DFLAG_SIGNAL, THE_END, &rendezvous->work);
}

static int post_bytes(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                      const struct tern_region *region, const void *from, uint32_t bytes,
                          uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    rendezvous->bytes = bytes;
    rendezvous->context = context;
    set_box(rendezvous, words);
    TERN_SET(DESC, opcode, words, TERN_OP_BCAST);
    TERN_SET(DESC, linked, words, 1);
    TERN_SET(DESC, length, words, bytes);
    TERN_SET(DESC, remote_key, words, key_of_bytes(rendezvous));
    tern_desc_set_local(words, region, from);
    if (!rendezvous->limits.combined)
        return tern_post_for(sq, words, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, THE_END,
                             &rendezvous->work);
    status = tern_post_for(sq, words, TERN_DFLAG_UNACKED | TERN_DFLAG_OFFSET | TERN_MORE, A_PART,
                           &rendezvous->work);
    return status ? status : post_end(sq, rendezvous);
}

/* Begins the next epoch; skips 0, which empty slots hold. */
static void next_epoch(struct tern_rendezvous *rendezvous)
{
    if (++rendezvous->epoch == 0)
        rendezvous->epoch = 1;
}

static void begin(struct tern_rendezvous *rendezvous)
{
    next_epoch(rendezvous);
    rendezvous->why.status = TERN_ST_OK;
    memset(values(rendezvous), 0, (size_t)rendezvous->slots * VALUE_BYTES);
}

static int post_all(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                    const struct tern_region *region,
                    const void *from, uint32_t reference)
{
    int status = post_request(sq, rendezvous, rendezvous->bytes, reference, TERN_MORE);

    if (!status)
        status = post_wait(sq, rendezvous);
    return status ? status
                  : post_bytes(sq, rendezvous, region, from, rendezvous->bytes,
                               rendezvous->context);
}

/*
 * Returns why the memory of answers must not be accessed now, or 0; a child after fork() does not
 * have that memory.
 */
static int unusable(const struct tern_rendezvous *rendezvous)
{
    return tern_transport_state(rendezvous->cq->device->transport);
}

int tern_rendezvous_put(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                        const struct tern_region *region, const void *from, uint32_t bytes,
                        uint32_t reference, uint64_t context)
{
    int status;

    if (!region || sq->cq != rendezvous->cq || sq->chain.steps || rendezvous->limits.answers)
        return -TERN_ST_BAD_ARGUMENT;
    if (bytes == 0 || bytes > sq->cq->device->info.put_bytes_max)
        return -TERN_ST_BAD_LENGTH;
    if (unusable(rendezvous))
        return unusable(rendezvous);
    if (rendezvous->out || !tern_sq_room(sq, DESCRIPTORS))
        return -TERN_ST_AGAIN;
    begin(rendezvous);
    rendezvous->bytes = bytes;
    rendezvous->context = context;
    rendezvous->first = (uint16_t)sq->places.made;
    status = rendezvous->limits.relay ? post_relay(sq, rendezvous, region, from, reference)
                                      : post_all(sq, rendezvous, region, from, reference);
    rendezvous->out = !status;
    return status;
}

int tern_rendezvous_withdraw(struct tern_sq *sq, struct tern_rendezvous *rendezvous)
{
    if (sq->cq != rendezvous->cq)
        return -TERN_ST_BAD_ARGUMENT;
    if (rendezvous->out || !tern_sq_room(sq, 1))
        return -TERN_ST_AGAIN;
    next_epoch(rendezvous);
    rendezvous->asked = 0;
    return post_request(sq, rendezvous, 0, 0, 0);
}

/* ---- answers */

/* Returns the answer of a member from the combined answers: a port reports at most one refusal. */
static struct tern_answer told_of(const struct tern_rendezvous *rendezvous, unsigned target)
{
    struct tern_answer answer = {rendezvous->targets[target].node, TERN_ST_OK, 0};

    for (unsigned port = 0; port < PORTS; port++) {
        uint32_t words[2];

        if (read_answer(rendezvous, port, words) && TERN_GET(ANS, refusal, words) &&
            TERN_GET(ANS, base, words) == rendezvous->targets[target].slot)
            answer.status = (enum tern_status)TERN_GET(ANS, refusal, words);
    }
    return answer;
}

/* Returns the answer of a target of a relayed request: the origin knows only of a refusal. */
static struct tern_answer passed_on_by(const struct tern_rendezvous *rendezvous, unsigned target)
{
    struct tern_answer answer = {rendezvous->targets[target].node, TERN_ST_OK, 0};

    if (rendezvous->why.status != TERN_ST_OK && rendezvous->why.node == answer.node)
        answer.status = rendezvous->why.status;
    return answer;
}

static struct tern_answer answer_of(const struct tern_rendezvous *rendezvous, unsigned target)
{
    struct tern_answer answer = {rendezvous->targets[target].node, TERN_ST_TIMEOUT, 0};
    uint32_t words[2];

    if (rendezvous->limits.combined)
        return told_of(rendezvous, target);
    if (rendezvous->limits.relay)
        return passed_on_by(rendezvous, target);
    if (!read_answer(rendezvous, rendezvous->targets[target].slot, words))
        return answer;
    answer.status = (enum tern_status)TERN_GET(ANS, refusal, words);
    answer.base = answer.status == TERN_ST_OK ? TERN_GET(ANS, base, words) : 0;
    return answer;
}

unsigned tern_rendezvous_answers(const struct tern_rendezvous *rendezvous,
                                 struct tern_answer *answers,
                                 unsigned max)
{
    for (unsigned i = 0; !rendezvous->cq->device->forked && i < rendezvous->count && i < max; i++)
        answers[i] = answer_of(rendezvous, i);
    return rendezvous->count;
}

/* Finds the first member that has no room, or did not answer; false: there is none. */
static bool first_refusal(const struct tern_rendezvous *rendezvous, struct tern_answer *answer)
{
    for (unsigned i = 0; i < rendezvous->count; i++) {
        *answer = answer_of(rendezvous, i);
        if (answer->status != TERN_ST_OK)
            return true;
    }
    return false;
}

static void blame(const struct tern_rendezvous *rendezvous, struct tern_completion *completion)
{
    struct tern_answer answer;

    if (!first_refusal(rendezvous, &answer))
        return;
    completion->status = answer.status;
    completion->node = answer.node;
}

/* ---- a rendezvous by the host's software */

int tern_rendezvous_ask(struct tern_sq *sq, struct tern_rendezvous *rendezvous, uint32_t bytes,
                        uint32_t reference)
{
    int status;

    if (sq->cq != rendezvous->cq || !rendezvous->limits.answers)
        return -TERN_ST_BAD_ARGUMENT;
    if (bytes == 0 || bytes > sq->cq->device->info.put_bytes_max)
        return -TERN_ST_BAD_LENGTH;
    if (unusable(rendezvous))
        return unusable(rendezvous);
    if (rendezvous->out || !tern_sq_room(sq, 1))
        return -TERN_ST_AGAIN;
    begin(rendezvous);
    status = post_request(sq, rendezvous, bytes, reference, 0);
    rendezvous->asked = status ? 0 : bytes;
    rendezvous->heard = 0;
    return status;
}

/* Finds the slot of an answer to the last request; false: the message is no such answer. */
static bool is_answer(const struct tern_rendezvous *rendezvous,
                      const struct tern_completion *message,
                      unsigned *slot)
{
    uint32_t named[TERN_CHK_slot_WORD + 1] = {0}, said[VALUE_BYTES / 4];

    if (!rendezvous->limits.answers || message->opcode != TERN_OP_RECV ||
        message->length != VALUE_BYTES ||
        message->queue != tern_rq_number(rendezvous->limits.answers))
        return false;
    named[TERN_CHK_slot_WORD] = message->imm;
    memcpy(said, message->data, sizeof(said));
    *slot = (unsigned)TERN_GET(CHK, slot, named);
    return *slot < rendezvous->slots && TERN_GET(CHK, area, named) == rendezvous->limits.area &&
           TERN_GET(ANS, epoch, said) == rendezvous->epoch;
}

int tern_rendezvous_heard(struct tern_rendezvous *rendezvous, const struct tern_completion *message)
{
    struct tern_answer answer;
    uint32_t words[2];
    unsigned slot;

    if (unusable(rendezvous))
        return unusable(rendezvous);
    if (!is_answer(rendezvous, message, &slot))
        return -TERN_ST_BAD_ARGUMENT;
    rendezvous->heard += !read_answer(rendezvous, slot, words);
    memcpy(&values(rendezvous)[slot], message->data, VALUE_BYTES);
    if (rendezvous->heard < rendezvous->count)
        return (int)(rendezvous->count - rendezvous->heard);
    return first_refusal(rendezvous, &answer) ? -(int)answer.status : 0;
}

int tern_rendezvous_send(struct tern_sq *sq, struct tern_rendezvous *rendezvous,
                         const struct tern_region *region, const void *from, uint64_t context)
{
    struct tern_answer answer;
    int status;

    if (!region || sq->cq != rendezvous->cq)
        return -TERN_ST_BAD_ARGUMENT;
    if (unusable(rendezvous))
        return unusable(rendezvous);
    if (rendezvous->asked == 0 || first_refusal(rendezvous, &answer))
        return -TERN_ST_AGAIN;
    status = post_bytes(sq, rendezvous, region, from, rendezvous->asked, context);
    rendezvous->out = !status;
    if (!status)
        rendezvous->asked = 0;
    return status;
}

/* ---- completions */

/* Reports the failure that stopped the put, in place of the status of its last descriptor. */
static void explain(const struct tern_rendezvous *rendezvous, struct tern_completion *completion)
{
    const struct tern_completion *why = &rendezvous->why;

    completion->opcode = TERN_OP_BCAST;
    completion->value = 0;
    completion->length = completion->status == TERN_ST_OK ? rendezvous->bytes : 0;
    if (completion->status == TERN_ST_OK || why->status == TERN_ST_OK)
        return;
    completion->status = why->status;
    completion->node = why->node;
    completion->link = why->link;
    completion->fault = why->fault;
    if (why->opcode == TERN_OP_WAIT && why->status == TERN_ST_BAD_KEY)
        completion->status = TERN_ST_NO_BASE;
    else if (why->opcode == TERN_OP_WAIT)
        blame(rendezvous, completion);
}

static void end_relayed(struct tern_rendezvous *rendezvous, struct tern_completion *completion)
{
    struct tern_completion *why = &rendezvous->why;

    rendezvous->out = false;
    completion->context = rendezvous->context;
    if (completion->status != TERN_ST_OK && why->status == TERN_ST_OK)
        *why = *completion;
    /* One slot of the area per node. */
    for (unsigned i = 0; why->opcode == TERN_OP_WAIT && i < rendezvous->count; i++)
        if (why->status != TERN_ST_TIMEOUT && rendezvous->targets[i].slot == why->value)
            why->node = rendezvous->targets[i].node;
    if (why->status == TERN_ST_BAD_KEY && why->opcode != TERN_OP_BCAST)
        why->status = TERN_ST_NO_BASE;
    why->opcode = TERN_OP_BCAST;
    explain(rendezvous, completion);
}

/*
 * Handles the end of the wait for a relayed broadcast. True: the broadcast has begun and will
 * complete.
 */
static bool relay_goes_on(struct tern_rendezvous *rendezvous, struct tern_completion *completion)
{
    if (completion->status == TERN_ST_OK)
        return true;
    end_relayed(rendezvous, completion);
    return false;
}

/* Takes a completion of the FIFO in which the last member places the broadcast. */
static void placed(void *arg, struct tern_completion *completion)
{
    struct tern_rendezvous *rendezvous = arg;

    if (rendezvous->out)
        end_relayed(rendezvous, completion);
}

/* Handles the end of one part of a put.  True: the application gets the completion. */
static bool part_ended(struct tern_rendezvous *rendezvous, const struct tern_completion *completion)
{
    /* A request that members pass on may fail long after its put has ended. */
    if (completion->opcode == TERN_OP_RELAY && (!rendezvous->out ||
                                                completion->index != rendezvous->first))
        return false;
    if (!rendezvous->out) /* of tern_rendezvous_withdraw() or tern_rendezvous_ask() */
        return completion->status != TERN_ST_OK;
    if (completion->status != TERN_ST_OK && rendezvous->why.status == TERN_ST_OK)
        rendezvous->why = *completion;
    return false;
}

static bool rendezvous_ended(struct tern_work *work, struct tern_completion *completion,
                             bool wanted)
{
    struct tern_rendezvous *rendezvous = rendezvous_of(work);

    (void)wanted;
    if (completion->context != THE_END) {
        completion->context = 0;
        return part_ended(rendezvous, completion);
    }
    if (rendezvous->limits.relay)
        return !relay_goes_on(rendezvous, completion);
    rendezvous->out = false;
    completion->context = rendezvous->context;
    explain(rendezvous, completion);
    return true;
}

/* Ends a relayed put: none of its descriptors in flight ends with the lost connection. */
static bool rendezvous_lost(struct tern_work *work, struct tern_completion *out)
{
    struct tern_rendezvous *rendezvous = rendezvous_of(work);

    if (!rendezvous->out)
        return false;
    rendezvous->out = false;
    out->status = TERN_ST_DISCONNECTED;
    out->opcode = TERN_OP_BCAST;
    out->context = rendezvous->context;
    return true;
}

static const struct tern_work_calls rendezvous_calls = {
    .ended = rendezvous_ended, .lost = rendezvous_lost, .free = rendezvous_free};
