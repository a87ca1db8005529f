/* SPDX-License-Identifier: Apache-2.0 */
/* The vfio-user client: sends the requests of the driver core as messages.  See transport.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "stream.h"
#include "tern_abi.h"

/* Allows the server to access this process's memory by its pid, which Yama restricts. */
static void admit_server(int fd)
{
    struct ucred peer;
    socklen_t bytes = sizeof(peer);

    if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) && peer.pid > 0)
        prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
}

static int call(struct tern_transport *transport, struct vfu_request request, void *reply,
                size_t room, size_t *got)
{
    return vfu_stream_call(transport, &request, reply, room, got);
}

static int negotiate(struct tern_transport *transport)
{
    const char *off = getenv("TERN_NO_PROCESS_VM");
    bool process_vm = !(off && !strcmp(off, "1"));
    struct vfu_version ours = {0, 0}, theirs;
    char text[256], reply[4096];
    size_t got;
    int bytes = snprintf(text, sizeof(text),
                         "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":%d,"
                         "\"tern\":{\"process_vm\":%s}}}",
                         VFU_DATA_MAX, process_vm ? "true" : "false");
    int status;

    if (process_vm)
        admit_server(transport->fd);
    status = call(transport,
                  (struct vfu_request){.command = VFU_VERSION, .body = &ours,
                                       .body_bytes = sizeof(ours), .data = text,
                                       .data_bytes = (size_t)bytes + 1, .fd = -1},
                  reply, sizeof(reply), &got);
    if (status == -TERN_ST_SYSTEM && errno == EUSERS)
        return -TERN_ST_NO_FUNCTION;
    if (status)
        return status;
    memcpy(&theirs, reply, sizeof(theirs));
    return got < sizeof(theirs) || theirs.major != ours.major ? -TERN_ST_PROTOCOL : 0;
}

/* Sends a request of at most 64 bytes whose reply has the same layout. */
static int exchange(struct tern_transport *transport, uint16_t command, void *body, size_t bytes)
{
    uint8_t reply[64];
    size_t got = 0;
    int status = call(transport,
                      (struct vfu_request){.command = command, .body = body, .body_bytes = bytes,
                                           .fd = -1},
                      reply, sizeof(reply), &got);

    if (!status && got < bytes)
        status = -TERN_ST_PROTOCOL;
    if (!status)
        memcpy(body, reply, bytes);
    return status;
}

/*
 * Checks that the device is a PCI device with the BAR of the contract, and reads its number of
 * interrupts.
 */
static int inspect(struct tern_transport *transport)
{
    struct vfio_device_info device = {.argsz = 16};
    struct vfio_region_info bar = {.argsz = sizeof(bar), .index = VFIO_PCI_BAR0_REGION_INDEX};
    struct vfio_irq_info irq = {.argsz = sizeof(irq), .index = VFIO_PCI_MSIX_IRQ_INDEX};
    int status = exchange(transport, VFU_GET_INFO, &device, 16);

    if (!status && !(device.flags & VFIO_DEVICE_FLAGS_PCI))
        status = -TERN_ST_PROTOCOL;
    if (!status)
        status = exchange(transport, VFU_GET_REGION_INFO, &bar, sizeof(bar));
    if (!status && bar.size < TERN_BAR_BYTES)
        status = -TERN_ST_PROTOCOL;
    if (!status)
        status = exchange(transport, VFU_GET_IRQ_INFO, &irq, sizeof(irq));
    if (!status)
        transport->vectors = irq.count;
    return status;
}

/* Agrees on memory for posted writes; without it they are messages. */
static int share_bells(struct tern_transport *transport)
{
    const char *off = getenv("TERN_NO_BELLS");
    int fd = off && !strcmp(off, "1") ? -1 : vfu_bells_make(&transport->bells);
    int status;

    if (fd < 0)
        return 0;
    status = call(transport, (struct vfu_request){.command = TERN_BELLS_COMMAND, .fd = fd}, NULL,
                  0, NULL);
    close(fd);
    if (status)
        vfu_bells_free(&transport->bells);
    return status == -TERN_ST_SYSTEM ? 0 : status; /* a server may refuse it */
}

int tern_transport_open(int fd, const struct tern_transport_host *host,
                        struct tern_transport **out)
{
    struct tern_transport *transport = calloc(1, sizeof(*transport));
    int status;

    if (!transport) {
        close(fd);
        return -TERN_ST_NO_MEMORY;
    }
    transport->fd = fd;
    transport->host = *host;
    status = vfu_stream_start(transport);
    if (!status)
        status = negotiate(transport);
    if (!status)
        status = inspect(transport);
    if (!status)
        status = share_bells(transport);
    if (status) {
        tern_transport_close(transport);
        return status;
    }
    *out = transport;
    return 0;
}

void tern_transport_close(struct tern_transport *transport)
{
    if (!transport)
        return;
    vfu_stream_stop(transport);
    free(transport);
}

int tern_transport_state(struct tern_transport *transport)
{
    return atomic_load(&transport->state);
}

unsigned tern_transport_vectors(const struct tern_transport *transport)
{
    return transport->vectors;
}

int tern_transport_fd(const struct tern_transport *transport)
{
    return transport->fd;
}

bool tern_transport_inline(const struct tern_transport *transport)
{
    return !transport->threaded;
}

void tern_transport_serve(struct tern_transport *transport)
{
    if (!transport->threaded)
        vfu_stream_pump(transport);
}

int tern_transport_turn(struct tern_transport *transport)
{
    return vfu_stream_turn(transport);
}

void tern_transport_disown(struct tern_transport *transport, int status)
{
    vfu_stream_disown(transport, status);
}

void tern_transport_lose(struct tern_transport *transport)
{
    vfu_stream_fail(transport, -TERN_ST_DISCONNECTED);
}

int tern_transport_map(struct tern_transport *transport, uint64_t addr, uint64_t bytes, int fd,
                       uint64_t offset)
{
    struct vfu_dma_map map = {.argsz = sizeof(map), .flags = VFU_MAP_READ | VFU_MAP_WRITE,
                              .offset = offset, .addr = addr, .size = bytes};

    return call(transport,
                (struct vfu_request){.command = VFU_DMA_MAP, .body = &map,
                                     .body_bytes = sizeof(map), .fd = fd},
                NULL, 0, NULL);
}

int tern_transport_unmap(struct tern_transport *transport, uint64_t addr, uint64_t bytes)
{
    struct vfu_dma_unmap unmap = {.argsz = sizeof(unmap), .addr = addr, .size = bytes};

    return call(transport,
                (struct vfu_request){.command = VFU_DMA_UNMAP, .body = &unmap,
                                     .body_bytes = sizeof(unmap), .fd = -1},
                NULL, 0, NULL);
}

int tern_transport_read(struct tern_transport *transport, uint32_t offset, void *data,
                        uint32_t bytes)
{
    struct vfu_region_access access = {.offset = offset, .region = VFIO_PCI_BAR0_REGION_INDEX,
                                       .count = bytes};
    uint8_t reply[sizeof(access) + TERN_DESC_BYTES];
    size_t got;
    int status;

    if (bytes > TERN_DESC_BYTES)
        return -TERN_ST_BAD_ARGUMENT;
    status = call(transport,
                  (struct vfu_request){.command = VFU_REGION_READ, .body = &access,
                                       .body_bytes = sizeof(access), .fd = -1},
                  reply, sizeof(reply), &got);
    if (status)
        return status;
    if (got < sizeof(access) + bytes)
        return -TERN_ST_PROTOCOL;
    memcpy(data, reply + sizeof(access), bytes);
    return 0;
}

int tern_transport_write(struct tern_transport *transport, uint32_t offset, const void *data,
                         uint32_t bytes, bool posted)
{
    struct vfu_region_access access = {.offset = offset, .region = VFIO_PCI_BAR0_REGION_INDEX,
                                       .count = bytes};
    struct vfu_request request = {.command = VFU_REGION_WRITE, .body = &access,
                                  .body_bytes = sizeof(access), .data = data,
                                  .data_bytes = bytes, .fd = -1};

    if (posted && transport->bells.base && bytes <= TERN_DESC_BYTES)
        return vfu_stream_ring(transport, offset, data, bytes);
    if (posted)
        return vfu_stream_post(transport, &request);
    return call(transport, request, NULL, 0, NULL);
}

int tern_transport_irq(struct tern_transport *transport, unsigned vector, int fd)
{
    struct vfio_irq_set set = {
        .argsz = sizeof(set),
        .flags = VFIO_IRQ_SET_ACTION_TRIGGER | VFIO_IRQ_SET_DATA_EVENTFD,
        .index = VFIO_PCI_MSIX_IRQ_INDEX,
        .start = vector,
        .count = 1,
    };

    return call(transport,
                (struct vfu_request){.command = VFU_SET_IRQS, .body = &set,
                                     .body_bytes = sizeof(set), .fd = fd},
                NULL, 0, NULL);
}
