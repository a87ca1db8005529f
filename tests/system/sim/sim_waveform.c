/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares figures in cycles with the time in a waveform.
 *
 * One put between two nodes, with a waveform of both.  The output of the trace port, cycle by
 * cycle, and the figures computed from it must equal the waveform when read back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <gtkwave/fstapi.h>

#include "measure.h"
#include "tern/tern.h"
#include "tern_abi.h"
#include "tern_sim.h"

enum { NODES = 2, EVENTS_MAX = 100000, STEP = 8, HALF_CLOCKS = 2, BOOT_CYCLES = 200000 };

struct pulse {
    uint64_t cycle;
    unsigned lane;
};

struct pulses {
    struct pulse list[EVENTS_MAX];
    size_t count;
};

static struct pulses told[NODES], shown[NODES];
static bool watching;

static void add(struct pulses *pulses, uint64_t cycle, unsigned lane)
{
    if (pulses->count < EVENTS_MAX)
        pulses->list[pulses->count++] = (struct pulse){.cycle = cycle, .lane = lane};
}

static void on_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)ctx;
    (void)id;
    if (watching)
        add(&told[node], cycle, lane);
}

/* ---- the run ---- */

struct run {
    struct tern_sim *sim;
    struct tern_device *device[NODES];
};

static int progress(void *arg)
{
    struct run *run = arg;

    tern_sim_run(run->sim, STEP);
    for (unsigned n = 0; n < NODES; n++) {
        if (run->device[n] != NULL)
            tern_serve(run->device[n]);
    }
    return 0;
}

static struct tern_sim *create(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    static uint8_t elf[1 << 20];
    FILE *file = fopen("build/fw/tern-fw.elf", "rb");
    char error[TERN_SIM_ERROR_BYTES];
    int status;

    assert_non_null(file);
    config.dims[0] = NODES;
    config.firmware = elf;
    config.firmware_bytes = fread(elf, 1, sizeof elf, file);
    fclose(file);
    return tern_sim_create(&config, error, &status);
}

/* Makes one inline put from node 0 to node 1, with its completion. */
static void put_once(struct run *run, struct tern_sq *sq, struct tern_cq *cq,
                     struct tern_rptr to)
{
    struct tern_completion completion;
    uint64_t data = 0x0123456789abcdef;
    int count = 0;

    assert_int_equal(tern_put_inline(sq, to, &data, sizeof data, TERN_DFLAG_SIGNAL, 0), 0);
    while ((count = tern_cq_poll(cq, &completion, 1)) == 0)
        progress(run);
    assert_int_equal(count, 1);
    assert_int_equal(completion.status, TERN_ST_OK);
}

static char waves[NODES][64];

/* Fills told[] with the trace port's output; computes *put and *firmware. */
static void run_put(struct tern_measure_put *put, struct tern_measure_firmware *firmware)
{
    struct run run = {.sim = create()};
    struct tern_measure *measure;
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;
    static uint64_t target[8];

    assert_non_null(run.sim);
    tern_sim_run(run.sim, BOOT_CYCLES);
    for (unsigned n = 0; n < NODES; n++)
        assert_int_equal(tern_open_fd(tern_sim_connect(run.sim, n), progress, &run,
                                      &run.device[n]), 0);
    assert_int_equal(tern_register(run.device[1], target, sizeof target,
                                   TERN_RIGHT_REMOTE_WRITE, &region), 0);
    assert_int_equal(tern_cq_create(run.device[0], 4, 0, &cq), 0);
    assert_int_equal(tern_sq_create(cq, 4, &sq), 0);
    tern_sim_run(run.sim, 4000);
    for (unsigned n = 0; n < NODES; n++) {
        snprintf(waves[n], sizeof waves[n], "/tmp/tern-wave-%ld-%u.fst", (long)getpid(), n);
        assert_true(tern_sim_dump(run.sim, n, waves[n]));
    }
    measure = tern_measure_new(run.sim);
    tern_sim_on_event(run.sim, on_event, NULL);
    watching = true;
    put_once(&run, sq, cq, tern_region_pointer(region, 0));
    tern_sim_run(run.sim, 200); /* until the firmware has finished */
    watching = false;
    assert_true(target[0] == 0x0123456789abcdef);
    *put = tern_measure_put(measure);
    *firmware = tern_measure_firmware(measure);
    tern_measure_free(measure);
    tern_close(run.device[0]);
    tern_close(run.device[1]);
    tern_sim_destroy(run.sim);
}

/* ---- the waveform ---- */

struct reader {
    struct pulses *pulses;
    fstHandle valid, count; /* tr_valid_o and the chip's own cycle counter */
    uint64_t since;         /* time of the last change of tr_valid_o */
    uint64_t lanes;
    uint64_t counted;       /* value of the counter */
    int64_t offset;         /* from the counter to the time in cycles */
    unsigned offsets;       /* how many different ones occurred */
    uint64_t until;         /* the cycle after the last one compared */
};

static uint64_t bits_of(const unsigned char *text)
{
    uint64_t value = 0;

    for (; *text == '0' || *text == '1'; text++)
        value = value << 1 | (*text == '1');
    return value;
}

/* tr_valid_o had its value from reader->since to `time`. */
static void value_held(struct reader *reader, uint64_t time)
{
    for (uint64_t cycle = reader->since / HALF_CLOCKS; cycle < time / HALF_CLOCKS; cycle++) {
        for (unsigned lane = 0; lane < TERN_TRACE_LANES; lane++) {
            if ((reader->lanes >> lane & 1) && cycle < reader->until)
                add(reader->pulses, cycle, lane);
        }
    }
    reader->since = time;
}

static void on_change(void *ctx, uint64_t time, fstHandle handle, const unsigned char *value)
{
    struct reader *reader = ctx;

    if (handle == reader->valid) {
        value_held(reader, time);
        reader->lanes = bits_of(value);
    }
    if (handle == reader->count) {
        int64_t offset = (int64_t)bits_of(value) - (int64_t)(time / HALF_CLOCKS);

        reader->offsets += offset != reader->offset;
        reader->offset = offset;
        reader->counted++;
    }
}

static void find_signals(void *file, struct reader *reader)
{
    struct fstHier *hier;

    while ((hier = fstReaderIterateHier(file)) != NULL) {
        if (hier->htyp != FST_HT_VAR)
            continue;
        if (strncmp(hier->u.var.name, "tr_valid_o", 10) == 0 && reader->valid == 0)
            reader->valid = hier->u.var.handle;
        if (strncmp(hier->u.var.name, "tr_cycle_o", 10) == 0 && reader->count == 0)
            reader->count = hier->u.var.handle;
    }
}

static void read_wave(unsigned node, uint64_t until)
{
    struct reader reader = {.pulses = &shown[node], .until = until};
    void *file = fstReaderOpen(waves[node]);

    assert_non_null(file);
    find_signals(file, &reader);
    assert_true(reader.valid != 0 && reader.count != 0);
    fstReaderClrFacProcessMaskAll(file);
    fstReaderSetFacProcessMask(file, reader.valid);
    fstReaderSetFacProcessMask(file, reader.count);
    fstReaderIterBlocks(file, on_change, &reader, NULL);
    value_held(&reader, fstReaderGetEndTime(file));
    fstReaderClose(file);
    unlink(waves[node]);
    assert_true(reader.counted > 100);
    assert_int_equal(reader.offsets, 1); /* the chip's counter agrees with the waveform */
}

/* Returns the cycle of a lane's last pulse before `before`, in the waveform. */
static uint64_t last_of(unsigned node, unsigned lane, uint64_t before)
{
    const struct pulses *pulses = &shown[node];

    for (size_t i = pulses->count; i-- > 0;) {
        if (pulses->list[i].lane == lane && pulses->list[i].cycle < before)
            return pulses->list[i].cycle;
    }
    fail_msg("lane %u of node %u never pulsed", lane, node);
    return 0;
}

static uint64_t first_end_after(unsigned node, uint64_t after)
{
    const struct pulses *pulses = &shown[node];

    for (size_t i = 0; i < pulses->count; i++) {
        if (pulses->list[i].cycle > after && (pulses->list[i].lane == TERN_TRACE_FW_POP ||
                                              pulses->list[i].lane == TERN_TRACE_CORE_SLEEP))
            return pulses->list[i].cycle;
    }
    fail_msg("the firmware neither goes on nor sleeps");
    return 0;
}

static void figures_are_times_of_the_waveform(void **state)
{
    struct tern_measure_put put;
    struct tern_measure_firmware firmware;
    uint64_t deposit, started, sent, good, ready, rung, popped;

    (void)state;
    run_put(&put, &firmware);
    for (unsigned n = 0; n < NODES; n++) {
        assert_true(told[n].count > 0);
        read_wave(n, told[n].list[told[n].count - 1].cycle + 1);
        assert_int_equal(shown[n].count, told[n].count);
        assert_memory_equal(shown[n].list, told[n].list,
                            told[n].count * sizeof told[n].list[0]);
    }
    assert_true(put.seen);
    deposit = last_of(1, TERN_TRACE_DEP_LAST, UINT64_MAX);
    good = last_of(1, TERN_TRACE_RX_GOOD, deposit);
    sent = last_of(0, TERN_TRACE_TX_SOP, good);
    started = last_of(0, TERN_TRACE_TX_CMD, sent);
    ready = last_of(0, TERN_TRACE_DESC_READY, started);
    rung = last_of(0, TERN_TRACE_DB_FIRST, ready);
    popped = last_of(0, TERN_TRACE_FW_POP, started);
    assert_int_equal(put.doorbell, ready - rung);
    assert_int_equal(put.firmware, started - ready);
    assert_int_equal(put.read, sent - started);
    assert_int_equal(put.wire, good - sent);
    assert_int_equal(put.deposit, deposit - good);
    assert_int_equal(put.total, deposit - rung);
    assert_int_equal(firmware.count, 1);
    assert_int_equal(firmware.median, first_end_after(0, popped) - popped);
    printf("# evidence A6.2 pulses=%zu put_total=%u firmware=%u\n",
           told[0].count + told[1].count, put.total, firmware.median);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_times_of_the_waveform),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
