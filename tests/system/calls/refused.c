/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the system refuses one process access to another's memory, the NIC accesses it by messages,
 * with the same results. The simulator and all hosts run under a seccomp filter that refuses
 * process_vm_readv and process_vm_writev. Rings are always sealed files that both sides map.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "chaos.h"
#include "refuse.h"

enum {
    ARENA = 40000,
    SEALS = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL,
    FDS = 64, /* descriptors to check */
    RINGS = 3 /* admin memory, completion queue, send queue or reception FIFO */
};

/* ---- the seccomp filter ---- */

static bool is_refused(void)
{
    char from = 1, to = 0;
    struct iovec here = {&to, 1}, there = {&from, 1};

    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == -1 && errno == EPERM &&
           process_vm_writev(getpid(), &here, 1, &there, 1, 0) == -1 && errno == EPERM;
}

/* ---- rings ---- */

/*
 * Counts the memory files of this process, and in *open those that are not sealed.
 */
static unsigned count_rings(unsigned *open)
{
    char link[64], name[64];
    unsigned count = 0;

    *open = 0;
    for (int fd = 0; fd < FDS; fd++) {
        ssize_t length;

        snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
        length = readlink(link, name, sizeof(name) - 1);
        if (length < 0)
            continue;
        name[length] = 0;
        if (strncmp(name, "/memfd:tern", 11) != 0)
            continue;
        count++;
        *open += (fcntl(fd, F_GET_SEALS) & SEALS) != SEALS;
    }
    return count;
}

/* ---- hosts ---- */

struct report {
    uint32_t rings, open; /* memory files, those not sealed */
    uint32_t right, wrong; /* operations */
};

static void count(struct report *report, bool good)
{
    report->right += good;
    report->wrong += !good;
}

static void offering(const void *arg, int in, int out)
{
    static uint8_t memory[ARENA];
    struct tern_device *device = rig_open(arg, 1);
    struct report report = {0};
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_rq *rq;
    struct target target;
    char word;

    if (tern_register(device, memory, ARENA, TERN_RIGHT_REMOTE_WRITE, &region) ||
        tern_cq_create(device, 5, 0, &cq) || tern_rq_create(cq, 3, 9, TERN_QUEUE_ANY, &rq))
        exit(EXIT_FAILURE);
    target = (struct target){.pointer = tern_region_pointer(region, 0),
                             .queue = tern_rq_number(rq)};
    target.node = tern_rptr_node(target.pointer);
    (void)give(out, &target, sizeof(target));
    if (!get(in, &word, 1))
        exit(EXIT_FAILURE);
    count(&report, rig_holds(memory, ARENA, 3));
    count(&report, rig_wait(cq).length == 300);
    report.rings = count_rings(&report.open);
    (void)give(out, &report, sizeof(report));
    tern_close(device);
}

static bool ends_well(struct tern_cq *cq)
{
    return rig_wait(cq).status == TERN_ST_OK;
}

static void put_in_pieces(struct report *report, struct tern_sq *sq, struct tern_cq *cq,
                          const struct tern_region *region, const uint8_t *from,
                          const struct target *to)
{
    static const uint32_t pieces[] = {1, 7, 64, 600, 4096, 5000, 30232}; /* all of ARENA */
    uint32_t at = 0;

    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); at += pieces[i++])
        count(report, !tern_put(sq, tern_rptr_add(to->pointer, at), region, from + at, pieces[i],
                                TERN_DFLAG_SIGNAL, i) &&
                          ends_well(cq));
    count(report, at == ARENA);
}

static void putting(const void *arg, int in, int out)
{
    static uint8_t memory[ARENA];
    struct tern_device *device = rig_open(arg, 0);
    struct report report = {0};
    struct tern_region *region;
    struct tern_target mailbox;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct target to;

    rig_fill(memory, ARENA, 3);
    if (!get(in, &to, sizeof(to)) ||
        tern_register(device, memory, ARENA, TERN_RIGHT_LOCAL_READ, &region) ||
        tern_cq_create(device, 5, 0, &cq) || tern_sq_create(cq, 4, &sq))
        exit(EXIT_FAILURE);
    put_in_pieces(&report, sq, cq, region, memory, &to);
    mailbox = (struct tern_target){.node = to.node, .queue = to.queue};
    count(&report,
          !tern_send(sq, mailbox, region, memory, 300, TERN_DFLAG_SIGNAL, 9) && ends_well(cq));
    report.rings = count_rings(&report.open);
    (void)give(out, &report, sizeof(report));
    tern_close(device);
}

/* ---- the two hosts ---- */

static bool is_good(const struct report *report)
{
    return report->rings == RINGS && report->open == 0 && report->wrong == 0;
}

static void exchange(const struct rig *rig, const char *how, const char *key)
{
    struct child offers = child_start(offering, rig), puts = child_start(putting, rig);
    struct report sent = {0}, taken = {0};
    struct target target;
    bool good = get(offers.from, &target, sizeof(target)) &&
                give(puts.to, &target, sizeof(target)) && get(puts.from, &sent, sizeof(sent)) &&
                give_word(&offers, 'e') && get(offers.from, &taken, sizeof(taken));

    good &= child_end(&puts) & child_end(&offers);
    tap_evidence("K6", "%s=%u", key, sent.right + taken.right);
    tap(good && sent.wrong == 0 && taken.wrong == 0 && sent.right + taken.right == 11,
        "puts and messages pass %s", how);
    tap_evidence("K6", "%s_rings=%u", key, sent.rings + taken.rings);
    tap(good && is_good(&sent) && is_good(&taken), "rings are sealed files %s", how);
}

int main(void)
{
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    exchange(&rig, "where memory is reached", "reached");
    rig_stop(&rig);
    tap(refuse_process_vm() && is_refused(), "the kernel refuses memory of other processes");
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    exchange(&rig, "where memory is refused", "refused");
    rig_stop(&rig);
    return tap_end();
}
