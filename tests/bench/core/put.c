/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The linker option --wrap routes the calls of the model through this file, which sees every clock
 * of the origin. It reads the chip's counters and the tally while the core sleeps, so both cover
 * the same cycles.
 */
#include "put.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf_image.h"
#include "lab.h"
#include "tern_model.h"

enum {
    BYTES = 64,
    PUTS = 640,
    EARLY = 128, /* deposits after which the steady state begins ... */
    LATE = 512,  /* ... and ends */
    IMAGE_HEADER_BYTES = 16,
    FIRMWARE_MAX = 1 << 20,
};

static const char firmware_path[] = "build/fw/tern-fw.elf";

static struct follow follow;
static struct tern_model *origin; /* the first that is made */

struct tern_model *__real_tern_model_new(const struct tern_model_shape *shape);
struct tern_model *__wrap_tern_model_new(const struct tern_model_shape *shape);
void __real_tern_model_step(struct tern_model *model, const struct tern_model_in *in,
                            struct tern_model_out *out);
void __wrap_tern_model_step(struct tern_model *model, const struct tern_model_in *in,
                            struct tern_model_out *out);

struct tern_model *__wrap_tern_model_new(const struct tern_model_shape *shape)
{
    struct tern_model *model = __real_tern_model_new(shape);

    if (!origin)
        origin = model;
    return model;
}

void __wrap_tern_model_step(struct tern_model *model, const struct tern_model_in *in,
                            struct tern_model_out *out)
{
    __real_tern_model_step(model, in, out);
    if (model != origin)
        return;
    if (out->retire_valid)
        follow_retire(&follow, out->retire_pc);
    else
        follow_lost(&follow, out->retire_cause);
}

/* Reads the firmware as it is in the instruction memory. */
static void read_firmware(void)
{
    static char elf[FIRMWARE_MAX];
    char reason[128];
    uint8_t *image;
    size_t bytes;
    FILE *file = fopen(firmware_path, "rb");

    if (!file)
        err(1, "%s", firmware_path);
    bytes = fread(elf, 1, sizeof(elf), file);
    fclose(file);
    if (tern_elf_to_image(elf, bytes, 0, &image, &bytes, reason, sizeof(reason)) != 0)
        errx(1, "%s: %s", firmware_path, reason);
    follow = (struct follow){ .code = image + IMAGE_HEADER_BYTES,
                              .code_bytes = bytes - IMAGE_HEADER_BYTES };
}

/* ---- the stream ---- */

struct window {
    unsigned deposits;
    struct tally early, late;
};

static void deposited(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct window *window = ctx;

    (void)cycle;
    (void)id;
    if (node != 1 || lane != TERN_TRACE_DEP_LAST)
        return;
    window->deposits++;
    if (window->deposits == EARLY)
        window->early = follow.tally;
    if (window->deposits == LATE)
        window->late = follow.tally;
}

static void post(struct lab *lab, const struct put_load *load)
{
    for (unsigned i = 0; i < PUTS; i++) {
        bool last = i + load->queues >= PUTS;
        unsigned flags = (last ? TERN_DFLAG_SIGNAL : load->flags) | TERN_MORE;
        uint64_t offset = (uint64_t)i * BYTES;

        lab_must(tern_put(lab->origin.sq[i % load->queues],
                          tern_region_pointer(lab->target.region, offset), lab->origin.region,
                          lab->origin.buffer + offset, BYTES, flags, i), "put");
    }
    for (unsigned i = 0; i < load->queues; i++)
        lab_must(tern_sq_flush(lab->origin.sq[i]), "flush");
}

/*
 * Reads the chip's counters and the tally at the same time: the core sleeps before, during and
 * after.
 */
static struct tally quiet(struct lab *lab, uint64_t *instructions, uint64_t *busy)
{
    struct tally before, after;

    for (unsigned tries = 0; tries < 16; tries++) {
        lab_settle(lab);
        before = follow.tally;
        lab_must(tern_core_counters(lab->origin.device, instructions, busy), "counters");
        after = follow.tally;
        if (after.cause[CAUSE_NONE] == before.cause[CAUSE_NONE] &&
            tally_busy(&after) == tally_busy(&before))
            return after;
    }
    errx(1, "the core is never quiet");
}

static void compare(const struct put_run *run)
{
    const char *fault = tally_fault(&run->whole);

    if (!fault)
        fault = tally_fault(&run->steady);
    if (fault)
        errx(1, "puts: %s", fault);
    if (tally_busy(&run->whole) != run->busy)
        errx(1, "puts: BUSY says %llu cycles, the retire port %llu",
             (unsigned long long)run->busy, (unsigned long long)tally_busy(&run->whole));
    if (run->whole.cause[CAUSE_NONE] != run->instructions)
        errx(1, "puts: INSTRET says %llu instructions, the retire port %llu",
             (unsigned long long)run->instructions,
             (unsigned long long)run->whole.cause[CAUSE_NONE]);
}

struct put_run put_run(const struct put_load *load)
{
    struct put_run run = { .puts = PUTS, .steady_puts = LATE - EARLY };
    struct window window = { .deposits = 0 };
    struct tally before, after;
    uint64_t instructions, busy;
    struct lab lab;

    read_firmware();
    origin = NULL;
    lab_open(&lab, 2, 0);
    lab_queues(&lab, load->queues);
    before = quiet(&lab, &instructions, &busy);
    lab_watch(&lab);
    tern_sim_on_event(lab.sim, deposited, &window);
    post(&lab, load);
    lab_complete(&lab.origin, load->flags & TERN_DFLAG_SIGNAL ? PUTS : load->queues);
    lab_run_until_deposits(&lab, PUTS);
    after = quiet(&lab, &run.instructions, &run.busy);
    lab_close(&lab);

    run.instructions -= instructions;
    run.busy -= busy;
    run.whole = tally_less(&after, &before);
    run.steady = tally_less(&window.late, &window.early);
    compare(&run);
    free((void *)(uintptr_t)(follow.code - IMAGE_HEADER_BYTES));
    return run;
}
