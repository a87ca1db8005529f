/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Firmware of the node bench: registers a region, puts 24 bytes to the other node's region, and
 * reports the status in FW_STATUS. Runs on both nodes of a ring of two.
 */
#include "tern_abi.h"

enum {
    REGION = 1,
    TAG = 0xbeef,
    PUT_BYTES = 24,
    PUT_ADDR = 0x123, /* unaligned on purpose */
    REGION_BYTES = 4096,
    HOST_BASE = 0x4000,
};

static uint32_t rd(uint32_t reg)
{
    return *(volatile uint32_t *)((uintptr_t)TERN_MEM_MMIO_BASE + reg);
}

static void wr(uint32_t reg, uint32_t value)
{
    *(volatile uint32_t *)((uintptr_t)TERN_MEM_MMIO_BASE + reg) = value;
}

static void show_region(void)
{
    uint32_t w[8] = {0};

    TERN_SET(RGN, base, w, HOST_BASE);
    TERN_SET(RGN, length, w, REGION_BYTES);
    TERN_SET(RGN, tag, w, TAG);
    TERN_SET(RGN, counter, w, TERN_COUNTER_NONE);
    TERN_SET(RGN, rights, w, TERN_RIGHT_REMOTE_WRITE);
    TERN_SET(RGN, valid, w, 1);
    wr(TERN_MMIO_RG_SEL, REGION);
    for (uint32_t i = 0; i < 8; i++)
        wr(TERN_MMIO_RG_WORD + i * TERN_MMIO_RG_WORD_STRIDE, w[i]);
}

/* The highest slot always belongs to the firmware. */
static uint32_t write_put(uint32_t peer)
{
    uint32_t w[16] = {0};
    uint32_t slot = (rd(TERN_MMIO_SIZES) & 0xff) - 1;
    uint32_t at = TERN_MMIO_SLOT + slot * TERN_MMIO_SLOT_STRIDE;

    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, inline_len, w, PUT_BYTES);
    TERN_SET(DESC, dst_node, w, peer);
    TERN_SET(DESC, remote_addr, w, PUT_ADDR);
    TERN_SET(DESC, remote_key, w, (uint32_t)TAG << 16 | REGION);
    for (uint32_t i = 0; i < PUT_BYTES / 4; i++)
        w[TERN_INLINE_OFFSET / 4 + i] = 0x11111111u * (i + 1) + peer;
    for (uint32_t i = 0; i < 16; i++)
        wr(at + 4 * i, w[i]);
    return slot;
}

static uint32_t put(uint32_t peer)
{
    uint32_t slot = write_put(peer);
    uint32_t event;

    wr(TERN_MMIO_TX_CMD, TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_DATA) |
                             TERN_V(TXC, type, TERN_PTYPE_PUT) |
                             TERN_V(TXC, inl, 1) | TERN_V(TXC, notify, 1));
    do
        event = rd(TERN_MMIO_EV_POP);
    while (TERN_F(EV, type, event) != TERN_EV_OP);
    return TERN_F(EV, opstatus, event);
}

/*
 * Both nodes start at the same time: repeats the put until the link is up and the other node has
 * registered its region.
 */
int main(void)
{
    uint32_t status;

    show_region();
    do
        status = put(rd(TERN_MMIO_NODE) ^ 1);
    while (status == TERN_ST_BAD_KEY || status == TERN_ST_STALE_NODE);
    wr(TERN_MMIO_FW_VERSION, TERN_ABI_VERSION);
    wr(TERN_MMIO_FW_STATUS, TERN_FWSTATE_READY | status << 16);
    wr(TERN_MMIO_CONSOLE, 'k');
    for (;;)
        __asm__ volatile("wfi");
}

__asm__(".section .text.start, \"ax\"\n"
        ".global _start\n"
        "_start: la sp, __stack\n"
        "j main\n");
