/* SPDX-License-Identifier: Apache-2.0 */
/* Joins that the NIC of a home does by itself, at the server of the home. */
#ifndef TERN_DAG_AREAS_H
#define TERN_DAG_AREAS_H

#include "layout.h"

struct dag_areas;

/* NULL: no memory. `offset`: of the home in the pool. */
struct dag_areas *areas_open(struct tern_pool *pool, uint64_t offset);
void areas_close(struct dag_areas *areas); /* NULL is fine */

/*
 * Arms an area for the join of a node, with the chain that pushes the node. Returns a status, and
 * sets the area in `ask`. BAD_ARGUMENT; NO_RESOURCE: other programs have all areas.
 */
int areas_arm(struct dag_areas *areas, const struct dag_head *head, struct dag_ask *ask);

#endif
