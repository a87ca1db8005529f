/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets in a ring of four, between hosts in processes of their own: one keeps bytes and a
 * FIFO, the other gets them. Then the keeper is killed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/checkin.h>
#include <tern/remote_get.h>

#include "chaos.h"

enum {
    KEEPER = 2, /* node */
    BYTES = 20000,
    PIECE = 1500,
    PIECES = (BYTES + PIECE - 1) / PIECE,
    AREA = 5,
    LIMIT = 200000, /* cycles */
    WAIT_MS = 60000 /* a net */
};

/* The message of the keeper to the others. */
struct kept {
    /* regions: readable by others; not readable; released */
    struct tern_rptr open, closed, released;
    uint16_t fifo, sq;
};

/* ---- the keeper of the bytes ---- */

static void keep_regions(struct tern_device *device, uint8_t *memory, struct kept *kept)
{
    struct tern_region *region;
    unsigned both = TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ;

    gives(tern_register(device, memory, BYTES, both, &region), 0, "tern_register");
    kept->released = tern_region_pointer(region, 0);
    gives(tern_release(region), 0, "tern_release");
    gives(tern_register(device, memory, BYTES, both, &region), 0, "tern_register");
    kept->open = tern_region_pointer(region, 0);
    gives(tern_register(device, memory, BYTES, TERN_RIGHT_LOCAL_READ, &region), 0, "tern_register");
    kept->closed = tern_region_pointer(region, 0);
}

/* Commands: check that nothing completed here; check that a put failed for lack of rights; quit. */
static void keeping(const void *arg, int in, int out)
{
    static uint8_t memory[BYTES];
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_completion done;
    struct tern_fifo *fifo;
    struct tern_sq *sq;
    struct tern_cq *cq;
    struct kept kept;
    char word;

    rig_fill(memory, BYTES, 1);
    gives(tern_cq_create(device, 4, 0, &cq), 0, "tern_cq_create");
    gives(tern_sq_create(cq, 4, &sq), 0, "tern_sq_create");
    gives(tern_fifo_create(cq, 16, &fifo), -TERN_ST_BAD_SIZE, "a FIFO beyond the largest");
    gives(tern_fifo_create(cq, 2, &fifo), 0, "tern_fifo_create");
    keep_regions(device, memory, &kept);
    kept.fifo = tern_fifo_number(fifo);
    kept.sq = tern_sq_number(sq);
    if (!give(out, (const char *)&kept, sizeof(kept)))
        return;
    while (get(in, &word, 1) && word != 'q') {
        bool quiet = tern_cq_poll(cq, &done, 1) == 0;

        if (word == 'e')
            quiet = !quiet && done.opcode == TERN_OP_PULL && done.status == TERN_ST_BAD_RIGHTS &&
                    done.queue == kept.fifo && done.fault == 2;
        (void)give(out, quiet ? "y" : "n", 1);
    }
    gives(tern_cq_destroy(cq), -TERN_ST_QUEUE_BUSY, "destruction of the FIFO's queue");
    gives(tern_fifo_destroy(fifo), 0, "tern_fifo_destroy");
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
    gives(tern_cq_destroy(cq), 0, "tern_cq_destroy");
    tern_close(device);
}

/* ---- the requester ---- */

struct getting {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region, *readable;
    struct tern_getter *getter;
    struct kept kept;
    uint8_t memory[BYTES];
};

static struct getting g;
static struct child keeper;

static bool keeper_says(char question)
{
    char word = 0;

    return give_word(&keeper, question) && get(keeper.from, &word, 1) && word == 'y';
}

static void getting_open(const struct rig *rig)
{
    g.device = rig_open(rig, 0);
    gives(tern_cq_create(g.device, 6, 0, &g.cq), 0, "tern_cq_create");
    gives(tern_sq_create(g.cq, 5, &g.sq), 0, "tern_sq_create");
    gives(tern_register(g.device, g.memory, BYTES, TERN_RIGHT_REMOTE_WRITE, &g.region), 0,
          "tern_register");
    gives(tern_register(g.device, g.memory, BYTES, TERN_RIGHT_LOCAL_READ, &g.readable), 0,
          "tern_register");
    gives(tern_getter_create(g.cq, TERN_CHECKIN_AREAS, LIMIT, &g.getter), -TERN_ST_BAD_AREA,
          "an area that is none");
    gives(tern_getter_create(g.cq, AREA, LIMIT, &g.getter), 0, "tern_getter_create");
}

static struct tern_remote_get whole(void)
{
    return (struct tern_remote_get){
        .from = g.kept.open, .fifo = g.kept.fifo, .region = g.region, .to = g.memory,
            .bytes = BYTES};
}

static struct tern_completion got(const struct tern_remote_get *get)
{
    struct tern_completion done;

    memset(g.memory, 0, sizeof(g.memory));
    gives(tern_remote_get(g.sq, g.getter, get, 5), 0, "tern_remote_get");
    gives(tern_remote_get(g.sq, g.getter, get, 6), -TERN_ST_AGAIN, "a second get");
    gives(tern_getter_destroy(g.getter), -TERN_ST_QUEUE_BUSY, "destruction while it is out");
    done = rig_wait(g.cq);
    gives(done.context == 5 && done.opcode == TERN_OP_GET, true, "the completion of a get");
    return done;
}

static bool arrives(const struct tern_remote_get *get)
{
    struct tern_completion done = got(get);

    if (done.status != TERN_ST_OK)
        tap_note("the get ends with %s", tern_strerror((int)done.status));
    return done.status == TERN_ST_OK && done.length == BYTES && rig_holds(g.memory, BYTES, 1);
}

/* Gets all bytes by one put there, without its host. */
static void one_piece(void)
{
    struct tern_remote_get get = whole();

    tap(arrives(&get) && keeper_says('n'),
        "what another host keeps comes here, and that host does nothing");
    tap_evidence("N24", "bytes=%d", BYTES);
}

/* Reads a statistic of this NIC. */
static uint64_t statistic(unsigned index)
{
    uint64_t stats[TERN_STAT_COUNT];

    gives(tern_stats(g.device, stats), 0, "tern_stats");
    return stats[index];
}

/*
 * Checks that a get in pieces requests each piece after the last has arrived, by one message each.
 */
static void many_pieces(void)
{
    struct tern_remote_get get = whole();
    uint64_t before = statistic(TERN_STAT_fw_sends), sent;
    bool good;

    get.piece = PIECE;
    good = arrives(&get);
    sent = statistic(TERN_STAT_fw_sends) - before;
    tap(good && sent == PIECES && keeper_says('n'), "a long get fetches itself piece by piece");
    tap_evidence("N28", "pieces=%d messages=%u", PIECES, (unsigned)sent);
}

static bool refused(const struct tern_remote_get *get, enum tern_status status)
{
    struct tern_completion done = got(get);

    if (done.status != status)
        tap_note("the get ends with %s", tern_strerror((int)done.status));
    for (unsigned i = 0; i < BYTES; i++)
        if (g.memory[i] != 0)
            return false;
    return done.status == status && done.node == rig_node(KEEPER) && done.length == 0;
}

static void refusals(void)
{
    struct tern_remote_get get = whole();
    bool good;

    get.fifo = g.kept.sq;
    good = refused(&get, TERN_ST_BAD_TYPE);
    get.fifo = TERN_QUEUE_ANY;
    tap(good && refused(&get, TERN_ST_BAD_QUEUE),
        "a queue that is no FIFO for remote gets takes none");
    get = whole();
    get.from = g.kept.closed;
    good = refused(&get, TERN_ST_BAD_RIGHTS);
    get.from = g.kept.released;
    good = good && refused(&get, TERN_ST_BAD_KEY);
    get.from = tern_rptr_add(g.kept.open, 1);
    tap(good && refused(&get, TERN_ST_BAD_RANGE), "memory that others may not read is not read");
    get = whole();
    get.piece = PIECE;
    get.from = tern_rptr_add(g.kept.open, BYTES);
    tap(refused(&get, TERN_ST_BAD_RANGE), "pieces behind one that is refused are not asked for");
    get = whole();
    get.region = g.readable;
    tap(refused(&get, TERN_ST_BAD_RIGHTS) && keeper_says('e'),
        "a put that fails is told at both ends");
    get = whole();
    tap(arrives(&get), "gets go on behind those that were refused");
}

static void bad_arguments(void)
{
    struct tern_remote_get get = whole();
    int status;

    get.region = NULL;
    gives(tern_remote_get(g.sq, g.getter, &get, 0), -TERN_ST_BAD_ARGUMENT, "no region");
    get = whole();
    get.bytes = 0;
    gives(tern_remote_get(g.sq, g.getter, &get, 0), -TERN_ST_BAD_LENGTH, "no bytes");
    get = whole();
    get.piece = 1;
    status = tern_remote_get(g.sq, g.getter, &get, 0);
    tap(status == -TERN_ST_BAD_LENGTH, "a get of more pieces than its queue holds is refused");
}

/* The NIC has removed the keeper's FIFO. */
static void keeper_killed(void)
{
    struct tern_remote_get get = whole();
    struct tern_completion done;

    child_kill(&keeper);
    done = got(&get);
    tap(done.status != TERN_ST_OK && done.node == rig_node(KEEPER),
        "a get from a host that was killed ends with an error that names its node");
    tap_note("it ends with %s", tern_strerror((int)done.status));
}

static bool keeper_start(const struct rig *rig)
{
    keeper = child_start(keeping, rig);
    return get(keeper.from, (char *)&g.kept, sizeof(g.kept));
}

int main(void)
{
    struct rig rig;
    bool good;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    good = keeper_start(&rig);
    getting_open(&rig);
    if (good) {
        one_piece();
        many_pieces();
        refusals();
        bad_arguments();
        keeper_killed();
    }
    good = keeper_start(&rig) && good && give_word(&keeper, 'q');
    tap(child_end(&keeper) && good, "who keeps the bytes ends well");
    gives(tern_getter_destroy(g.getter), 0, "tern_getter_destroy");
    tern_close(g.device);
    rig_stop(&rig);
    return tap_end();
}
