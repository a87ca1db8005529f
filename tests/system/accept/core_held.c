/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that the firmware does the work. With the core held in reset nothing completes; without a
 * put handler no put completes, and everything else does; every operation costs instructions.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tern/counter.h>

#include "internal.h"
#include "rig.h"

enum { QUIET_CYCLES = 20000, MESSAGE_QUEUE = 190 };

/* Waits until the NIC has run for some of its own cycles, read through the BAR. */
static bool let_pass(struct tern_device *device, uint64_t cycles)
{
    uint64_t start = 0, now = 0;

    if (tern_cycles(device, &start))
        return false;
    do
        if (tern_cycles(device, &now))
            return false;
    while (now - start < cycles);
    return true;
}

/* The result of one inline put of `mark` while the NIC ran for QUIET_CYCLES. */
struct outcome {
    bool asked;      /* posted, and the NIC's counters were read before and after */
    int completions; /* negative: the connection is lost */
    uint64_t instructions;
    bool deposited;
};

static struct outcome one_put(const struct rig_end *from, const struct rig_end *to, uint64_t mark)
{
    struct outcome got = {.asked = true};
    struct tern_completion completion;
    uint64_t before = 0, after = 0, busy, seen;

    memset(to->buffer + 1024, 0, sizeof(seen));
    got.asked =
        !tern_core_counters(from->device, &before, &busy) &&
        !tern_put_inline(from->sq, rig_end_at(to, 1024), &mark, sizeof(mark), TERN_DFLAG_SIGNAL, 0);
    got.asked = let_pass(from->device, QUIET_CYCLES) && got.asked;
    got.completions = tern_cq_poll(from->cq, &completion, 1);
    got.asked = !tern_core_counters(from->device, &after, &busy) && got.asked;
    got.instructions = after - before;
    memcpy(&seen, to->buffer + 1024, sizeof(seen));
    got.deposited = seen == mark;
    return got;
}

static void held_in_reset(void)
{
    struct rig rig;
    struct rig_end from, to;
    struct outcome got;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    got = one_put(&from, &to, UINT64_C(0x8877665544332211));
    tap(got.asked && got.completions == 1 && got.instructions > 0 && got.deposited,
        "a put completes within that time while the core runs");
    tap(!tern_core_hold(from.device, true), "function 0 holds the core in reset");
    got = one_put(&from, &to, UINT64_C(0x1122334455667788));
    tap_evidence("A3.1", "posted=%u completions=%d instructions=%" PRIu64 " deposited=%u",
                 got.asked, got.completions, got.instructions, got.deposited);
    tap(got.asked && got.completions <= 0 && got.instructions == 0 && !got.deposited,
        "core_in_reset_completes_nothing");
    tap(!tern_core_hold(from.device, false), "the core is let go");
    rig_end_close(&from);
    rig_end_open(&from, &rig, 0);
    got = one_put(&from, &to, UINT64_C(0x0102030405060708));
    tap_evidence("A3.1", "completions=%d", got.completions);
    tap(got.asked && got.completions == 1 && got.deposited, "core_that_boots_again_serves_again");
    rig_end_close(&from);
    rig_end_close(&to);
    rig_stop(&rig);
}

static void without_put_handler(void)
{
    struct tern_rq *rq = NULL;
    struct tern_completion completion;
    struct rig rig;
    struct rig_end from, to;
    uint64_t stats[TERN_STAT_COUNT];
    struct tern_info info;
    enum tern_status put;
    bool message;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", "--firmware",
                                          "build/fw/tern-fw-noput.elf", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    rig_fill(from.buffer, 64, 1);
    put = rig_put(&from, &to, 0, 64);
    tap_evidence("A3.2", "status=%u deposited=%d", put, to.buffer[0] != 0);
    tap(put == TERN_ST_BAD_OPCODE && to.buffer[0] == 0,
        "firmware_without_put_handler_puts_nothing");
    message = !tern_rq_create(to.cq, 4, 6, MESSAGE_QUEUE, &rq) &&
              !tern_send(from.sq, (struct tern_target){tern_node(1, 0, 0), MESSAGE_QUEUE, 0}, NULL,
                         "hello", 5, TERN_DFLAG_SIGNAL, 0) &&
              rig_wait(from.cq).status == TERN_ST_OK;
    completion = rig_wait(to.cq);
    tap(message && completion.opcode == TERN_OP_RECV && completion.length == 5 &&
            !memcmp(completion.data, "hello", 5),
        "firmware_without_put_handler_still_sends");
    tap(!tern_query(from.device, &info) && !tern_stats(from.device, stats) &&
            stats[TERN_STAT_fw_puts] == 0 && stats[TERN_STAT_fw_sends] == 1,
        "firmware_without_put_handler_still_answers_commands");
    rig_end_close(&from);
    rig_end_close(&to);
    rig_stop(&rig);
}

/* ---- instructions of each kind of operation */

static struct rig_end from, to;
static struct tern_rq *rq;

static bool do_put(void)
{
    return rig_put(&from, &to, 0, 64) == TERN_ST_OK;
}

static bool do_put_inline(void)
{
    return !tern_put_inline(from.sq, rig_end_at(&to, 0), "12345678", 8, TERN_DFLAG_SIGNAL, 0) &&
           rig_wait(from.cq).status == TERN_ST_OK;
}

static bool do_send(void)
{
    return !tern_send(from.sq, (struct tern_target){tern_node(1, 0, 0), MESSAGE_QUEUE, 0}, NULL,
                      "x", 1, TERN_DFLAG_SIGNAL, 0) &&
           rig_wait(from.cq).status == TERN_ST_OK && rig_wait(to.cq).status == TERN_ST_OK &&
           !tern_rq_release(rq, 1);
}

static bool do_nop(void)
{
    return !tern_nop(from.sq, TERN_DFLAG_SIGNAL, 0) && rig_wait(from.cq).status == TERN_ST_OK;
}

static bool do_command(unsigned opcode)
{
    uint32_t words[DESC_WORDS] = {0};
    uint8_t answer[512];

    TERN_SET(DESC, opcode, words, opcode);
    return !tern_admin(from.device, words, answer, sizeof(answer), NULL);
}

static bool do_identify(void)
{
    return do_command(TERN_ADMIN_IDENTIFY);
}

static bool do_stats(void)
{
    return do_command(TERN_ADMIN_STATS);
}

static bool do_log(void)
{
    return do_command(TERN_ADMIN_LOG);
}

static bool do_region(void)
{
    static uint8_t memory[64];
    struct tern_region *region;

    return !tern_register(from.device, memory, sizeof(memory), TERN_RIGHT_LOCAL_READ, &region) &&
           !tern_release(region);
}

static bool do_queue(void)
{
    struct tern_sq *sq;

    return !tern_sq_create(from.cq, 4, &sq) && !tern_sq_destroy(sq);
}

static bool do_counter(void)
{
    uint32_t left = 0;

    return !tern_counter_set(from.device, 1, 77) && !tern_counter_get(from.device, 1, &left) &&
           left == 77;
}

static void instructions(void)
{
    static const struct {
        const char *name;
        bool (*run)(void);
    } operations[] = {
        {"put", do_put},           {"put_inline", do_put_inline}, {"send", do_send},
        {"nop", do_nop},           {"identify", do_identify},     {"stats", do_stats},
        {"log", do_log},           {"region", do_region},         {"queue", do_queue},
        {"counter", do_counter},
    };
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    tap(!tern_rq_create(to.cq, 4, 6, MESSAGE_QUEUE, &rq), "a reception FIFO");
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        uint64_t before = 0, after = 0, busy;
        bool good;

        good = !tern_core_counters(from.device, &before, &busy);
        good = operations[i].run() && good;
        good = !tern_core_counters(from.device, &after, &busy) && good;
        tap_evidence("A3.3", "%s=%" PRIu64, operations[i].name, after - before);
        tap(good && after > before, "firmware_runs_for_%s", operations[i].name);
    }
    rig_end_close(&from);
    rig_end_close(&to);
    rig_stop(&rig);
}

int main(void)
{
    held_in_reset();
    without_put_handler();
    instructions();
    return tap_end();
}
