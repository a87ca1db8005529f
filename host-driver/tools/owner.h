/* SPDX-License-Identifier: Apache-2.0 */
/* A process that owns memory for others: it writes a pointer to a file, and then waits. */
#ifndef TERN_OWNER_H
#define TERN_OWNER_H

#include <tern/tern.h>

enum { OWNER_FOR_EVER = -1 };

/*
 * Blocks the signals that end owner_stay(), in all threads; call it before the driver makes a
 * thread.
 */
void owner_hold_signals(void);

/* Both return 0, or EXIT_BAD after printing the reason.  The file appears only when complete. */
int owner_write_pointer(const char *file, struct tern_rptr pointer);
int owner_read_pointer(const char *file, const char *to_what, struct tern_rptr *pointer);

/*
 * Waits until a signal comes, or the time is over: 0; or until the NIC is gone: prints that, and
 * returns EXIT_BAD.
 */
int owner_stay(struct tern_device *device, int timeout_ms);

#endif
