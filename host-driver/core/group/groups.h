/* SPDX-License-Identifier: Apache-2.0 */
/* What memory, queues and completions have to do with groups. */
#ifndef TERN_GROUPS_H
#define TERN_GROUPS_H

#include <tern/group.h>

#include "queue.h"

/* The first of `count` numbers for a group, or something else that operations are posted for. */
uint32_t tern_groups_numbers(struct tern_device *device, unsigned count);

uint32_t tern_group_key_of(const struct tern_group *group);

/*
 * A broadcast of group `number` has ended so.  True when it is held back until the members have been
 * asked: tern_groups_step() brings it.
 */
bool tern_groups_hold(struct tern_cq *cq, uint32_t number, const struct tern_completion *completion);

/* Goes on asking, without waiting, and hands out up to `max` completions that were held.  Returns how many. */
int tern_groups_step(struct tern_cq *cq, struct tern_completion *out, int max);

/* Is there something for tern_groups_step() to do? */
bool tern_groups_ready(const struct tern_cq *cq);

/* Are completions held back? */
bool tern_groups_holding(const struct tern_cq *cq);

/* Frees the groups of `cq`; their queues are those of the device. */
void tern_groups_free(struct tern_cq *cq);

#endif
