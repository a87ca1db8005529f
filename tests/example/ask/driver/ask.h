/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads statistics of another node's firmware without its host: each answer is a check-in at an
 * area of this NIC.
 *
 * Errors, units, threads: as checkin.h says.
 */
#ifndef TERN_ASK_H
#define TERN_ASK_H

#include <tern/checkin.h>

/* The statistics that can be requested: TERN_STAT_fw_gets and later ones. */
#define TERN_ASK_FIRST TERN_STAT_fw_gets
#define TERN_ASK_COUNT (TERN_STAT_COUNT - TERN_ASK_FIRST)

/*
 * Requests statistic `which`, TERN_ASK_FIRST or later, of `node`.  The answer checks in to slot
 * (`which` - TERN_ASK_FIRST) of `answer`, an area of this NIC (its `node` is ignored), with the
 * lower 32 bits of the statistic.  The operation itself ends when the request was accepted:
 * BAD_RANGE when there is no such statistic, RNR when `node` is too busy to answer.
 */
int tern_ask(struct tern_sq *sq, uint16_t node, unsigned which, struct tern_area_name answer,
             unsigned flags, uint64_t context);

#endif
