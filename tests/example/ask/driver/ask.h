/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of another node's firmware, without its host: each answer is a check-in with an area
 * of this NIC.
 *
 * Errors, units, threads: as checkin.h says.
 */
#ifndef TERN_ASK_H
#define TERN_ASK_H

#include <tern/checkin.h>

/* Statistics that can be asked for: TERN_STAT_fw_gets and those behind it. */
#define TERN_ASK_FIRST TERN_STAT_fw_gets
#define TERN_ASK_COUNT (TERN_STAT_COUNT - TERN_ASK_FIRST)

/*
 * Asks `node` for statistic `which`, TERN_ASK_FIRST or later.  The answer checks in to slot `which`
 * - TERN_ASK_FIRST of `answer`, an area of this NIC (its `node` does not matter), with the
 * statistic's lower 32 bits.  The operation itself ends when the question has been taken: BAD_RANGE
 * when there is no such statistic, RNR when `node` does not come to answer.
 */
int tern_ask(struct tern_sq *sq, uint16_t node, unsigned which, struct tern_area_name answer,
             unsigned flags, uint64_t context);

#endif
