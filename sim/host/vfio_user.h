/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vfio-user messages that the simulator understands: numbers and layouts.
 *
 * A stream of messages over a UNIX socket, each a header and a body, little-endian. File
 * descriptors come with the first byte of their message.
 */
#ifndef TERN_SIM_VFIO_USER_H
#define TERN_SIM_VFIO_USER_H

#include <stdint.h>

enum vu_command {
    VU_VERSION = 1,
    VU_DMA_MAP = 2,
    VU_DMA_UNMAP = 3,
    VU_GET_INFO = 4,
    VU_GET_REGION_INFO = 5,
    VU_GET_IRQ_INFO = 7,
    VU_SET_IRQS = 8,
    VU_REGION_READ = 9,
    VU_REGION_WRITE = 10,
    VU_DMA_READ = 11,
    VU_DMA_WRITE = 12,
    VU_RESET = 13
};

enum {
    VU_FLAG_TYPE = 0xf, /* 0 = request, 1 = reply */
    VU_FLAG_REPLY = 1,
    VU_FLAG_NO_REPLY = 0x10,
    VU_FLAG_ERROR = 0x20,

    VU_DATA_MAX = 1 << 20, /* payload bytes of one message */
    VU_BODY_MAX = VU_DATA_MAX + 64,
    VU_FDS_MAX = 16,

    VU_PROT_READ = 1,
    VU_PROT_WRITE = 2,
    VU_UNMAP_BITMAP = 1,
    VU_UNMAP_ALL = 2,

    VU_DEVICE_RESET = 1,
    VU_DEVICE_PCI = 2,
    VU_REGION_COUNT = 9,
    VU_REGION_BAR0 = 0,
    VU_REGION_CONFIG = 7,
    VU_REGION_CAN_READ = 1,
    VU_REGION_CAN_WRITE = 2,

    VU_IRQ_COUNT = 5,
    VU_IRQ_MSIX = 2,
    VU_IRQ_EVENTFD = 1,
    VU_IRQ_DATA_NONE = 1,
    VU_IRQ_DATA_BOOL = 2,
    VU_IRQ_DATA_EVENTFD = 4,
    VU_IRQ_ACTION_TRIGGER = 32,
    VU_IRQ_ACTIONS = 0x38
};

struct vu_header {
    uint16_t id;
    uint16_t command;
    uint32_t bytes; /* including the header */
    uint32_t flags;
    uint32_t error; /* errno in an error reply */
};

struct vu_version {
    uint16_t major;
    uint16_t minor;
    /* followed by JSON with a closing zero */
};

struct vu_dma_map {
    uint32_t argsz;
    uint32_t flags;
    uint64_t offset;
    uint64_t address;
    uint64_t bytes;
};

struct vu_dma_unmap {
    uint32_t argsz;
    uint32_t flags;
    uint64_t address;
    uint64_t bytes;
};

struct vu_device_info {
    uint32_t argsz;
    uint32_t flags;
    uint32_t regions;
    uint32_t irqs;
};

struct vu_region_info {
    uint32_t argsz;
    uint32_t flags;
    uint32_t index;
    uint32_t cap_offset;
    uint64_t bytes;
    uint64_t offset;
};

struct vu_irq_info {
    uint32_t argsz;
    uint32_t flags;
    uint32_t index;
    uint32_t count;
};

struct vu_irq_set {
    uint32_t argsz;
    uint32_t flags;
    uint32_t index;
    uint32_t start;
    uint32_t count;
};

struct vu_region_access {
    uint64_t offset;
    uint32_t region;
    uint32_t bytes;
    /* followed by the data of a write, or of a read's reply */
};

struct vu_dma_access {
    uint64_t address;
    uint64_t bytes;
    /* followed by the data of a write, or of a read's reply */
};

_Static_assert(sizeof(struct vu_header) == 16, "layout of the protocol");
_Static_assert(sizeof(struct vu_dma_map) == 32, "layout of the protocol");
_Static_assert(sizeof(struct vu_region_info) == 32, "layout of the protocol");
_Static_assert(sizeof(struct vu_irq_set) == 20, "layout of the protocol");

#endif
