/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: cost URI URI COUNT...
 *
 * Makes calls of so many requests under callgrind, which counts the instructions inside
 * tern_call(), tern_call_prepare(), tern_call_set() and tern_call_execute(), and writes a dump for
 * each part: full build, miss, hit, prepare, execute, execute with a hole.  Prints how many calls
 * each part made; calls.sh divides.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/callgrind.h>

#include "call_list.h"

enum { TIMES = 20, BYTES = LIST_STRIDE * TERN_CALL_OPS };

enum part { WARM, BUILD, MISS, HIT, PREPARE, EXECUTE, HOLE, PARTS };
static const char *const part_names[PARTS] = {"warm", "build", "miss", "hit", "prepare", "execute",
                                              "hole"};

static struct {
    struct tern_device *here, *there;
    struct tern_region *source, *target;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_calls *built, *stored;
    uint8_t from[BYTES], to[BYTES];
    struct call_list list;
} me;

static void must(int status, const char *what)
{
    if (status < 0)
        errx(1, "%s: %s", what, tern_strerror(status));
}

static void one_call(enum part part, unsigned turn, struct tern_prepared *prepared)
{
    static const struct tern_hole hole = {0, 0, TERN_HOLE_REMOTE};
    struct tern_rptr at = tern_region_pointer(me.target, LIST_STRIDE * (turn % TERN_CALL_OPS));
    struct tern_prepared *made = NULL;
    struct tern_completion done;

    if (part == MISS) /* in no table: each has another compare value */
        me.list.wr[0].compare++;
    if (part == BUILD) {
        must(tern_call(me.built, me.list.wr, NULL), "tern_call");
    } else if (part == PREPARE) {
        me.list.wr[0].compare++;
        must(tern_call_prepare(me.stored, me.list.wr, &hole, 1, &made, NULL), "tern_call_prepare");
        tern_call_free(made);
        return;
    } else if (part == EXECUTE || part == HOLE) {
        if (part == HOLE)
            must(tern_call_set(prepared, 0, TERN_GET(RPTR, addr, at.w)), "tern_call_set");
        must(tern_call_execute(prepared), "tern_call_execute");
    } else {
        must(tern_call(me.stored, me.list.wr, NULL), "tern_call");
    }
    must(tern_cq_next(me.cq, &done, -1), "tern_cq_next");
    must(-(int)done.status, "put");
}

static void measure(unsigned count)
{
    static const struct tern_hole hole = {0, 0, TERN_HOLE_REMOTE};
    struct tern_prepared *prepared;
    char name[32];

    call_list_make(&me.list, count, me.source, me.from, tern_region_pointer(me.target, 0));
    must(tern_call_prepare(me.stored, me.list.wr, &hole, 1, &prepared, NULL), "tern_call_prepare");
    for (enum part part = WARM; part < PARTS; part++) {
        CALLGRIND_ZERO_STATS;
        for (unsigned turn = 0; turn < TIMES; turn++)
            one_call(part, turn, prepared);
        snprintf(name, sizeof(name), "c %s %u", part_names[part], count);
        CALLGRIND_DUMP_STATS_AT(name);
        printf("part %s %u\n", name, TIMES);
    }
    tern_call_free(prepared);
}

int main(int argc, char **argv)
{
    const struct tern_calls_config off = {.off = true};

    if (argc < 4)
        errx(2, "usage: cost URI URI COUNT...");
    must(tern_open(argv[1], &me.here), "tern_open");
    must(tern_open(argv[2], &me.there), "tern_open");
    must(tern_register(me.here, me.from, BYTES, TERN_RIGHT_LOCAL_READ, &me.source), "register");
    must(tern_register(me.there, me.to, BYTES, TERN_RIGHT_REMOTE_WRITE, &me.target), "register");
    must(tern_cq_create(me.here, 8, 0, &me.cq), "tern_cq_create");
    must(tern_sq_create(me.cq, 8, &me.sq), "tern_sq_create");
    must(tern_calls_create(me.sq, &off, &me.built), "tern_calls_create");
    must(tern_calls_create(me.sq, NULL, &me.stored), "tern_calls_create");
    for (int i = 3; i < argc; i++)
        measure((unsigned)atoi(argv[i]));
    tern_calls_destroy(me.built);
    tern_calls_destroy(me.stored);
    tern_close(me.here);
    tern_close(me.there);
    return 0;
}
