/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node of the soft tier: the firmware compiled natively over C models of the hardware blocks.
 *
 * Its interface is that of the verilated node: BAR accesses in, host memory and interrupts out,
 * packets in wire form on its links. It differs in time: a node works in turns, and each turn has a
 * cost from the table in cost.h. Nodes share only the net.
 */
#ifndef TERN_SIM_SOFT_H
#define TERN_SIM_SOFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostport.h"
#include "net.h"
#include "nic.h"
#include "timing.h"

struct soft_node;

struct soft_config {
    unsigned number;
    uint16_t coordinates; /* straps, in the format of NODE and DIMS in bar.def */
    uint16_t dims;
    unsigned ports; /* number of link ports */
    bool tree;      /* it has the tree network, whose wires are those of tern_net_tree() */
    struct tern_timing timing;
    const uint32_t *flash; /* words; the caller owns them */
    size_t flash_words;
    uint8_t life; /* number of the last life, from the flash; 0: none */
    struct tern_host host;
};

/* Makes a node at power-on; NULL without memory. */
struct soft_node *soft_node_new(const struct soft_config *config);
void soft_node_free(struct soft_node *node);

/* Returns the number of the last life stored in the flash. */
uint8_t soft_node_life(const struct soft_node *node);

/* Answers waiting reads of its registers, and drops its requests to the host. */
void soft_node_power_off(struct soft_node *node);

/* Makes the host leave the next `count` bursts written by the node without an answer. */
void soft_node_lose_writes(struct soft_node *node, unsigned count);

size_t soft_bar_room(const struct soft_node *node);
void soft_bar_push(struct soft_node *node, const struct tern_bar_access *access);

/*
 * Does all possible work at `cycle`; returns the cycles it cost, 0 without work. An access that
 * waits for a client's memory is retried in every turn.
 */
unsigned soft_node_turn(struct soft_node *node, struct tern_net *net, uint64_t cycle);

/* Returns the cycle of the next timer; until then the node changes only on input. */
uint64_t soft_node_timer(const struct soft_node *node);

#endif
