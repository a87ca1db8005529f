/* SPDX-License-Identifier: Apache-2.0 */
/* PCI configuration space as a client sees it: identity and BAR 0, without other effects. */
#ifndef TERN_SIM_PCI_CONFIG_H
#define TERN_SIM_PCI_CONFIG_H

#include <stddef.h>
#include <stdint.h>

enum { TERN_PCI_CONFIG_BYTES = 256 };

struct tern_pci_config {
    uint8_t bytes[TERN_PCI_CONFIG_BYTES];
};

void tern_pci_config_init(struct tern_pci_config *config);

/* Both require [offset, offset + count) inside the space. */
void tern_pci_config_read(const struct tern_pci_config *config, size_t offset, void *to,
                          size_t count);
void tern_pci_config_write(struct tern_pci_config *config, size_t offset, const void *from,
                           size_t count);

#endif
