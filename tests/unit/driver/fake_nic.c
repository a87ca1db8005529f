/* SPDX-License-Identifier: Apache-2.0 */
/* The fake NIC: see fake_nic.h. */
#define _GNU_SOURCE
#include "fake_nic.h"

#include <errno.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { DESC_WORDS = TERN_DESC_BYTES / 4, CQE_WORDS = TERN_CQE_BYTES / 4 };

static bool take_message(struct fake_nic *nic, bool want_reply, uint8_t *reply);

static void *host(uint64_t addr)
{
    return (void *)(uintptr_t)addr;
}

/* ---- socket */

static void send_bytes(struct fake_nic *nic, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;

    while (count > 0) {
        ssize_t sent = send(nic->fd, at, count, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        at += sent;
        count -= (size_t)sent;
    }
}

static void reply_to(struct fake_nic *nic, const struct vfu_header *to, int error, const void *body,
                     size_t bytes)
{
    struct vfu_header header = *to;

    if (to->flags & VFU_FLAG_NO_REPLY)
        return;
    header.size = (uint32_t)(sizeof(header) + bytes);
    header.flags = VFU_FLAG_REPLY | (error ? VFU_FLAG_ERROR : 0);
    header.error = (uint32_t)error;
    send_bytes(nic, &header, sizeof(header));
    send_bytes(nic, body, bytes);
}

static bool receive(struct fake_nic *nic, void *bytes, size_t count, int *fd)
{
    uint8_t *at = bytes;

    while (count > 0) {
        union {
            char room[CMSG_SPACE(sizeof(int))];
            struct cmsghdr align;
        } control;
        struct iovec part = {at, count};
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                                 .msg_controllen = sizeof(control.room)};
        ssize_t got = recvmsg(nic->fd, &message, 0);
        struct cmsghdr *right = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;

        if (got <= 0)
            return false;
        if (right)
            memcpy(fd, CMSG_DATA(right), sizeof(int));
        at += got;
        count -= (size_t)got;
    }
    return true;
}

/* ---- host memory, by address or by message */

static void dma_by_message(struct fake_nic *nic, uint64_t addr, void *data, size_t bytes,
                           bool write)
{
    struct vfu_dma_access access = {addr, bytes};
    struct vfu_header header = {
        .id = nic->dma_id++,
        .command = write ? VFU_DMA_WRITE : VFU_DMA_READ,
        .size = (uint32_t)(sizeof(header) + sizeof(access) + (write ? bytes : 0)),
    };
    uint8_t *reply = malloc(VFU_MESSAGE_MAX);

    send_bytes(nic, &header, sizeof(header));
    send_bytes(nic, &access, sizeof(access));
    if (write)
        send_bytes(nic, data, bytes);
    if (take_message(nic, true, reply) && !write)
        memcpy(data, reply + sizeof(header) + sizeof(access), bytes);
    free(reply);
}

static void copy_memory(struct fake_nic *nic, uint64_t to, uint64_t from, size_t bytes)
{
    uint8_t *between = malloc(bytes ? bytes : 1);

    if (nic->by_message) {
        dma_by_message(nic, from, between, bytes, false);
        dma_by_message(nic, to, between, bytes, true);
    } else {
        memcpy(between, host(from), bytes);
        memcpy(host(to), between, bytes);
    }
    free(between);
}

/* ---- completions */

static void complete(struct fake_nic *nic, unsigned cq_number, uint32_t *cqe)
{
    struct fake_queue *cq = &nic->queues[cq_number];
    uint32_t mask = (1u << cq->log2_entries) - 1;
    uint32_t *entry = (uint32_t *)host(cq->base) + (cq->head & mask) * CQE_WORDS;
    uint64_t one = 1;

    TERN_SET(CQE, lap, cqe, cq->head);
    TERN_SET(CQE, phase, cqe, ~(cq->head >> cq->log2_entries) & 1);
    memcpy(entry, cqe, TERN_CQE_BYTES - 4);
    __atomic_store_n(&entry[CQE_WORDS - 1], cqe[CQE_WORDS - 1], __ATOMIC_RELEASE);
    cq->head++;
    if (cq->vector < 64 && nic->event_fds[cq->vector] >= 0 &&
        write(nic->event_fds[cq->vector], &one, sizeof(one)) < 0)
        perror("fake NIC: eventfd");
}

static void complete_desc(struct fake_nic *nic, unsigned queue, const uint32_t *desc,
                          unsigned status, uint64_t result)
{
    uint32_t cqe[CQE_WORDS] = {0};

    TERN_SET(CQE, status, cqe, status);
    TERN_SET(CQE, opcode, cqe, TERN_GET(DESC, opcode, desc));
    TERN_SET(CQE, index, cqe, TERN_GET(DESC, index, desc));
    TERN_SET(CQE, queue, cqe, queue);
    TERN_SET(CQE, length, cqe, result);
    TERN_SET(CQE, value, cqe, result);
    if (status)
        TERN_SET(CQE, fault, cqe, nic->fail_fault);
    complete(nic, nic->queues[queue].cq, cqe);
}

/* ---- admin commands */

static unsigned create_queue(struct fake_nic *nic, const uint32_t *words, uint32_t *result)
{
    unsigned number = (unsigned)TERN_GET(ADM, id, words);
    struct fake_queue *queue;

    if (number == TERN_QUEUE_ANY)
        for (number = FAKE_FIRST_QUEUE; nic->queues[number].type; number++)
            ;
    queue = &nic->queues[number];
    if (queue->type)
        return TERN_ST_QUEUE_BUSY;
    queue->type = (unsigned)TERN_GET(ADM, qtype, words);
    queue->log2_entries = (unsigned)TERN_GET(ADM, log2_entries, words);
    queue->log2_bytes = (unsigned)TERN_GET(ADM, log2_bytes, words);
    queue->base = TERN_GET(ADM, addr, words);
    queue->cq = (unsigned)TERN_GET(ADM, cq, words);
    queue->vector = (unsigned)TERN_GET(ADM, vector, words);
    *result = number;
    return TERN_ST_OK;
}

static void run_admin(struct fake_nic *nic, const uint32_t *words)
{
    uint64_t addr = TERN_GET(ADM, addr, words);
    uint32_t id[TERN_ID_WORDS] = {[TERN_ID_ABI_VERSION] = TERN_ABI_VERSION, [TERN_ID_NODE] = 2,
                                  [TERN_ID_DIMS] = nic->dims,
                                  [TERN_ID_MAX_PAYLOAD] = 512, [TERN_ID_INCARNATION] = 1};
    uint64_t stats[TERN_STAT_COUNT] = {[TERN_STAT_doorbells] = 7};
    uint32_t log[] = {0xa5000000u | TERN_LOG_BOOT << 8 | TERN_LOG_BOOT_ARGS, 99, 0x10, 1};
    uint32_t result = 0;
    unsigned status = TERN_ST_OK;

    switch (TERN_GET(DESC, opcode, words)) {
    case TERN_ADMIN_IDENTIFY:
        memcpy(host(addr), id, sizeof(id));
        break;
    case TERN_ADMIN_STATS:
        memcpy(host(addr), stats, sizeof(stats));
        break;
    case TERN_ADMIN_LOG:
        result = nic->regs[TERN_REG_LOG_POP / 4] ? 0 : sizeof(log);
        memcpy(host(addr), log, result);
        nic->regs[TERN_REG_LOG_POP / 4] = 1;
        break;
    case TERN_ADMIN_CREATE_QUEUE:
        status = create_queue(nic, words, &result);
        break;
    case TERN_ADMIN_DELETE_QUEUE:
        nic->queues[TERN_GET(ADM, id, words)].type = TERN_QTYPE_NONE;
        break;
    case TERN_ADMIN_REG_REGION:
        memcpy(nic->last_region, words, sizeof(nic->last_region));
        result = TERN_GET(ADM, key, words) ? (uint32_t)TERN_GET(ADM, key, words) : ++nic->next_key;
        break;
    case TERN_ADMIN_SET_COUNTER:
        memcpy(nic->last_counter, words, sizeof(nic->last_counter));
        break;
    case TERN_ADMIN_REL_REGION:
        break;
    default:
        status = TERN_ST_BAD_OPCODE;
    }
    complete_desc(nic, 0, words, status, result);
}

/* ---- descriptors */

static void deliver(struct fake_nic *nic, unsigned from, const uint32_t *desc, const void *payload,
                    uint32_t bytes)
{
    unsigned number = (unsigned)TERN_GET(DESC, dst_queue, desc);
    struct fake_queue *rq = &nic->queues[number];
    uint32_t place = rq->head & ((1u << rq->log2_entries) - 1);
    uint32_t cqe[CQE_WORDS] = {0};

    memcpy((uint8_t *)host(rq->base) + ((size_t)place << rq->log2_bytes), payload, bytes);
    TERN_SET(CQE, opcode, cqe, TERN_OP_RECV);
    TERN_SET(CQE, index, cqe, rq->head);
    TERN_SET(CQE, queue, cqe, number);
    TERN_SET(CQE, length, cqe, bytes);
    TERN_SET(CQE, imm, cqe, TERN_GET(DESC, imm, desc));
    TERN_SET(CQE, node, cqe, 2);
    TERN_SET(CQE, value, cqe, from);
    rq->head++;
    complete(nic, rq->cq, cqe);
}

/* Answers a put with an offset by the status that the test set for the target; stores nothing. */
static unsigned answer_put(struct fake_nic *nic, const uint32_t *desc)
{
    memcpy(nic->last_offset_put, desc, sizeof(nic->last_offset_put));
    nic->offset_puts++;
    return nic->answer[TERN_GET(DESC, dst_node, desc) % FAKE_NODES];
}

static bool is_atomic(unsigned opcode)
{
    return opcode == TERN_OP_CAS || opcode == TERN_OP_ADD || opcode == TERN_OP_TAKE;
}

/* Returns the length in the descriptor, as hardware does. */
static uint32_t answer_read(struct fake_nic *nic, const uint32_t *desc)
{
    memcpy(nic->last_read, desc, sizeof(nic->last_read));
    memcpy(host(TERN_GET(RDR, addr, desc)), host(TERN_GET(DESC, remote_addr, desc)),
           TERN_GET(RDR, length, desc));
    return TERN_READ_BYTES;
}

/* Does not walk: returns the result that the test set. */
static uint32_t answer_lookup(struct fake_nic *nic, const uint32_t *desc)
{
    memcpy(nic->last_lookup, desc, sizeof(nic->last_lookup));
    return TERN_INLINE_BYTES_MAX;
}

static void run_desc(struct fake_nic *nic, unsigned queue, const uint32_t *desc)
{
    unsigned flags = (unsigned)TERN_GET(DESC, flags, desc);
    unsigned opcode = (unsigned)TERN_GET(DESC, opcode, desc);
    uint32_t bytes = (uint32_t)TERN_GET(DESC, length, desc);
    bool here = flags & TERN_DFLAG_INLINE;
    uint64_t from = here ? (uintptr_t)desc + TERN_INLINE_OFFSET : TERN_GET(DESC, local_addr, desc);
    unsigned status = TERN_ST_OK;

    if (opcode == TERN_OP_BCAST)
        memcpy(nic->last_bcast, desc, sizeof(nic->last_bcast));
    if (is_atomic(opcode))
        memcpy(nic->last_atomic, desc, sizeof(nic->last_atomic));
    if (nic->fail_status && opcode == nic->fail_opcode)
        status = nic->fail_status;
    else if (opcode == TERN_OP_PUT && flags & TERN_DFLAG_OFFSET)
        status = answer_put(nic, desc);
    else if (opcode == TERN_OP_PUT && here)
        memcpy(host(TERN_GET(DESC, remote_addr, desc)), host(from), bytes);
    else if (opcode == TERN_OP_PUT)
        copy_memory(nic, TERN_GET(DESC, remote_addr, desc), from, bytes);
    else if (opcode == TERN_OP_READ)
        bytes = answer_read(nic, desc);
    else if (opcode == TERN_OP_LOOKUP)
        bytes = answer_lookup(nic, desc);
    else if (opcode == TERN_OP_SEND)
        deliver(nic, queue, desc, host(from), bytes);
    if (status || flags & TERN_DFLAG_SIGNAL)
        complete_desc(nic, queue, desc, status, is_atomic(opcode) && !status ? nic->word : bytes);
}

static const uint32_t *ring_place(const struct fake_queue *queue)
{
    uint32_t place = queue->head & ((1u << queue->log2_entries) - 1);

    return (uint32_t *)host(queue->base) + place * DESC_WORDS;
}

static void run_queue(struct fake_nic *nic, unsigned number)
{
    struct fake_queue *queue = &nic->queues[number];

    while (queue->type == TERN_QTYPE_SQ && queue->head != queue->doorbell &&
           !(nic->stalled && number)) {
        uint32_t desc[DESC_WORDS];

        memcpy(desc, ring_place(queue), sizeof(desc));
        if (TERN_GET(DESC, index, desc) != (queue->head & 0xffff))
            nic->bad_index++;
        queue->head++;
        if (number == 0)
            run_admin(nic, desc);
        else
            run_desc(nic, number, desc);
    }
}

static void run_queues(struct fake_nic *nic)
{
    for (unsigned number = 0; number < FAKE_QUEUES; number++)
        run_queue(nic, number);
}

static void ring_doorbell(struct fake_nic *nic, uint32_t offset, const uint8_t *data,
                          uint32_t bytes)
{
    unsigned number = (offset - TERN_BAR_DB) / TERN_BAR_DB_STRIDE;
    struct fake_queue *queue = &nic->queues[number];

    if (bytes == TERN_DESC_BYTES) {
        nic->inline_count++;
        if (memcmp(data, ring_place(queue), bytes))
            nic->inline_differs++;
        queue->doorbell++;
    } else {
        nic->index_count++;
        memcpy(&queue->doorbell, data, sizeof(queue->doorbell));
    }
    run_queue(nic, number);
}

/* ---- registers */

static void enable(struct fake_nic *nic)
{
    uint64_t base = nic->regs[TERN_REG_AQ_BASE_LO / 4] |
                    (uint64_t)nic->regs[TERN_REG_AQ_BASE_HI / 4] << 32;
    uint32_t size = nic->regs[TERN_REG_AQ_SIZE / 4];

    nic->queues[0] = (struct fake_queue){.type = TERN_QTYPE_SQ, .log2_entries = size & 0xff,
                                         .base = base, .cq = FAKE_ADMIN_CQ};
    nic->queues[FAKE_ADMIN_CQ] =
        (struct fake_queue){.type = TERN_QTYPE_CQ, .log2_entries = size >> 8 & 0xff,
                            .base = base + ((uint64_t)TERN_DESC_BYTES << (size & 0xff)),
                            .vector = size >> 16};
    nic->regs[TERN_REG_AQ_QUEUE / 4] = FAKE_ADMIN_CQ << 16;
    nic->regs[TERN_REG_FN_STATUS / 4] = TERN_FNSTATE_READY;
}

static void region_write(struct fake_nic *nic, const struct vfu_region_access *access,
                         const uint8_t *data)
{
    uint32_t offset = (uint32_t)access->offset;

    if (offset >= TERN_BAR_DB) {
        ring_doorbell(nic, offset, data, access->count);
        return;
    }
    memcpy(&nic->regs[offset / 4], data, 4);
    if (offset == TERN_REG_FN_CTRL)
        enable(nic);
}

static void region_access(struct fake_nic *nic, const struct vfu_header *header, uint8_t *body)
{
    struct vfu_region_access access;

    memcpy(&access, body, sizeof(access));
    if (header->command == VFU_REGION_WRITE) {
        region_write(nic, &access, body + sizeof(access));
        reply_to(nic, header, 0, body, sizeof(access));
        return;
    }
    run_queues(nic);
    nic->regs[TERN_REG_CYCLE_LO / 4] += 100;
    memcpy(body + sizeof(access), (uint8_t *)nic->regs + access.offset, access.count);
    reply_to(nic, header, 0, body, sizeof(access) + access.count);
}

/* ---- messages */

static void answer_info(struct fake_nic *nic, const struct vfu_header *header, uint8_t *body,
                        size_t bytes)
{
    struct vfio_device_info device = {.argsz = 16, .flags = VFIO_DEVICE_FLAGS_PCI,
                                      .num_regions = 9, .num_irqs = 5};
    struct vfio_region_info region = {.argsz = sizeof(region), .size = TERN_BAR_BYTES};
    struct vfio_irq_info irq = {.argsz = sizeof(irq), .count = 64};
    const void *answer = header->command == VFU_GET_INFO          ? (void *)&device
                         : header->command == VFU_GET_REGION_INFO ? (void *)&region
                                                                  : (void *)&irq;

    memcpy(body, answer, bytes);
    reply_to(nic, header, 0, body, bytes);
}

static void handle(struct fake_nic *nic, const struct vfu_header *header, uint8_t *body,
                   size_t bytes, int fd)
{
    struct vfio_irq_set irqs;

    switch (header->command) {
    case VFU_VERSION:
        snprintf(nic->version_text, sizeof(nic->version_text), "%s", (char *)body + 4);
        reply_to(nic, header, 0, body, bytes);
        return;
    case VFU_GET_INFO:
    case VFU_GET_REGION_INFO:
    case VFU_GET_IRQ_INFO:
        answer_info(nic, header, body, bytes);
        return;
    case VFU_SET_IRQS:
        memcpy(&irqs, body, sizeof(irqs));
        nic->event_fds[irqs.start] = dup(fd);
        break;
    case VFU_DMA_MAP:
        *(fd >= 0 ? &nic->mapped_with_fd : &nic->mapped_without_fd) += 1;
        break;
    case VFU_DMA_UNMAP:
        nic->unmapped++;
        break;
    case VFU_REGION_READ:
    case VFU_REGION_WRITE:
        region_access(nic, header, body);
        return;
    default:
        reply_to(nic, header, ENOTSUP, NULL, 0);
        return;
    }
    reply_to(nic, header, 0, NULL, 0);
}

/*
 * Handles one message or, with `want_reply`, all messages up to the expected reply, which it copies
 * to `reply`.
 */
static bool take_message(struct fake_nic *nic, bool want_reply, uint8_t *reply)
{
    for (;;) {
        struct vfu_header header;
        uint8_t *body = malloc(VFU_MESSAGE_MAX);
        size_t bytes;
        int fd = -1;
        bool good = receive(nic, &header, sizeof(header), &fd) && header.size <= VFU_MESSAGE_MAX &&
                    receive(nic, body, header.size - sizeof(header), &fd);

        bytes = good ? header.size - sizeof(header) : 0;
        if (good && header.flags & VFU_FLAG_REPLY) {
            if (reply) {
                memcpy(reply, &header, sizeof(header));
                memcpy(reply + sizeof(header), body, bytes);
            }
        } else if (good) {
            if (nic->command_count < FAKE_CALLS)
                nic->commands[nic->command_count] = header.command;
            nic->command_count++;
            handle(nic, &header, body, bytes, fd);
        }
        free(body);
        if (fd >= 0)
            close(fd);
        if (nic->close_after && nic->command_count >= nic->close_after) {
            fake_nic_hang_up(nic);
            return false;
        }
        if (!good || !want_reply || header.flags & VFU_FLAG_REPLY)
            return good;
    }
}

static void *serve(void *arg)
{
    while (take_message(arg, false, NULL))
        ;
    return NULL;
}

int fake_nic_step(void *arg)
{
    struct fake_nic *nic = arg;
    struct pollfd poll_fd = {.fd = nic->fd, .events = POLLIN};

    if (poll(&poll_fd, 1, 0) > 0)
        take_message(nic, false, NULL);
    return 0;
}

void fake_nic_init(struct fake_nic *nic)
{
    int fds[2];

    memset(nic, 0, sizeof(*nic));
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
        abort();
    nic->fd = fds[0];
    nic->client_fd = fds[1];
    nic->next_key = 0x10000;
    nic->regs[TERN_REG_MAGIC / 4] = TERN_ABI_MAGIC;
    nic->regs[TERN_REG_VERSION / 4] = TERN_ABI_VERSION;
    nic->regs[TERN_REG_STATUS / 4] = TERN_FWSTATE_READY | 3 << 8;
    for (int i = 0; i < 64; i++)
        nic->event_fds[i] = -1;
}

void fake_nic_start(struct fake_nic *nic)
{
    nic->threaded = !pthread_create(&nic->thread, NULL, serve, nic);
}

void fake_nic_hang_up(struct fake_nic *nic)
{
    shutdown(nic->fd, SHUT_RDWR);
}

void fake_nic_stop(struct fake_nic *nic)
{
    fake_nic_hang_up(nic);
    if (nic->threaded)
        pthread_join(nic->thread, NULL);
    close(nic->fd);
    for (int i = 0; i < 64; i++)
        if (nic->event_fds[i] >= 0)
            close(nic->event_fds[i]);
}
