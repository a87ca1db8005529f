/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's side of a completion ring, for the harness of the driver's side: neither includes
 * the other's headers.
 */
#ifndef CQRING_NIC_H
#define CQRING_NIC_H

#include "proof.h"

/* The contents of a completion, independent of both. */
struct said {
    uint8_t status, opcode, flags, link, fault;
    uint16_t queue, index, node;
    uint32_t length, imm;
    uint64_t value;
};

/* Writes completion `number`, of which hardware counts 24 bits, to its entry, as fw_cq_write(). */
void nic_write(uint32_t *ring, const struct said *said, uint32_t number, unsigned log2);

/* Returns how many completions the firmware considers unread, given the doorbell. */
uint32_t nic_used(uint32_t number, uint32_t doorbell, unsigned log2);

/* Returns the phase that the firmware writes to completion `number`. */
uint32_t nic_phase(uint32_t number, unsigned log2);

#endif
