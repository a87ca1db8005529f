/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vfio-user messages as bytes: header and the bodies the driver uses.
 *
 * The bodies that equal the kernel's vfio structures are taken from <linux/vfio.h>.  Everything is
 * little-endian; so is every host this library supports.
 */
#ifndef TERN_MESSAGE_H
#define TERN_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

enum tern_vfu_command {
    VFU_VERSION = 1,
    VFU_DMA_MAP = 2,
    VFU_DMA_UNMAP = 3,
    VFU_GET_INFO = 4,
    VFU_GET_REGION_INFO = 5,
    VFU_GET_IRQ_INFO = 7,
    VFU_SET_IRQS = 8,
    VFU_REGION_READ = 9,
    VFU_REGION_WRITE = 10,
    VFU_DMA_READ = 11,
    VFU_DMA_WRITE = 12,
    VFU_RESET = 13,
};

enum {
    VFU_FLAG_REPLY = 0x1,
    VFU_FLAG_NO_REPLY = 0x10,
    VFU_FLAG_ERROR = 0x20,
    VFU_TYPE_MASK = 0xf,
    VFU_DATA_MAX = 65536,             /* maximum bytes of memory in one message */
    VFU_MESSAGE_MAX = 65536 + 4096,   /* maximum bytes of a message */
    VFU_MAP_READ = 1,
    VFU_MAP_WRITE = 2,
};

struct vfu_header {
    uint16_t id;
    uint16_t command;
    uint32_t size; /* including the header */
    uint32_t flags;
    uint32_t error;
};

struct vfu_version {
    uint16_t major, minor;
};

struct vfu_dma_map {
    uint32_t argsz, flags;
    uint64_t offset, addr, size;
};

struct vfu_dma_unmap {
    uint32_t argsz, flags;
    uint64_t addr, size;
};

struct vfu_region_access {
    uint64_t offset;
    uint32_t region, count;
};

struct vfu_dma_access {
    uint64_t addr, count;
};

/*
 * Returns the size of the message that begins with the `have` bytes; 0 when more bytes are needed
 * to tell it or to complete the message; -1 when they cannot begin a message.
 */
long vfu_message_size(const void *bytes, size_t have);

#endif
