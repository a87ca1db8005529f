/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles each message of a client.
 *
 * A body too short for its message, a number out of range or a message out of order gets an error
 * and has no effect; the connection continues.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "client.h"
#include "tern_abi.h"

/* ---- VERSION ---- */

/*
 * Tells whether this process may access the client's memory: the address is not mapped, so the
 * error shows the permission.
 */
static bool process_vm_allowed(pid_t peer)
{
    char byte;
    struct iovec here = {.iov_base = &byte, .iov_len = 1};
    struct iovec there = {.iov_base = NULL, .iov_len = 1};

    return peer > 0 && process_vm_readv(peer, &here, 1, &there, 1, 0) < 0 &&
           errno == EFAULT;
}

static bool wants_process_vm(const json_t *said)
{
    const json_t *tern = json_object_get(json_object_get(said, "capabilities"), "tern");

    if (tern == NULL)
        tern = json_object_get(said, "tern");
    return json_is_true(json_object_get(tern, "process_vm"));
}

static void reply_version(struct tern_client *client, const struct vu_header *header)
{
    struct vu_version version = {.major = 0, .minor = 0};
    uint8_t body[sizeof version + 256];
    int length;

    memcpy(body, &version, sizeof version);
    length = snprintf((char *)body + sizeof version, sizeof body - sizeof version,
                      "{\"capabilities\":{\"max_msg_fds\":%d,\"max_data_xfer_size\":%d,"
                      "\"max_dma_maps\":%d,\"pgsizes\":4096,"
                      "\"tern\":{\"process_vm\":%s,\"function\":%d}}}",
                      VU_FDS_MAX, VU_DATA_MAX, TERN_DMA_RANGES_MAX,
                      client->process_vm ? "true" : "false", client->function);
    tern_client_reply(client, header, body, sizeof version + (size_t)length + 1);
}

static int serve_version(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_version version;
    json_t *said;

    if (client->versioned || frame->body_bytes < sizeof version)
        return EINVAL;
    memcpy(&version, frame->body, sizeof version);
    if (version.major != 0)
        return EPROTONOSUPPORT;
    if (frame->body_bytes > sizeof version) {
        said = json_loads((const char *)frame->body + sizeof version, 0, NULL);
        if (said == NULL)
            return EINVAL;
        client->process_vm = wants_process_vm(said) && process_vm_allowed(client->peer);
        json_decref(said);
    }
    client->versioned = true;
    reply_version(client, &frame->header);
    return 0;
}

/* ---- DMA maps ---- */

static int serve_dma_map(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_dma_map map;
    struct tern_dma_range range;
    int error;

    if (frame->body_bytes != sizeof map || frame->fd_count > 1)
        return EINVAL;
    memcpy(&map, frame->body, sizeof map);
    if (map.argsz < sizeof map || (map.flags & ~(uint32_t)(VU_PROT_READ | VU_PROT_WRITE)))
        return EINVAL;
    range = (struct tern_dma_range){
        .address = map.address, .bytes = map.bytes, .prot = map.flags};
    error = tern_dma_table_map(&client->dma, &range,
                               frame->fd_count == 1 ? frame->fds[0] : -1, map.offset);
    if (error == 0)
        tern_client_reply(client, &frame->header, NULL, 0);
    return error;
}

static int serve_dma_unmap(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_dma_unmap unmap;
    int error = 0;

    if (frame->body_bytes != sizeof unmap)
        return EINVAL;
    memcpy(&unmap, frame->body, sizeof unmap);
    if (unmap.argsz < sizeof unmap || (unmap.flags & ~(uint32_t)VU_UNMAP_ALL))
        return EINVAL;
    if (unmap.flags & VU_UNMAP_ALL)
        tern_dma_table_unmap_all(&client->dma);
    else
        error = tern_dma_table_unmap(&client->dma, unmap.address, unmap.bytes);
    if (error == 0)
        tern_client_reply(client, &frame->header, &unmap, sizeof unmap);
    return error;
}

/* ---- device information ---- */

static int serve_info(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_device_info info;

    if (frame->body_bytes < sizeof info)
        return EINVAL;
    memcpy(&info, frame->body, sizeof info);
    if (info.argsz < sizeof info)
        return EINVAL;
    info = (struct vu_device_info){.argsz = sizeof info,
                                   .flags = VU_DEVICE_RESET | VU_DEVICE_PCI,
                                   .regions = VU_REGION_COUNT,
                                   .irqs = VU_IRQ_COUNT};
    tern_client_reply(client, &frame->header, &info, sizeof info);
    return 0;
}

static uint64_t region_bytes(uint32_t region)
{
    if (region == VU_REGION_BAR0)
        return TERN_BAR_BYTES;
    return region == VU_REGION_CONFIG ? TERN_PCI_CONFIG_BYTES : 0;
}

static int serve_region_info(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_region_info info;

    if (frame->body_bytes < sizeof info)
        return EINVAL;
    memcpy(&info, frame->body, sizeof info);
    if (info.argsz < sizeof info || info.index >= VU_REGION_COUNT)
        return EINVAL;
    info = (struct vu_region_info){.argsz = sizeof info,
                                   .index = info.index,
                                   .bytes = region_bytes(info.index)};
    if (info.bytes > 0)
        info.flags = VU_REGION_CAN_READ | VU_REGION_CAN_WRITE;
    tern_client_reply(client, &frame->header, &info, sizeof info);
    return 0;
}

static int serve_irq_info(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_irq_info info;

    if (frame->body_bytes < sizeof info)
        return EINVAL;
    memcpy(&info, frame->body, sizeof info);
    if (info.argsz < sizeof info || info.index >= VU_IRQ_COUNT)
        return EINVAL;
    info = (struct vu_irq_info){.argsz = sizeof info, .index = info.index};
    if (info.index == VU_IRQ_MSIX) {
        info.flags = VU_IRQ_EVENTFD;
        info.count = TERN_CLIENT_VECTORS;
    }
    tern_client_reply(client, &frame->header, &info, sizeof info);
    return 0;
}

/* ---- interrupts ---- */

/*
 * Tells whether the descriptor is an event counter: unlike a pipe, it never blocks a writer that
 * checks first.
 */
static bool is_eventfd(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == 0;
}

static int set_vectors(struct tern_client *client, struct tern_frame *frame,
                       const struct vu_irq_set *set)
{
    if (frame->fd_count != 0 && frame->fd_count != set->count)
        return EINVAL;
    for (unsigned i = 0; i < frame->fd_count; i++) {
        if (!is_eventfd(frame->fds[i]))
            return EBADF;
    }
    for (unsigned i = 0; i < set->count; i++)
        tern_client_set_vector(client, set->start + i,
                               frame->fd_count == 0 ? -1 : frame->fds[i]);
    frame->fd_count = 0; /* the vectors own them now */
    return 0;
}

static int clear_or_trigger(struct tern_client *client, const struct vu_irq_set *set)
{
    if (set->count == 0) {
        for (unsigned v = 0; v < TERN_CLIENT_VECTORS; v++)
            tern_client_set_vector(client, v, -1);
        return 0;
    }
    for (unsigned i = 0; i < set->count; i++)
        tern_nic_interrupt(client->nic, (unsigned)client->function, set->start + i);
    return 0;
}

static int serve_set_irqs(struct tern_client *client, struct tern_frame *frame)
{
    struct vu_irq_set set;
    int error;

    if (frame->body_bytes < sizeof set)
        return EINVAL;
    memcpy(&set, frame->body, sizeof set);
    if (set.argsz < sizeof set || set.index != VU_IRQ_MSIX ||
        set.start > TERN_CLIENT_VECTORS || set.count > TERN_CLIENT_VECTORS - set.start ||
        (set.flags & VU_IRQ_ACTIONS) != VU_IRQ_ACTION_TRIGGER)
        return EINVAL;
    switch (set.flags & ~(uint32_t)VU_IRQ_ACTIONS) {
    case VU_IRQ_DATA_EVENTFD:
        error = set_vectors(client, frame, &set);
        break;
    case VU_IRQ_DATA_NONE:
        error = clear_or_trigger(client, &set);
        break;
    default:
        error = EINVAL;
    }
    if (error == 0)
        tern_client_reply(client, &frame->header, NULL, 0);
    return error;
}

/* ---- registers ---- */

/* Tells whether an access lies within its region and, in the BAR, covers whole registers. */
static bool access_fits(const struct vu_region_access *access)
{
    uint64_t bytes = access->region < VU_REGION_COUNT ? region_bytes(access->region) : 0;

    return access->bytes > 0 && access->bytes <= bytes &&
           access->offset <= bytes - access->bytes &&
           (access->region != VU_REGION_BAR0 ||
            (access->offset % 4 == 0 && access->bytes % 4 == 0));
}

/* Checks an access and returns its header; 0 or an errno. */
static int access_head(const struct tern_frame *frame, bool write,
                       struct vu_region_access *access)
{
    if (frame->body_bytes < sizeof *access)
        return EINVAL;
    memcpy(access, frame->body, sizeof *access);
    if (!access_fits(access) ||
        frame->body_bytes != sizeof *access + (write ? access->bytes : 0))
        return EINVAL;
    return 0;
}

/* One beat of an access: its data, its bytes, its enables. */
struct beat {
    uint32_t address;
    size_t at, bytes;
    uint8_t enables;
};

static struct beat beat_of(const struct vu_region_access *access, size_t beat)
{
    uint64_t aligned = (access->offset & ~UINT64_C(7)) + 8 * beat;
    uint64_t from = aligned < access->offset ? access->offset : aligned;
    uint64_t end = access->offset + access->bytes;
    uint64_t to = aligned + 8 < end ? aligned + 8 : end;
    unsigned lanes = (1u << (to - from)) - 1;

    return (struct beat){.address = (uint32_t)aligned,
                         .at = (size_t)(from - access->offset),
                         .bytes = (size_t)(to - from),
                         .enables = (uint8_t)(lanes << (from - aligned))};
}

static size_t beat_count(const struct vu_region_access *access)
{
    uint64_t first = access->offset & ~UINT64_C(7);

    return (size_t)((access->offset + access->bytes - first + 7) / 8);
}

static unsigned shift_of(const struct beat *beat)
{
    return beat->enables & 1 ? 0 : 32;
}

static void push_beat(struct tern_client *client, const struct vu_region_access *access,
                      const uint8_t *data, size_t number)
{
    struct beat beat = beat_of(access, number);
    uint64_t value = 0;

    memcpy(&value, data + beat.at, beat.bytes);
    tern_nic_bar_push(client->nic, client, true, beat.address, beat.enables,
                      value << shift_of(&beat));
}

/* Pushes beats while there is room. The 64 bytes of a doorbell window go together. */
static bool push_writes(struct tern_client *client, const struct vu_region_access *access,
                        const uint8_t *data)
{
    size_t count = beat_count(access);
    size_t room = tern_nic_bar_room(client->nic);

    if (client->pushed == 0 && room < (count < 16 ? count : 16))
        return false;
    for (; client->pushed < count && room > 0; room--, client->pushed++)
        push_beat(client, access, data, client->pushed);
    return client->pushed == count;
}

/* Pushes all beats; the caller has checked that there is room. */
static void push_all(struct tern_client *client, const struct vu_region_access *access,
                     const uint8_t *data)
{
    for (size_t i = 0; i < beat_count(access); i++)
        push_beat(client, access, data, i);
}

/* Beats of the largest posted write if it begins in the middle of a beat. */
enum { POSTED_BEATS = TERN_DESC_BYTES / 8 + 1 };

/* Drops a posted write that a message would be refused for: a message has no answer here either. */
bool tern_request_posted(struct tern_client *client)
{
    while (!client->closing && tern_bells_rung(&client->bells)) {
        struct vu_region_access access = {.region = VU_REGION_BAR0};
        struct tern_bell bell;

        if (tern_nic_bar_room(client->nic) < POSTED_BEATS)
            return false;
        tern_bells_take(&client->bells, &bell);
        access.offset = bell.offset;
        access.bytes = bell.bytes;
        if (bell.bytes <= sizeof bell.data && access_fits(&access))
            push_all(client, &access, bell.data);
    }
    return true;
}

static int serve_bells(struct tern_client *client, struct tern_frame *frame)
{
    int error = 0;

    /* Without a file descriptor the command only wakes a sleeping simulator. */
    if (frame->body_bytes != 0 || frame->fd_count > 1)
        return EINVAL;
    if (frame->fd_count == 1)
        error = tern_bells_map(&client->bells, frame->fds[0]);
    if (error == 0)
        tern_client_reply(client, &frame->header, NULL, 0);
    return error;
}

static int serve_write(struct tern_client *client, struct tern_frame *frame, bool *done)
{
    struct vu_region_access access;
    int error = access_head(frame, true, &access);
    const uint8_t *data = frame->body + sizeof access;

    if (error != 0)
        return error;
    if (access.region == VU_REGION_CONFIG) {
        tern_pci_config_write(&client->config, access.offset, data, access.bytes);
    } else {
        if (!client->started)
            client->pushed = 0;
        client->started = true;
        if (!push_writes(client, &access, data)) {
            *done = false;
            return 0;
        }
    }
    tern_client_reply(client, &frame->header, &access, sizeof access);
    return 0;
}

static void push_reads(struct tern_client *client, const struct vu_region_access *access)
{
    size_t count = beat_count(access);
    size_t room = tern_nic_bar_room(client->nic);

    for (; client->pushed < count && room > 0; room--, client->pushed++) {
        struct beat beat = beat_of(access, client->pushed);

        tern_nic_bar_push(client->nic, client, false, beat.address, beat.enables, 0);
    }
}

static int read_begin(struct tern_client *client, const struct vu_region_access *access)
{
    client->answer = malloc(sizeof *access + access->bytes);
    if (client->answer == NULL)
        return ENOMEM;
    memcpy(client->answer, access, sizeof *access);
    client->pushed = 0;
    client->taken = 0;
    client->started = true;
    return 0;
}

void tern_client_read_done(struct tern_client *client, uint64_t data)
{
    struct vu_region_access access;
    struct beat beat;

    if (client->answer == NULL)
        return;
    memcpy(&access, client->answer, sizeof access);
    if (client->taken >= client->pushed)
        return;
    beat = beat_of(&access, client->taken++);
    data >>= shift_of(&beat);
    memcpy(client->answer + sizeof access + beat.at, &data, beat.bytes);
}

static int serve_read(struct tern_client *client, struct tern_frame *frame, bool *done)
{
    struct vu_region_access access;
    int error = access_head(frame, false, &access);

    if (error == 0 && !client->started)
        error = read_begin(client, &access);
    if (error != 0)
        return error;
    if (access.region == VU_REGION_CONFIG) {
        tern_pci_config_read(&client->config, access.offset,
                             client->answer + sizeof access, access.bytes);
    } else {
        push_reads(client, &access);
        if (client->taken < beat_count(&access)) {
            *done = false;
            return 0;
        }
    }
    tern_client_reply(client, &frame->header, client->answer, sizeof access + access.bytes);
    free(client->answer);
    client->answer = NULL;
    return 0;
}

/* ---- RESET ---- */

static int serve_reset(struct tern_client *client, struct tern_frame *frame, bool *done)
{
    if (!client->started)
        tern_nic_reset(client->nic, client);
    client->started = true;
    *done = !tern_nic_resetting(client->nic, client);
    if (*done)
        tern_client_reply(client, &frame->header, NULL, 0);
    return 0;
}

static int serve(struct tern_client *client, struct tern_frame *frame, bool *done)
{
    if (frame->header.command == VU_VERSION)
        return serve_version(client, frame);
    if (!client->versioned)
        return EINVAL;
    switch (frame->header.command) {
    case VU_DMA_MAP:
        return serve_dma_map(client, frame);
    case VU_DMA_UNMAP:
        return serve_dma_unmap(client, frame);
    case VU_GET_INFO:
        return serve_info(client, frame);
    case VU_GET_REGION_INFO:
        return serve_region_info(client, frame);
    case VU_GET_IRQ_INFO:
        return serve_irq_info(client, frame);
    case VU_SET_IRQS:
        return serve_set_irqs(client, frame);
    case VU_REGION_READ:
        return serve_read(client, frame, done);
    case VU_REGION_WRITE:
        return serve_write(client, frame, done);
    case VU_RESET:
        return serve_reset(client, frame, done);
    case TERN_BELLS_COMMAND:
        return serve_bells(client, frame);
    default:
        return ENOTSUP;
    }
}

bool tern_request_serve(struct tern_client *client, struct tern_frame *frame)
{
    bool done = true;
    int error = serve(client, frame, &done);

    if (error != 0)
        tern_client_fail(client, &frame->header, error);
    return done;
}
