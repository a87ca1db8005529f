/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs between hosts in processes of their own: one echoes all messages, the other sends
 * messages of all kinds, puts and reads, and both shut their pairs at the end.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tern/pair.h>

#include "chaos.h"
#include "rig_tier.h"

enum { LONGEST = 4096, BUFFERS = 8, KEY = 0x7e570001, END = 'q', WAIT_MS = 60000 /* a net */ };

struct side {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_region *region;
    struct tern_inbox *inbox;
    struct tern_pair *rc, *ud;
    uint8_t memory[LONGEST], buffers[BUFFERS][LONGEST];
};

/* The names that one side sends to the other. */
struct offer {
    struct tern_pair_name rc, ud;
    struct tern_rptr memory;
};

static struct side side;

static unsigned rounds(void)
{
    return rig_tier_is_soft() ? 200 : 40;
}

static struct offer open_side(const struct rig *rig, unsigned node)
{
    side.device = rig_open(rig, node);
    gives(tern_register(side.device, &side, sizeof(side),
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC,
                        &side.region), 0, "tern_register");
    gives(tern_cq_create(side.device, 7, 0, &side.cq), 0, "tern_cq_create");
    gives(tern_inbox_create(side.cq, 3, 12, TERN_INBOX_SHARED, &side.inbox), 0,
          "tern_inbox_create");
    gives(tern_pair_create(side.cq, TERN_PAIR_RC, 4, side.inbox, &side.rc), 0, "tern_pair_create");
    gives(tern_pair_create(side.cq, TERN_PAIR_UD, 4, side.inbox, &side.ud), 0, "tern_pair_create");
    for (unsigned i = 0; i < BUFFERS; i++)
        gives(tern_inbox_post(side.inbox, side.buffers[i], LONGEST, i), 0, "tern_inbox_post");
    return (struct offer){tern_pair_name(side.rc), tern_pair_name(side.ud),
                          tern_region_pointer(side.region, offsetof(struct side, memory))};
}

static void meet(const struct offer *offer)
{
    const struct tern_pair_peer rc = {.name = offer->rc, .first = 1}, ud = {.key = KEY};

    gives(tern_pair_connect(side.rc, &rc), 0, "tern_pair_connect");
    gives(tern_pair_connect(side.ud, &ud), 0, "tern_pair_connect");
    gives(tern_pair_start(side.rc, 1, TERN_PAIR_FOR_EVER), 0, "tern_pair_start");
    gives(tern_pair_start(side.ud, 0, 0), 0, "tern_pair_start");
}

/* Posts the buffer of `done` again. */
static void give_back(const struct tern_completion *done)
{
    gives(tern_inbox_post(side.inbox, side.buffers[done->context], LONGEST, done->context), 0,
          "tern_inbox_post");
}

/* Shuts both pairs and waits for their last completions; returns whether both can be used again. */
static bool shut(void)
{
    struct tern_completion done;
    time_t since = time(NULL);

    gives(tern_pair_fail(side.rc), 0, "tern_pair_fail");
    gives(tern_pair_fail(side.ud), 0, "tern_pair_fail");
    while ((tern_pair_reset(side.rc) != 0 || tern_pair_reset(side.ud) != 0) &&
           time(NULL) - since <= WAIT_MS / 1000)
        (void)tern_cq_poll(side.cq, &done, 1);
    return tern_pair_state(side.rc) == TERN_PAIR_RESET &&
        tern_pair_state(side.ud) == TERN_PAIR_RESET;
}

static void close_side(void)
{
    gives(tern_pair_destroy(side.rc), 0, "tern_pair_destroy");
    gives(tern_pair_destroy(side.ud), 0, "tern_pair_destroy");
    gives(tern_inbox_destroy(side.inbox), 0, "tern_inbox_destroy");
    tern_close(side.device);
}

/* Sends the message of `done` back; false when it was the last. */
static bool echo(const struct tern_completion *done)
{
    const struct tern_pair_name from = {.node = done->node, .number = (uint16_t)done->value};

    if (done->imm == END)
        return false;
    if (done->queue == tern_pair_name(side.rc).number)
        gives(tern_pair_send(side.rc, side.region, done->data, done->length, done->imm,
                             TERN_DFLAG_IMM | TERN_DFLAG_SIGNAL, done->context),
              0, "tern_pair_send");
    else
        gives(tern_pair_send_to(side.ud, from, KEY, side.region, done->data, done->length,
                                done->imm, TERN_DFLAG_IMM | TERN_DFLAG_SIGNAL, done->context),
              0, "tern_pair_send_to");
    return true;
}

static void echoing(const void *rig, int in, int out)
{
    struct offer mine = open_side(rig, 1), theirs;
    struct tern_completion done;

    if (!give(out, &mine, sizeof(mine)) || !get(in, &theirs, sizeof(theirs)))
        return;
    meet(&theirs);
    (void)give(out, "r", 1);
    for (;;) {
        done = next_completion(side.cq, WAIT_MS);
        gives((int)done.status, TERN_ST_OK, "completion");
        if (done.opcode != TERN_OP_RECV)
            give_back(&done); /* its previous contents are there again */
        else if (!echo(&done))
            break;
    }
    (void)shut();
    close_side();
}

/* Waits for the echo of message `number`, and for the completion of the message. */
static bool answered(unsigned number, uint32_t bytes, uint16_t queue)
{
    bool good = true;

    for (unsigned i = 0; i < 2; i++) {
        struct tern_completion done = next_completion(side.cq, WAIT_MS);

        good = good && done.status == TERN_ST_OK;
        if (done.opcode != TERN_OP_RECV)
            continue;
        good = good && done.imm == number && done.length == bytes && done.queue == queue &&
            rig_holds(done.data, bytes, number);
        give_back(&done);
    }
    return good;
}

static bool by_connection(unsigned number)
{
    uint32_t bytes = number * 97 % LONGEST;

    rig_fill(side.memory, bytes, number);
    gives(tern_pair_send(side.rc, side.region, side.memory, bytes, number,
                         TERN_DFLAG_IMM | TERN_DFLAG_SIGNAL, 0), 0, "tern_pair_send");
    return answered(number, bytes, tern_pair_name(side.rc).number);
}

static bool by_datagram(unsigned number, struct tern_pair_name to)
{
    uint32_t bytes = number % 500;

    rig_fill(side.memory, bytes, number);
    gives(tern_pair_send_to(side.ud, to, KEY, side.region, side.memory, bytes, number,
                            TERN_DFLAG_IMM | TERN_DFLAG_SIGNAL, 0), 0,
          "tern_pair_send_to");
    return answered(number, bytes, tern_pair_name(side.ud).number);
}

static bool by_put(unsigned number, struct tern_rptr to)
{
    rig_fill(side.memory, 2000, number);
    gives(tern_pair_put(side.rc, to, side.region, side.memory, 1000, 0, 0), 0, "tern_pair_put");
    gives(tern_pair_read(side.rc, to, side.region, side.memory + 1000, 1000,
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0), 0,
          "tern_pair_read");
    return next_completion(side.cq, WAIT_MS).status == TERN_ST_OK &&
        !memcmp(side.memory, side.memory + 1000, 1000);
}

static bool changed(uint64_t was)
{
    struct tern_completion done = next_completion(side.cq, WAIT_MS);

    return done.status == TERN_ST_OK && done.value == was;
}

/*
 * Posts a put, three operations on its word and a read at once: each finds the result of the one
 * before.
 */
static bool by_change(unsigned number, struct tern_rptr to)
{
    uint64_t word = number, *back = (uint64_t *)side.memory;

    gives(tern_pair_put(side.rc, to, NULL, &word, sizeof(word), 0, 0), 0, "tern_pair_put");
    gives(tern_pair_compare_swap(side.rc, to, word, word + 1, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE,
                                 0),
          0, "tern_pair_compare_swap");
    gives(tern_pair_compare_swap(side.rc, to, word, 0, TERN_DFLAG_SIGNAL, 0), 0,
          "tern_pair_compare_swap");
    gives(tern_pair_fetch_add(side.rc, to, 5, TERN_DFLAG_SIGNAL, 0), 0, "tern_pair_fetch_add");
    gives(tern_pair_read(side.rc, to, side.region, side.memory, sizeof(word),
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0),
          0, "tern_pair_read");
    return changed(word) && changed(word + 1) && changed(word + 1) &&
           next_completion(side.cq, WAIT_MS).status == TERN_ST_OK && *back == word + 6;
}

int main(void)
{
    struct offer mine, theirs;
    struct child child;
    struct rig rig;
    bool messages = true, puts = true, changes = true;
    char ready;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    child = child_start(echoing, &rig);
    mine = open_side(&rig, 0);
    if (!get(child.from, &theirs, sizeof(theirs)) || !give(child.to, &mine, sizeof(mine)))
        messages = false;
    meet(&theirs);
    messages = messages && get(child.from, &ready, 1);
    for (unsigned i = 1000; messages && puts && changes && i < 1000 + rounds(); i++) {
        messages = by_connection(i) && by_datagram(i, theirs.ud);
        puts = by_put(i, theirs.memory);
        changes = by_change(i, theirs.memory);
    }
    tap(messages && tern_inbox_left(side.inbox) == BUFFERS,
        "messages and datagrams between processes come back as they were");
    tap(puts, "puts and reads of a pair go between processes");
    tap(changes,
        "a pair's atomic operations go in its order, and a word that is not alike breaks nothing");
    gives(tern_pair_send(side.rc, NULL, NULL, 0, END, TERN_DFLAG_IMM, 0), 0, "tern_pair_send");
    tap(child_end(&child), "who answers shuts its pairs and ends well");
    tap(shut(), "pairs whose peer is gone are shut and can be used again");
    close_side();
    rig_stop(&rig);
    return tap_end();
}
