/* SPDX-License-Identifier: Apache-2.0 */
/* Serial lines: opening, raw mode, rate. */
#ifndef TERN_BRIDGE_SERIAL_H
#define TERN_BRIDGE_SERIAL_H

enum { TERN_SERIAL_BAUD = 3000000 };

/*
 * Opens a terminal for raw bytes at a rate; nobody else may open it then. Returns the descriptor,
 * non-blocking, or -1 with errno: EINVAL for a rate that the system does not have.
 */
int tern_serial_open(const char *path, unsigned baud);

#endif
