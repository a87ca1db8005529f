/* SPDX-License-Identifier: Apache-2.0 */
/* Framing, queues and output of one client, and the NIC's DMA to its memory. */
#include "client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

void tern_client_init(struct tern_client *client, struct tern_nic *nic, pid_t peer)
{
    *client = (struct tern_client){
        .nic = nic, .function = TERN_CLIENT_NO_FUNCTION, .peer = peer};
    client->last = &client->first;
    for (unsigned v = 0; v < TERN_CLIENT_VECTORS; v++)
        client->vectors[v] = -1;
    tern_dma_table_init(&client->dma);
    tern_pci_config_init(&client->config);
}

static void close_all(int *fds, unsigned *count)
{
    while (*count > 0)
        close(fds[--*count]);
}

static void frame_free(struct tern_frame *frame)
{
    if (frame == NULL)
        return;
    close_all(frame->fds, &frame->fd_count);
    free(frame);
}

void tern_client_fini(struct tern_client *client)
{
    while (client->first != NULL) {
        struct tern_frame *frame = client->first;

        client->first = frame->next;
        frame_free(frame);
    }
    frame_free(client->incoming);
    close_all(client->fds, &client->fd_count);
    for (unsigned v = 0; v < TERN_CLIENT_VECTORS; v++)
        tern_client_set_vector(client, v, -1);
    for (struct tern_dma_op *op = client->waiting; op != NULL; op = op->next) {
        op->message = TERN_MESSAGE_FAILED;
        op->client = NULL;
    }
    tern_bells_unmap(&client->bells);
    tern_dma_table_fini(&client->dma);
    free(client->answer);
    free(client->out);
}

void tern_client_set_vector(struct tern_client *client, unsigned vector, int fd)
{
    if (client->vectors[vector] >= 0)
        close(client->vectors[vector]);
    client->vectors[vector] = fd;
}

/* ---- output ---- */

static bool out_reserve(struct tern_client *client, size_t bytes)
{
    size_t room = client->out_room == 0 ? 4096 : client->out_room;
    uint8_t *out;

    if (client->out_at > 0) {
        memmove(client->out, client->out + client->out_at, client->out_bytes);
        client->out_at = 0;
    }
    if (client->out_bytes + bytes > TERN_CLIENT_OUTPUT_BYTES)
        return false;
    while (room < client->out_bytes + bytes)
        room *= 2;
    if (room == client->out_room)
        return true;
    out = realloc(client->out, room);
    if (out == NULL)
        return false;
    client->out = out;
    client->out_room = room;
    return true;
}

static void out_append(struct tern_client *client, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(client->out + client->out_at + client->out_bytes, bytes, count);
    client->out_bytes += count;
}

void tern_client_send(struct tern_client *client, const struct vu_header *header,
                      const void *body, size_t bytes)
{
    if (client->closing)
        return;
    if (client->out_at + client->out_bytes + sizeof *header + bytes > client->out_room &&
        !out_reserve(client, sizeof *header + bytes)) {
        client->closing = true; /* the client does not read its answers */
        return;
    }
    out_append(client, header, sizeof *header);
    out_append(client, body, bytes);
}

void tern_client_reply(struct tern_client *client, const struct vu_header *to,
                       const void *body, size_t bytes)
{
    struct vu_header header = {.id = to->id,
                               .command = to->command,
                               .bytes = (uint32_t)(sizeof header + bytes),
                               .flags = VU_FLAG_REPLY};

    if ((to->flags & VU_FLAG_NO_REPLY) == 0)
        tern_client_send(client, &header, body, bytes);
}

void tern_client_fail(struct tern_client *client, const struct vu_header *to, int error)
{
    struct vu_header header = {.id = to->id,
                               .command = to->command,
                               .bytes = sizeof header,
                               .flags = VU_FLAG_REPLY | VU_FLAG_ERROR,
                               .error = (uint32_t)error};

    if ((to->flags & VU_FLAG_NO_REPLY) == 0)
        tern_client_send(client, &header, NULL, 0);
}

const uint8_t *tern_client_output(const struct tern_client *client, size_t *count)
{
    *count = client->out_bytes;
    return client->out == NULL ? NULL : client->out + client->out_at;
}

void tern_client_output_taken(struct tern_client *client, size_t count)
{
    client->out_bytes -= count;
    client->out_at = client->out_bytes == 0 ? 0 : client->out_at + count;
}

/* ---- input ---- */

size_t tern_client_wanted(const struct tern_client *client)
{
    if (client->closing || client->queued_bytes > TERN_CLIENT_QUEUE_BYTES)
        return 0;
    if (client->incoming == NULL)
        return sizeof client->header - client->header_have;
    return client->incoming->body_bytes - client->body_have;
}

/* Checks the size in a header: after a wrong one the next message cannot be found. */
static bool header_usable(struct tern_client *client)
{
    size_t bytes = client->header.bytes;

    if (bytes >= sizeof client->header && bytes <= sizeof client->header + VU_BODY_MAX)
        return true;
    if ((client->header.flags & VU_FLAG_TYPE) != VU_FLAG_REPLY)
        tern_client_fail(client, &client->header, bytes < sizeof client->header ? EINVAL
                                                                                : EMSGSIZE);
    client->closing = true;
    return false;
}

static void frame_begin(struct tern_client *client)
{
    size_t bytes;

    if (!header_usable(client))
        return;
    bytes = client->header.bytes - sizeof client->header;
    client->incoming = calloc(1, sizeof *client->incoming + bytes + 1);
    if (client->incoming == NULL) {
        client->closing = true;
        return;
    }
    client->incoming->header = client->header;
    client->incoming->body_bytes = bytes;
    client->body_have = 0;
}

static void frame_end(struct tern_client *client)
{
    struct tern_frame *frame = client->incoming;

    client->incoming = NULL;
    client->header_have = 0;
    memcpy(frame->fds, client->fds, sizeof frame->fds);
    frame->fd_count = client->fd_count;
    client->fd_count = 0;
    if ((frame->header.flags & VU_FLAG_TYPE) == VU_FLAG_REPLY) {
        tern_client_answered(client, frame);
        frame_free(frame);
        return;
    }
    *client->last = frame;
    client->last = &frame->next;
    client->queued_bytes += sizeof *frame + frame->body_bytes;
}

static void take_fds(struct tern_client *client, const int *fds, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (client->fd_count < VU_FDS_MAX) {
            client->fds[client->fd_count++] = fds[i];
        } else {
            close(fds[i]);
            client->closing = true;
        }
    }
}

/* Takes bytes of one header or one body; returns how many. */
static size_t take_piece(struct tern_client *client, const uint8_t *bytes, size_t count)
{
    if (client->incoming == NULL) {
        size_t n = sizeof client->header - client->header_have;

        n = n < count ? n : count;
        memcpy((uint8_t *)&client->header + client->header_have, bytes, n);
        client->header_have += n;
        if (client->header_have == sizeof client->header)
            frame_begin(client);
        count = n;
    } else {
        size_t n = client->incoming->body_bytes - client->body_have;

        n = n < count ? n : count;
        memcpy(client->incoming->body + client->body_have, bytes, n);
        client->body_have += n;
        count = n;
    }
    if (client->incoming != NULL && client->body_have == client->incoming->body_bytes)
        frame_end(client);
    return count;
}

void tern_client_input(struct tern_client *client, const void *bytes, size_t count,
                       const int *fds, unsigned fd_count)
{
    const uint8_t *at = bytes;

    take_fds(client, fds, fd_count);
    while (count > 0 && !client->closing) {
        size_t taken = take_piece(client, at, count);

        at += taken;
        count -= taken;
    }
}

bool tern_client_has_work(const struct tern_client *client)
{
    return client->first != NULL || tern_bells_rung(&client->bells);
}

/* Before a message is served, the writes that were posted before it reach the chip. */
void tern_client_work(struct tern_client *client)
{
    while (tern_request_posted(client) && client->first != NULL && !client->closing) {
        struct tern_frame *frame = client->first;

        if (!tern_request_serve(client, frame))
            return;
        client->first = frame->next;
        if (client->first == NULL)
            client->last = &client->first;
        client->queued_bytes -= sizeof *frame + frame->body_bytes;
        client->started = false;
        frame_free(frame);
    }
}

/* ---- DMA ---- */

void tern_client_answered(struct tern_client *client, struct tern_frame *frame)
{
    struct tern_dma_op **link = &client->waiting;
    struct tern_dma_op *op;
    struct vu_dma_access access;
    size_t piece;

    while (*link != NULL && (*link)->message_id != frame->header.id)
        link = &(*link)->next;
    op = *link;
    if (op == NULL)
        return; /* an answer without a request is ignored */
    *link = op->next;
    op->message = TERN_MESSAGE_FAILED;
    if (frame->header.flags & VU_FLAG_ERROR)
        return;
    if (op->write) {
        op->message = TERN_MESSAGE_DONE;
        return;
    }
    if (frame->body_bytes < sizeof access)
        return;
    memcpy(&access, frame->body, sizeof access);
    piece = frame->body_bytes - sizeof access;
    if (piece != op->message_bytes || access.bytes != piece)
        return;
    memcpy(op->data + op->moved, frame->body + sizeof access, piece);
    op->message = TERN_MESSAGE_DONE;
}

void tern_client_forget(struct tern_dma_op *op)
{
    struct tern_dma_op **link;

    if (op->client == NULL)
        return;
    link = &op->client->waiting;
    while (*link != NULL && *link != op)
        link = &(*link)->next;
    if (*link == op)
        *link = op->next;
    op->message = TERN_MESSAGE_FAILED;
    op->client = NULL;
}

static void message_start(struct tern_client *client, struct tern_dma_op *op, size_t piece,
                          uint64_t deadline)
{
    struct vu_dma_access access = {.address = op->address + op->moved, .bytes = piece};
    size_t data = op->write ? piece : 0;
    uint8_t body[sizeof access + 4096];
    struct vu_header header = {.id = client->next_id,
                               .command = op->write ? VU_DMA_WRITE : VU_DMA_READ,
                               .bytes = (uint32_t)(sizeof header + sizeof access + data)};

    memcpy(body, &access, sizeof access);
    memcpy(body + sizeof access, op->data + op->moved, data);
    op->message = TERN_MESSAGE_SENT;
    op->message_id = client->next_id++;
    op->message_bytes = (uint32_t)piece;
    op->message_deadline = deadline;
    op->client = client;
    op->next = client->waiting;
    client->waiting = op;
    tern_client_send(client, &header, body, sizeof access + data);
}

/* Moves a piece within one range by messages. */
static enum tern_dma_result by_message(struct tern_client *client, struct tern_dma_op *op,
                                       size_t piece, uint64_t cycle, uint64_t limit)
{
    switch (op->message) {
    case TERN_MESSAGE_NONE:
        message_start(client, op, piece, cycle + limit);
        return TERN_DMA_PENDING;
    case TERN_MESSAGE_SENT:
        if (cycle >= op->message_deadline)
            client->closing = true;
        return TERN_DMA_PENDING;
    case TERN_MESSAGE_DONE:
        op->message = TERN_MESSAGE_NONE;
        op->moved += op->message_bytes;
        return TERN_DMA_OK;
    default:
        return TERN_DMA_FAULT;
    }
}

static enum tern_dma_result by_process_vm(struct tern_client *client, struct tern_dma_op *op,
                                          size_t piece)
{
    struct iovec here = {.iov_base = op->data + op->moved, .iov_len = piece};
    struct iovec there = {.iov_base = (void *)(uintptr_t)(op->address + op->moved),
                          .iov_len = piece};
    ssize_t moved = op->write ? process_vm_writev(client->peer, &here, 1, &there, 1, 0)
                              : process_vm_readv(client->peer, &here, 1, &there, 1, 0);

    if (moved == (ssize_t)piece) {
        op->moved += (uint32_t)piece;
        return TERN_DMA_OK;
    }
    if (moved < 0 && (errno == EPERM || errno == ENOSYS)) {
        client->process_vm = false; /* messages from here on */
        return TERN_DMA_OK;
    }
    return TERN_DMA_FAULT;
}

/*
 * Tells whether the whole operation is one piece of the client's own memory, and can be accessed.
 */
static bool is_direct(const struct tern_client *client, const struct tern_dma_op *op)
{
    const struct tern_dma_range *range = tern_dma_table_find(&client->dma, op->address);
    uint32_t needed = op->write ? VU_PROT_WRITE : VU_PROT_READ;

    return range != NULL && range->file == NULL && (range->prot & needed) != 0 &&
           op->moved == 0 && op->message == TERN_MESSAGE_NONE &&
           op->bytes <= range->bytes - (op->address - range->address);
}

/* Adds a piece of the client's memory, and merges it with the last piece if it continues that. */
static void place_add(struct iovec *places, unsigned *count, const struct tern_dma_op *op)
{
    struct iovec *last = &places[*count - (*count > 0)];

    if (*count > 0 && (uintptr_t)last->iov_base + last->iov_len == op->address)
        last->iov_len += op->bytes;
    else
        places[(*count)++] = (struct iovec){.iov_base = (void *)(uintptr_t)op->address,
                                            .iov_len = op->bytes};
}

/* Leaves failing operations unchanged; moving each alone then finds the faulty one. */
void tern_client_transfer_ahead(struct tern_client *client, struct tern_dma_op *const *ops,
                                unsigned count)
{
    struct iovec here[TERN_DMA_AT_ONCE], there[TERN_DMA_AT_ONCE];
    size_t bytes = 0;
    ssize_t moved;
    unsigned n = 0, places = 0;

    for (; n < count && n < TERN_DMA_AT_ONCE && is_direct(client, ops[n]); n++) {
        here[n] = (struct iovec){.iov_base = ops[n]->data, .iov_len = ops[n]->bytes};
        place_add(there, &places, ops[n]);
        bytes += ops[n]->bytes;
    }
    if (n < 2 || !client->process_vm)
        return;
    moved = ops[0]->write ? process_vm_writev(client->peer, here, n, there, places, 0)
                          : process_vm_readv(client->peer, here, n, there, places, 0);
    for (unsigned i = 0; moved == (ssize_t)bytes && i < n; i++)
        ops[i]->moved = ops[i]->bytes;
}

static enum tern_dma_result move_piece(struct tern_client *client, struct tern_dma_op *op,
                                       uint64_t cycle, uint64_t limit)
{
    uint64_t address = op->address + op->moved;
    const struct tern_dma_range *range = tern_dma_table_find(&client->dma, address);
    uint64_t piece;

    if (op->message != TERN_MESSAGE_NONE) /* the client must answer, whatever is mapped now */
        return by_message(client, op, 0, cycle, limit);
    if (range == NULL || (range->prot & (op->write ? VU_PROT_WRITE : VU_PROT_READ)) == 0)
        return TERN_DMA_FAULT;
    piece = range->bytes - (address - range->address);
    if (piece > op->bytes - op->moved)
        piece = op->bytes - op->moved;
    if (range->file == NULL && client->process_vm)
        return by_process_vm(client, op, piece);
    if (range->file == NULL)
        return by_message(client, op, piece, cycle, limit);
    if (op->write)
        tern_dma_store(range->at + (address - range->address), op->data + op->moved, piece);
    else
        tern_dma_load(op->data + op->moved, range->at + (address - range->address), piece);
    op->moved += (uint32_t)piece;
    return TERN_DMA_OK;
}

enum tern_dma_result tern_client_transfer(struct tern_client *client, struct tern_dma_op *op,
                                          uint64_t cycle, uint64_t limit)
{
    enum tern_dma_result result = TERN_DMA_OK;

    while (op->moved < op->bytes && result == TERN_DMA_OK)
        result = move_piece(client, op, cycle, limit);
    return result;
}
