/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that the bench of the host link (hlink_tb.sv) calls, once a cycle or less. */
#ifndef TERN_HLINK_HOST_H
#define TERN_HLINK_HOST_H

/*
 * Begins a session on a serial line or, with `baud` 0, on an Ethernet cable. Of 1000 frames,
 * `faults` are damaged, as many lost, as many repeated, and on Ethernet as many overtaken.
 */
void hlink_begin(int seed, int faults, int baud, int clock, int memory);

/* Runs a cycle of the line: takes the level from the board, returns that to the board. */
int hlink_level(int level);

/*
 * Runs half a cycle of an Ethernet cable, 4 ns: takes the RGMII pins of the board, returns those to
 * it. The clock is above the control pin, which is above the data.
 */
int hlink_rgmii(int pins);

/* Takes an access that reaches the node. Returns the answer to a read. */
long long hlink_register(int write, int fn, int addr, int be, long long data);

/* Pushes up to `more` accesses, some of them writes in a row. Returns how many have not ended. */
int hlink_registers(int more);

/* Return counts: errors that the host has seen, faults of the line, interrupts. */
int hlink_wrong(void);
int hlink_faults(void);
int hlink_interrupts(void);

/* Returns how many frames the host sent again. */
int hlink_again(void);

/* Returns how many frames of other sessions, types and receivers the cable had. */
int hlink_strangers(void);

/* Puts another node of the board on the line, right after the start of the session. */
void hlink_share(void);

/* Returns how many reads of its registers the other node has answered. */
int hlink_other(void);

#endif
