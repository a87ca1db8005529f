/* SPDX-License-Identifier: Apache-2.0 */
/* Box broadcast: a put to the members of a group in a box of nodes. */
#ifndef FW_APP_BCAST_H
#define FW_APP_BCAST_H

#include "fw.h"
#include "node.h"

/* The box that the descriptor in a slot names. */
struct box fw_bcast_box(uint32_t slot);

#endif
