/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's side of a completion ring, for the harness of the driver's: neither sees the
 * other's headers.
 */
#ifndef CQRING_NIC_H
#define CQRING_NIC_H

#include "proof.h"

/* What a completion says, in the words of neither. */
struct said {
    uint8_t status, opcode, flags, link, fault;
    uint16_t queue, index, node;
    uint32_t length, imm;
    uint64_t value;
};

/*
 * As fw_cq_write(): completion `number`, of which hardware counts 24 bits, into its place of the
 * ring.
 */
void nic_write(uint32_t *ring, const struct said *said, uint32_t number, unsigned log2);

/* Completions that the firmware takes for unread: it knows the doorbell. */
uint32_t nic_used(uint32_t number, uint32_t doorbell, unsigned log2);

/* The phase that it writes into completion `number`. */
uint32_t nic_phase(uint32_t number, unsigned log2);

#endif
