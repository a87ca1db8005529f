/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration space: a type 0 header. Only the command register and BAR 0 are writable. */
#include "pci_config.h"

#include <string.h>

#include "tern_abi.h"

enum {
    CFG_VENDOR = 0x00,
    CFG_DEVICE = 0x02,
    CFG_COMMAND = 0x04,
    CFG_CLASS = 0x0a, /* subclass, then class */
    CFG_BAR0 = 0x10,
    CFG_BAR1 = 0x14,
    CFG_SUBSYSTEM = 0x2c,
    CLASS_NETWORK = 0x0200,
    BAR_64_BIT = 4
};

static void put16(struct tern_pci_config *config, size_t at, unsigned value)
{
    config->bytes[at] = (uint8_t)value;
    config->bytes[at + 1] = (uint8_t)(value >> 8);
}

void tern_pci_config_init(struct tern_pci_config *config)
{
    memset(config, 0, sizeof *config);
    put16(config, CFG_VENDOR, TERN_PCI_VENDOR);
    put16(config, CFG_DEVICE, TERN_PCI_DEVICE);
    put16(config, CFG_CLASS, CLASS_NETWORK);
    put16(config, CFG_SUBSYSTEM, TERN_PCI_VENDOR);
    put16(config, CFG_SUBSYSTEM + 2, TERN_PCI_DEVICE);
    config->bytes[CFG_BAR0] = BAR_64_BIT;
}

void tern_pci_config_read(const struct tern_pci_config *config, size_t offset, void *to,
                          size_t count)
{
    memcpy(to, config->bytes + offset, count);
}

/*
 * Returns the bits of a byte that a client may write. The low bits of BAR 0 read as zero (or its
 * type), which shows its size.
 */
static uint8_t writable(size_t at)
{
    if (at >= CFG_BAR1 && at < CFG_BAR1 + 4)
        return 0xff;
    if (at >= CFG_BAR0 && at < CFG_BAR0 + 4)
        return (uint8_t)(~(uint32_t)(TERN_BAR_BYTES - 1) >> (8 * (at - CFG_BAR0)));
    if (at == CFG_COMMAND)
        return 0x06; /* memory space, bus master */
    if (at == CFG_COMMAND + 1)
        return 0x04; /* no INTx */
    return 0;
}

void tern_pci_config_write(struct tern_pci_config *config, size_t offset, const void *from,
                           size_t count)
{
    const uint8_t *bytes = from;

    for (size_t i = 0; i < count; i++) {
        uint8_t mask = writable(offset + i);
        uint8_t *at = &config->bytes[offset + i];

        *at = (uint8_t)((*at & ~mask) | (bytes[i] & mask));
    }
}
