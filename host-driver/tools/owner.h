/* SPDX-License-Identifier: Apache-2.0 */
/* A process that owns memory for others to use: it writes a pointer to a file, and stays. */
#ifndef TERN_OWNER_H
#define TERN_OWNER_H

#include <tern/tern.h>

enum { OWNER_FOR_EVER = -1 };

/* Before the driver makes a thread: what ends owner_stay() interrupts nothing else. */
void owner_hold_signals(void);

/* Both return 0, or EXIT_BAD after printing the reason.  The file appears only when complete. */
int owner_write_pointer(const char *file, struct tern_rptr pointer);
int owner_read_pointer(const char *file, const char *to_what, struct tern_rptr *pointer);

/* Until a signal comes, or the time is over: 0; or the NIC is gone, which is said: EXIT_BAD. */
int owner_stay(struct tern_device *device, int timeout_ms);

#endif
