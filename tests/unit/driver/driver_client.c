/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The whole library against a fake NIC: its messages on the socket, and the answers.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <tern/atomic.h>
#include <tern/read.h>
#include <tern/table.h>

#include "fake_nic.h"
#include "internal.h"

enum { WAIT_MS = 60000 };

struct bench {
    struct fake_nic nic;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
};

static void open_device(struct bench *b)
{
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device), 0);
}

static void open_queues(struct bench *b, unsigned sq_log2, unsigned cq_log2)
{
    open_device(b);
    assert_int_equal(tern_cq_create(b->device, cq_log2, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, sq_log2, &b->sq), 0);
}

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    fake_nic_init(&b->nic);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    fake_nic_stop(&b->nic); /* stops first: its thread may still access the memory */
    tern_close(b->device);
    free(b);
    return 0;
}

static struct tern_completion next(struct bench *b)
{
    struct tern_completion completion;
    int got;

    do {
        assert_int_equal(tern_cq_wait(b->cq, WAIT_MS), 0);
        got = tern_cq_poll(b->cq, &completion, 1);
    } while (got == 0); /* until a completion that is not silent */
    assert_int_equal(got, 1);
    return completion;
}

static void opening_speaks_the_protocol_in_order(void **state)
{
    static const uint16_t want[] = {VFU_VERSION, VFU_GET_INFO, VFU_GET_REGION_INFO,
                                    VFU_GET_IRQ_INFO, TERN_BELLS_COMMAND, VFU_REGION_READ};
    struct bench *b = *state;

    open_device(b);
    assert_memory_equal(b->nic.commands, want, sizeof(want));
    assert_non_null(strstr(b->nic.version_text, "\"tern\":{\"process_vm\":true}"));
    assert_int_equal(b->nic.mapped_with_fd, 1); /* the admin memory */
}

static void process_vm_is_not_offered_when_it_is_forbidden(void **state)
{
    struct bench *b = *state;

    setenv("TERN_NO_PROCESS_VM", "1", 1);
    open_device(b);
    unsetenv("TERN_NO_PROCESS_VM");
    assert_non_null(strstr(b->nic.version_text, "\"tern\":{\"process_vm\":false}"));
}

static void another_contract_is_refused(void **state)
{
    struct bench *b = *state;

    b->nic.regs[TERN_REG_VERSION / 4] = TERN_ABI_VERSION + 0x10000;
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device),
                     -TERN_ST_ABI_MISMATCH);
}

static void firmware_that_is_damaged_is_named(void **state)
{
    struct bench *b = *state;

    b->nic.regs[TERN_REG_STATUS / 4] = TERN_FWSTATE_BADIMAGE;
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device),
                     -TERN_ST_BAD_FIRMWARE);
}

/* TERN_PATIENCE limits the wait for firmware; values that are no number of seconds are ignored. */
static void firmware_that_never_comes_up_is_given_up(void **state)
{
    struct bench *b = *state;

    b->nic.regs[TERN_REG_STATUS / 4] = TERN_FWSTATE_BOOT;
    fake_nic_start(&b->nic);
    setenv("TERN_PATIENCE", "1", 1);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device), -TERN_ST_TIMEOUT);
    setenv("TERN_PATIENCE", "77", 1);
    assert_int_equal(tern_patience_ms(), 77000);
    setenv("TERN_PATIENCE", "1x", 1);
    assert_int_equal(tern_patience_ms(), 60000);
    setenv("TERN_PATIENCE", "0", 1);
    assert_int_equal(tern_patience_ms(), 60000);
    unsetenv("TERN_PATIENCE");
    assert_int_equal(tern_patience_ms(), 60000);
}

static void a_put_moves_bytes_and_completes(void **state)
{
    struct bench *b = *state;
    char from[100] = "from here", to[100] = "";
    struct tern_region *source, *target;
    struct tern_completion done;

    open_queues(b, 3, 3);
    assert_int_equal(tern_register(b->device, from, sizeof(from), TERN_RIGHT_LOCAL_READ, &source),
                     0);
    assert_int_equal(tern_register(b->device, to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target), 0);
    assert_int_equal(tern_put(b->sq, tern_region_pointer(target, 0), source, from, sizeof(from),
                              TERN_DFLAG_SIGNAL, 42), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_OK);
    assert_int_equal(done.context, 42);
    assert_int_equal(done.length, sizeof(from));
    assert_memory_equal(from, to, sizeof(from));
    assert_int_equal(b->nic.inline_count, 1);
}

static void an_inline_put_stands_in_window_and_ring(void **state)
{
    struct bench *b = *state;
    uint64_t value = 0x1122334455667788, to = 0;
    struct tern_region *target;

    open_queues(b, 3, 3);
    assert_int_equal(tern_register(b->device, &to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target),
                     0);
    for (int i = 0; i < 30; i++) { /* several laps */
        value += (uint64_t)i;
        assert_int_equal(tern_put_inline(b->sq, tern_region_pointer(target, 0), &value,
                                         sizeof(value), TERN_DFLAG_SIGNAL, 0), 0);
        assert_int_equal(next(b).status, TERN_ST_OK);
        assert_true(to == value);
    }
    assert_int_equal(b->nic.inline_count, 30);
    assert_int_equal(b->nic.inline_differs, 0);
    assert_int_equal(b->nic.bad_index, 0);
}

static void more_lets_one_doorbell_ring_for_several(void **state)
{
    struct bench *b = *state;
    unsigned before;

    open_queues(b, 4, 4);
    before = b->nic.index_count;
    for (int i = 0; i < 3; i++)
        assert_int_equal(tern_nop(b->sq, TERN_MORE, 0), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 7), 0);
    assert_int_equal(next(b).context, 7);
    assert_int_equal(b->nic.index_count - before, 1);
}

static void an_inline_put_behind_others_rings_the_index(void **state)
{
    struct bench *b = *state;
    struct tern_region *target;
    uint64_t value = 5, to = 0;

    open_queues(b, 4, 4);
    assert_int_equal(tern_register(b->device, &to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target),
                     0);
    assert_int_equal(tern_nop(b->sq, TERN_MORE | TERN_DFLAG_SIGNAL, 1), 0);
    assert_int_equal(tern_put_inline(b->sq, tern_region_pointer(target, 0), &value, sizeof(value),
                                     TERN_DFLAG_SIGNAL, 2), 0);
    assert_int_equal(next(b).context, 1);
    assert_int_equal(next(b).context, 2);
    /* the window would have raised the index by 1 only */
    assert_int_equal(b->nic.inline_count, 0);
}

static void a_full_ring_says_again_until_something_completed(void **state)
{
    struct bench *b = *state;
    uint64_t cycles;

    open_queues(b, 2, 4);
    b->nic.stalled = true;
    for (int i = 0; i < 4; i++)
        assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), -TERN_ST_AGAIN);
    b->nic.stalled = false;
    assert_int_equal(tern_cycles(b->device, &cycles), 0);
    next(b);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), 0);
}

static void a_full_completion_queue_says_again(void **state)
{
    struct bench *b = *state;

    open_queues(b, 4, 1);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), -TERN_ST_AGAIN);
    next(b);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 0), 0);
}

static void quiet_operations_never_fill_the_ring_for_good(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;

    open_queues(b, 3, 3);
    for (int i = 0; i < 1000;) {
        int status = tern_nop(b->sq, 0, 0);

        if (status == -TERN_ST_AGAIN)
            assert_int_equal(tern_cq_poll(b->cq, &done, 1), 0); /* the library takes silent ones */
        else
            assert_int_equal(status, 0);
        i += status == 0;
    }
}

static void an_error_names_its_operation(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;
    char text[200];

    open_queues(b, 3, 3);
    b->nic.fail_opcode = TERN_OP_NOP;
    b->nic.fail_status = TERN_ST_BAD_KEY;
    /* without SIGNAL: an error completes anyway */
    assert_int_equal(tern_nop(b->sq, 0, 99), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_BAD_KEY);
    assert_int_equal(done.context, 99);
    assert_non_null(strstr(tern_completion_format(&done, text, sizeof(text)),
                           tern_strerror(TERN_ST_BAD_KEY)));
}

static void a_message_arrives_with_its_source(void **state)
{
    struct bench *b = *state;
    struct tern_target to = {.node = 2, .imm = 5};
    struct tern_rq *rq;
    struct tern_completion got;

    open_queues(b, 3, 4);
    assert_int_equal(tern_rq_create(b->cq, 2, 6, 200, &rq), 0);
    assert_int_equal(tern_rq_number(rq), 200);
    to.queue = tern_rq_number(rq);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(tern_send(b->sq, to, NULL, &i, sizeof(i), 0, 0), 0);
        got = next(b);
        assert_int_equal(got.opcode, TERN_OP_RECV);
        assert_int_equal(got.length, sizeof(i));
        assert_memory_equal(got.data, &i, sizeof(i));
        assert_int_equal(got.imm, 5);
        assert_int_equal(got.value, tern_sq_number(b->sq));
        assert_int_equal(tern_rq_release(rq, 1), 0);
    }
    assert_int_equal(tern_rq_release(rq, 1), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_rq_create(b->cq, 2, 6, 200, &rq), -TERN_ST_QUEUE_BUSY);
}

static void memory_is_served_by_message_while_the_application_sleeps(void **state)
{
    struct bench *b = *state;
    static uint8_t from[60000], to[60000];
    struct tern_region *source, *target;

    b->nic.by_message = true;
    open_queues(b, 3, 3);
    for (size_t i = 0; i < sizeof(from); i++)
        from[i] = (uint8_t)(i * 7);
    assert_int_equal(tern_register(b->device, from, sizeof(from), TERN_RIGHT_LOCAL_READ, &source),
                     0);
    assert_int_equal(tern_register(b->device, to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target), 0);
    assert_int_equal(tern_put(b->sq, tern_region_pointer(target, 0), source, from, sizeof(from),
                              TERN_DFLAG_SIGNAL, 0), 0);
    assert_int_equal(next(b).status, TERN_ST_OK);
    assert_memory_equal(from, to, sizeof(from));
}

static void pages_that_regions_share_are_announced_once(void **state)
{
    struct bench *b = *state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *memory = aligned_alloc(page, 8 * page);
    struct tern_region *first, *second, *all;

    open_device(b);
    assert_int_equal(tern_register(b->device, memory + page, 100, TERN_RIGHT_LOCAL_READ, &first),
                     0);
    assert_int_equal(tern_register(b->device, memory + page + 200, 100, TERN_RIGHT_LOCAL_READ,
                                   &second), 0);
    assert_int_equal(b->nic.mapped_without_fd, 1);
    assert_int_equal(tern_register(b->device, memory, 8 * page, TERN_RIGHT_LOCAL_READ, &all), 0);
    assert_int_equal(b->nic.mapped_without_fd, 3); /* the gaps before and after */
    assert_int_equal(tern_release(first), 0);
    assert_int_equal(tern_release(second), 0);
    assert_int_equal(b->nic.unmapped, 0);
    assert_int_equal(tern_release(all), 0);
    assert_int_equal(b->nic.unmapped, 3);
    free(memory);
}

static void a_lost_connection_ends_everything_and_hangs_nothing(void **state)
{
    struct bench *b = *state;
    struct tern_completion done[4];
    uint64_t cycles;

    open_queues(b, 3, 3);
    b->nic.stalled = true;
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 1), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 2), 0);
    fake_nic_hang_up(&b->nic);
    assert_int_equal(tern_cq_wait(b->cq, -1), 0); /* there is something to poll */
    assert_int_equal(tern_cq_poll(b->cq, done, 4), 2);
    assert_int_equal(done[0].status, TERN_ST_DISCONNECTED);
    assert_int_equal(done[1].context, 2);
    assert_int_equal(tern_cq_poll(b->cq, done, 4), -TERN_ST_DISCONNECTED);
    assert_int_equal(tern_cq_wait(b->cq, -1), -TERN_ST_DISCONNECTED);
    assert_int_equal(tern_nop(b->sq, 0, 0), -TERN_ST_DISCONNECTED);
    assert_int_equal(tern_cycles(b->device, &cycles), -TERN_ST_DISCONNECTED);
}

static void a_post_whose_doorbell_is_lost_ends_once(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;

    /* This thread alone reads from the connection, so the post cannot know that it is lost. */
    assert_int_equal(tern_open_fd(b->nic.client_fd, fake_nic_step, &b->nic, &b->device), 0);
    assert_int_equal(tern_cq_create(b->device, 3, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, 3, &b->sq), 0);
    fake_nic_hang_up(&b->nic);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 7), 0);
    assert_int_equal(tern_cq_poll(b->cq, &done, 1), 1);
    assert_int_equal(done.context, 7);
    assert_int_equal(done.status, TERN_ST_DISCONNECTED);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 8), -TERN_ST_DISCONNECTED);
    assert_int_equal(tern_cq_poll(b->cq, &done, 1), -TERN_ST_DISCONNECTED);
}

static void a_peer_that_hangs_up_at_any_message_is_survived(void **state)
{
    (void)state;
    for (uint32_t after = 1; after < 40; after++) {
        struct bench b = {.device = NULL};
        int status;

        fake_nic_init(&b.nic);
        b.nic.close_after = after;
        fake_nic_start(&b.nic);
        status = tern_open_fd(b.nic.client_fd, NULL, NULL, &b.device);
        if (!status)
            status = tern_cq_create(b.device, 4, 0, &b.cq);
        assert_true(status == 0 || status == -TERN_ST_DISCONNECTED);
        fake_nic_stop(&b.nic);
        tern_close(b.device);
    }
}

static void a_peer_that_breaks_the_protocol_is_dropped(void **state)
{
    struct bench *b = *state;
    struct vfu_header wrong = {.command = VFU_DMA_READ, .size = 3};
    uint64_t cycles;

    open_device(b);
    assert_int_equal(write(b->nic.fd, &wrong, sizeof(wrong)), sizeof(wrong));
    while (!tern_cycles(b->device, &cycles))
        ;
    assert_int_equal(tern_cycles(b->device, &cycles), -TERN_ST_PROTOCOL);
}

static void the_caller_may_advance_time_itself(void **state)
{
    struct bench *b = *state;

    assert_int_equal(tern_open_fd(b->nic.client_fd, fake_nic_step, &b->nic, &b->device), 0);
    assert_int_equal(tern_cq_create(b->device, 3, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, 3, &b->sq), 0);
    assert_int_equal(tern_nop(b->sq, TERN_DFLAG_SIGNAL, 3), 0);
    assert_int_equal(next(b).context, 3);
    assert_int_equal(tern_cq_wait(b->cq, 10), -TERN_ST_WAIT_EXPIRED);
}

static void count_line(void *arg, const char *text)
{
    assert_non_null(strstr(text, "up, reset cause 1"));
    ++*(int *)arg;
}

static void statistics_and_log_are_read(void **state)
{
    struct bench *b = *state;
    uint64_t values[TERN_STAT_COUNT];
    struct tern_info info;
    int lines = 0;

    open_device(b);
    assert_int_equal(tern_stats(b->device, values), 0);
    assert_true(values[tern_stat_find("doorbells")] == 7);
    assert_int_equal(tern_stat_find("no such"), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_log_read(b->device, count_line, &lines), 1);
    assert_int_equal(lines, 1);
    assert_int_equal(tern_query(b->device, &info), 0);
    assert_int_equal(info.max_payload, 512);
    assert_int_equal(info.links_up, 3);
}

static void queues_and_regions_are_given_back(void **state)
{
    struct bench *b = *state;

    open_queues(b, 3, 3);
    assert_int_equal(tern_cq_destroy(b->cq), -TERN_ST_QUEUE_BUSY);
    assert_int_equal(tern_sq_destroy(b->sq), 0);
    assert_int_equal(tern_cq_destroy(b->cq), 0);
    assert_int_equal(b->nic.unmapped, 2);
}

static void puts_longer_than_one_descriptor_are_split(void **state)
{
    struct bench *b = *state;
    uint64_t bytes = 2 * (uint64_t)TERN_PUT_BYTES_MAX + 5;
    uint8_t *from = calloc(1, bytes), *to = calloc(1, bytes);
    struct tern_region *source, *target;

    open_queues(b, 2, 2);
    from[bytes - 1] = 1;
    from[TERN_PUT_BYTES_MAX] = 2;
    assert_int_equal(tern_register(b->device, from, bytes, TERN_RIGHT_LOCAL_READ, &source), 0);
    assert_int_equal(tern_register(b->device, to, bytes, TERN_RIGHT_REMOTE_WRITE, &target), 0);
    assert_int_equal(tern_put_long(b->sq, tern_region_pointer(target, 0), source, from, bytes,
                                   TERN_DFLAG_SIGNAL, 8), 0);
    assert_int_equal(next(b).context, 8);
    assert_memory_equal(from, to, bytes);
    assert_int_equal(tern_put_long(b->sq, tern_region_pointer(target, 0), source, from,
                                   5 * (uint64_t)TERN_PUT_BYTES_MAX, 0, 8), -TERN_ST_BAD_LENGTH);
    free(from);
    free(to);
}

/* ---- atomic operations */

/* Checks the descriptor that the NIC got, and the completion. */
static void expect_atomic(struct bench *b, int posted, uint8_t opcode, const uint64_t operands[4])
{
    const uint32_t *w = b->nic.last_atomic;
    struct tern_completion done;

    assert_int_equal(posted, 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_OK);
    assert_int_equal(done.opcode, opcode);
    assert_int_equal(done.value, b->nic.word);
    assert_int_equal(done.context, 5);
    assert_int_equal(TERN_GET(DESC, opcode, w), opcode);
    assert_int_equal(TERN_GET(DESC, flags, w), TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    assert_int_equal(TERN_GET(DESC, inline_len, w), TERN_ATO_BYTES);
    assert_int_equal(TERN_GET(DESC, result, w), 1);
    assert_int_equal(TERN_GET(DESC, dst_node, w), 2);
    assert_int_equal(TERN_GET(DESC, incarnation, w), 1);
    assert_int_equal(TERN_GET(DESC, remote_key, w), b->nic.next_key);
    assert_int_equal(TERN_GET(ATO, compare, w), operands[0]);
    assert_int_equal(TERN_GET(ATO, compare_mask, w), operands[1]);
    assert_int_equal(TERN_GET(ATO, swap, w), operands[2]);
    assert_int_equal(TERN_GET(ATO, swap_mask, w), operands[3]);
}

static void atomic_operations_carry_four_words_and_bring_one(void **state)
{
    const uint64_t a = 0x0123456789abcdef, b2 = 0xfedcba9876543210, all = UINT64_MAX;
    const struct tern_masked masked = {1, 2, 3, UINT64_C(4) << 32};
    const uint64_t as_masked[4] = {1, 2, 3, UINT64_C(4) << 32};
    const unsigned s = TERN_DFLAG_SIGNAL;
    struct bench *b = *state;
    uint64_t word[2];
    struct tern_region *region;
    struct tern_rptr at;

    open_queues(b, 3, 3);
    assert_int_equal(tern_register(b->device, word, sizeof(word), TERN_RIGHT_REMOTE_ATOMIC,
                                   &region), 0);
    assert_int_equal(TERN_GET(ADM, rights, b->nic.last_region), TERN_RIGHT_REMOTE_ATOMIC);
    at = tern_region_pointer(region, 8);
    b->nic.word = 0x8877665544332211;
    expect_atomic(b, tern_compare_swap(b->sq, at, a, b2, s, 5), TERN_OP_CAS,
                  (const uint64_t[]){a, all, b2, all});
    assert_int_equal(TERN_GET(DESC, remote_addr, b->nic.last_atomic), (uintptr_t)&word[1]);
    expect_atomic(b, tern_swap(b->sq, at, a, s, 5), TERN_OP_CAS, (const uint64_t[]){0, 0, a, all});
    expect_atomic(b, tern_fetch_add(b->sq, at, b2, s, 5), TERN_OP_ADD,
                  (const uint64_t[]){0, 0, b2, all});
    expect_atomic(b, tern_compare_swap_masked(b->sq, at, &masked, s, 5), TERN_OP_CAS, as_masked);
    expect_atomic(b, tern_fetch_add_masked(b->sq, at, &masked, s, 5), TERN_OP_ADD, as_masked);
    expect_atomic(b, tern_take(b->sq, at, &masked, s, 5), TERN_OP_TAKE, as_masked);
}

/* ---- reads */

static void a_read_says_what_is_read_and_where_it_goes(void **state)
{
    uint8_t from[100], to[100] = {0};
    struct bench *b = *state;
    const uint32_t *w = b->nic.last_read;
    struct tern_region *source, *place;
    struct tern_completion done;

    open_queues(b, 3, 3);
    memset(from, 0x33, sizeof(from));
    assert_int_equal(tern_register(b->device, from, sizeof(from), TERN_RIGHT_REMOTE_READ, &source),
                     0);
    assert_int_equal(tern_register(b->device, to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &place), 0);
    for (unsigned i = 0; i < 20; i++) { /* a place in the ring holds different operations in turn */
        assert_int_equal(tern_read(b->sq, tern_region_pointer(source, 9), place, to + 7, 40 + i,
                                   TERN_DFLAG_SIGNAL, 5), 0);
        done = next(b);
        assert_int_equal(done.status, TERN_ST_OK);
        assert_int_equal(done.opcode, TERN_OP_READ);
        assert_int_equal(done.context, 5);
        assert_int_equal(done.length, 40 + i);
    }
    assert_int_equal(TERN_GET(DESC, flags, w), TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    assert_int_equal(TERN_GET(DESC, inline_len, w), TERN_READ_BYTES);
    assert_int_equal(TERN_GET(DESC, length, w), 59);
    assert_int_equal(TERN_GET(DESC, dst_node, w), 2);
    assert_int_equal(TERN_GET(DESC, incarnation, w), 1);
    assert_int_equal(TERN_GET(DESC, remote_addr, w), (uintptr_t)from + 9);
    assert_int_equal(TERN_GET(DESC, remote_key, w), tern_region_key(source));
    assert_int_equal(TERN_GET(RDR, addr, w), (uintptr_t)to + 7);
    assert_int_equal(TERN_GET(RDR, key, w), tern_region_key(place));
    assert_int_equal(TERN_GET(RDR, length, w), 59);
    assert_memory_equal(to + 7, from + 9, 59);
    assert_int_equal(to[6] | to[66], 0);
    assert_int_equal(tern_read(b->sq, tern_region_pointer(source, 0), NULL, to, 8, 0, 0),
                     -TERN_ST_BAD_ARGUMENT);
    b->nic.fail_opcode = TERN_OP_READ;
    b->nic.fail_status = TERN_ST_BAD_RIGHTS;
    assert_int_equal(tern_read(b->sq, tern_region_pointer(source, 0), place, to, 8, 0, 6), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_BAD_RIGHTS);
    assert_int_equal(done.context, 6);
}

/* ---- lookups */

/* Memory for the tests of lookups: structures, and destinations. */
struct lookup_bench {
    struct tern_region *source, *place;
    struct tern_rptr start;
    uint8_t to[64];
};

static _Alignas(TERN_NODE_BYTES) uint8_t looked_at[1024];

static void open_lookups(struct bench *b, struct lookup_bench *l)
{
    open_queues(b, 3, 3);
    assert_int_equal(tern_register(b->device, looked_at, sizeof(looked_at), TERN_RIGHT_REMOTE_READ,
                                   &l->source), 0);
    assert_int_equal(tern_register(b->device, l->to, sizeof(l->to), TERN_RIGHT_REMOTE_WRITE,
                                   &l->place), 0);
    l->start = tern_region_pointer(l->source, 0);
}

static void expect_lookup(struct bench *b, int posted, uint32_t bytes)
{
    struct tern_completion done;

    assert_int_equal(posted, 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_OK);
    assert_int_equal(done.opcode, TERN_OP_LOOKUP);
    assert_int_equal(done.context, 5);
    assert_int_equal(done.length, bytes);
}

static void a_chase_says_what_is_wanted_and_where_it_goes(void **state)
{
    const struct tern_chase chase = {.key = 0x123456789abcdef0, .generation = 0x8001, .nodes = 200,
                                     .tree = true};
    const struct tern_chase list = {.key = 1, .nodes = 1};
    struct bench *b = *state;
    const uint32_t *w = b->nic.last_lookup;
    struct lookup_bench l;

    open_lookups(b, &l);
    expect_lookup(b, tern_chase(b->sq, tern_rptr_add(l.start, 64), &chase, l.place, l.to + 8, 48,
                                TERN_DFLAG_SIGNAL, 5), 48);
    assert_int_equal(TERN_GET(DESC, flags, w), TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    assert_int_equal(TERN_GET(DESC, inline_len, w), TERN_INLINE_BYTES_MAX);
    assert_int_equal(TERN_GET(DESC, length, w), 48);
    assert_int_equal(TERN_GET(DESC, dst_node, w), 2);
    assert_int_equal(TERN_GET(DESC, incarnation, w), 1);
    assert_int_equal(TERN_GET(DESC, remote_key, w), tern_region_key(l.source));
    assert_true(TERN_GET(DESC, remote_addr, w) == tern_link((uintptr_t)looked_at + 64, 0x8001));
    assert_int_equal(TERN_GET(LKP, addr, w), (uintptr_t)l.to + 8);
    assert_int_equal(TERN_GET(LKP, key, w), tern_region_key(l.place));
    assert_int_equal(TERN_GET(LKP, length, w), 48);
    assert_int_equal(TERN_GET(LKP, nodes, w), 200);
    assert_int_equal(TERN_GET(LKP, tree, w), 1);
    assert_true(TERN_GET(LKP, wanted, w) + chase.key == 0);
    assert_true(TERN_GET(LKP, ones, w) == UINT64_MAX);
    expect_lookup(b, tern_chase(b->sq, l.start, &list, l.place, l.to, 1, TERN_DFLAG_SIGNAL, 5), 1);
    assert_true(TERN_GET(DESC, remote_addr, w) == (uintptr_t)looked_at);
    assert_int_equal(w[TERN_LKP_tree_WORD], 1 << TERN_LKP_nodes_LSB | 1);
}

static void a_lookup_is_a_chase_from_its_bucket_or_from_where_it_was_seen(void **state)
{
    struct bench *b = *state;
    const uint32_t *w = b->nic.last_lookup;
    struct lookup_bench l;
    struct tern_table_lookup lookup = {.hash = 0xf00d, .to = l.to, .room = 40,
                                       .table = {.log2_buckets = 3}};

    open_lookups(b, &l);
    lookup.table.start = l.start;
    lookup.region = l.place;
    expect_lookup(b, tern_table_lookup(b->sq, &lookup, TERN_DFLAG_SIGNAL, 5), 40);
    assert_int_equal(TERN_GET(DESC, flags, w), TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    assert_true(TERN_GET(DESC, remote_addr, w) == (uintptr_t)looked_at + 5 * TERN_NODE_BYTES);
    assert_int_equal(TERN_GET(LKP, nodes, w), 255);
    assert_int_equal(TERN_GET(LKP, tree, w), 0);
    assert_true(TERN_GET(LKP, wanted, w) + 0xf00d == 0);
    lookup.nodes = 4;
    expect_lookup(b, tern_table_lookup(b->sq, &lookup, TERN_DFLAG_SIGNAL, 5), 40);
    assert_int_equal(TERN_GET(LKP, nodes, w), 4);
    lookup.seen = (struct tern_table_seen){20, 7};
    expect_lookup(b, tern_table_lookup(b->sq, &lookup, TERN_DFLAG_SIGNAL, 5), 40);
    assert_true(TERN_GET(DESC, remote_addr,
                         w) == tern_link((uintptr_t)looked_at + 20 * TERN_NODE_BYTES, 7));
    assert_int_equal(TERN_GET(LKP, nodes, w), 1);
    lookup.seen.place = UINT32_MAX;
    expect_lookup(b, tern_table_lookup(b->sq, &lookup, TERN_DFLAG_SIGNAL, 5), 40);
    assert_true(TERN_GET(DESC, remote_addr,
                         w) == tern_link((uintptr_t)looked_at +
                                         UINT64_C(0xffffffff) * TERN_NODE_BYTES, 7));
}

static void chases_after_nothing_are_refused_at_the_door(void **state)
{
    const struct tern_chase good = {.key = 1, .nodes = 1}, no_key = {.nodes = 1},
        no_nodes = {.key = 1};
    const unsigned s = TERN_DFLAG_SIGNAL;
    struct bench *b = *state;
    struct lookup_bench l;
    struct tern_table_lookup lookup = {.room = 40};

    open_lookups(b, &l);
    assert_int_equal(tern_chase(b->sq, l.start, NULL, l.place, l.to, 8, s, 5),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_chase(b->sq, l.start, &good, NULL, l.to, 8, s, 5), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_chase(b->sq, l.start, &no_key, l.place, l.to, 8, s, 5),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_chase(b->sq, l.start, &no_nodes, l.place, l.to, 8, s, 5),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_chase(b->sq, l.start, &good, l.place, l.to, 0, s, 5),
                     -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_chase(b->sq, l.start, &good, l.place, l.to, 65536, s, 5),
                     -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_chase(b->sq, tern_rptr_add(l.start, 16), &good, l.place, l.to, 8, s, 5),
                     -TERN_ST_BAD_ALIGN);
    assert_int_equal(tern_chase(b->sq, tern_rptr_add(l.start, UINT64_C(1) << 48), &good, l.place,
                                l.to, 8, s, 5),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_table_lookup(b->sq, NULL, s, 5), -TERN_ST_BAD_ARGUMENT);
    lookup.hash = 1;
    assert_int_equal(tern_table_lookup(b->sq, &lookup, s, 5), -TERN_ST_BAD_ARGUMENT);
    lookup.hash = 0;
    lookup.region = l.place;
    assert_int_equal(tern_table_lookup(b->sq, &lookup, s, 5), -TERN_ST_BAD_ARGUMENT);
    expect_lookup(b, tern_chase(b->sq, tern_rptr_add(l.start, 8), &good, l.place, l.to, 65535,
                                s | TERN_DFLAG_OFFSET, 5), 65535);
}

static void atomic_operations_on_no_whole_word_are_refused_at_the_door(void **state)
{
    const struct tern_masked masked = {0};
    struct bench *b = *state;
    struct tern_rptr at = {{0}};

    open_queues(b, 3, 3);
    for (unsigned i = 1; i < TERN_ATOMIC_BYTES; i++) {
        struct tern_rptr beside = tern_rptr_add(at, i);

        assert_int_equal(tern_compare_swap(b->sq, beside, 0, 0, 0, 0), -TERN_ST_BAD_ALIGN);
        assert_int_equal(tern_swap(b->sq, beside, 0, 0, 0), -TERN_ST_BAD_ALIGN);
        assert_int_equal(tern_fetch_add(b->sq, beside, 0, 0, 0), -TERN_ST_BAD_ALIGN);
        assert_int_equal(tern_compare_swap_masked(b->sq, beside, &masked, 0, 0),
                         -TERN_ST_BAD_ALIGN);
        assert_int_equal(tern_fetch_add_masked(b->sq, beside, &masked, 0, 0), -TERN_ST_BAD_ALIGN);
        /* Only the target knows the region's address. */
        assert_int_equal(tern_swap(b->sq, beside, 0, TERN_DFLAG_OFFSET, 0), 0);
    }
    assert_int_equal(tern_compare_swap_masked(b->sq, at, NULL, 0, 0), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_fetch_add_masked(b->sq, at, NULL, 0, 0), -TERN_ST_BAD_ARGUMENT);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(opening_speaks_the_protocol_in_order),
        CASE(process_vm_is_not_offered_when_it_is_forbidden),
        CASE(another_contract_is_refused),
        CASE(firmware_that_is_damaged_is_named),
        CASE(firmware_that_never_comes_up_is_given_up),
        CASE(a_put_moves_bytes_and_completes),
        CASE(an_inline_put_stands_in_window_and_ring),
        CASE(more_lets_one_doorbell_ring_for_several),
        CASE(an_inline_put_behind_others_rings_the_index),
        CASE(a_full_ring_says_again_until_something_completed),
        CASE(a_full_completion_queue_says_again),
        CASE(quiet_operations_never_fill_the_ring_for_good),
        CASE(an_error_names_its_operation),
        CASE(a_message_arrives_with_its_source),
        CASE(memory_is_served_by_message_while_the_application_sleeps),
        CASE(pages_that_regions_share_are_announced_once),
        CASE(a_lost_connection_ends_everything_and_hangs_nothing),
        CASE(a_post_whose_doorbell_is_lost_ends_once),
        cmocka_unit_test(a_peer_that_hangs_up_at_any_message_is_survived),
        CASE(a_peer_that_breaks_the_protocol_is_dropped),
        CASE(the_caller_may_advance_time_itself),
        CASE(statistics_and_log_are_read),
        CASE(queues_and_regions_are_given_back),
        CASE(puts_longer_than_one_descriptor_are_split),
        CASE(atomic_operations_carry_four_words_and_bring_one),
        CASE(a_read_says_what_is_read_and_where_it_goes),
        CASE(a_chase_says_what_is_wanted_and_where_it_goes),
        CASE(a_lookup_is_a_chase_from_its_bucket_or_from_where_it_was_seen),
        CASE(chases_after_nothing_are_refused_at_the_door),
        CASE(atomic_operations_on_no_whole_word_are_refused_at_the_door),
    };

    return cmocka_run_group_tests_name("driver_client", tests, NULL, NULL);
}
