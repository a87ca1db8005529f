/* SPDX-License-Identifier: Apache-2.0 */
/* Ends of nodes that workers broadcast to all homes, at the server of a home. */
#ifndef TERN_DAG_FANS_H
#define TERN_DAG_FANS_H

#include "layout.h"

struct dag_fans;

/*
 * Makes this home a member of the group of all homes of that name, and sets `fan_key` in its head.
 * Without a free region or counter of the NIC the key is 0, and workers set all bits themselves.
 * NULL: no memory.
 */
struct dag_fans *fans_open(struct tern_pool *pool, const char *name, struct dag_head *head);
void fans_close(struct dag_fans *fans); /* NULL is fine */

/* Takes a completion of the pool's queue; returns whether it was that of a broadcast. */
bool fans_told(struct dag_fans *fans, const struct tern_completion *done);

/*
 * Sets the bits of the successors, here, of each node whose broadcast has come. Returns the status
 * of the first operation that failed; the next call begins there.
 */
int fans_hear(struct dag_fans *fans, const struct dag_head *head, uint8_t life);

#endif
