/* SPDX-License-Identifier: Apache-2.0 */
/* See ask.h. */
#include <tern/ask.h>

#include "queue.h"

int tern_ask(struct tern_sq *sq, uint16_t node, unsigned which, struct tern_area_name answer,
             unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (which < TERN_ASK_FIRST || which - TERN_ASK_FIRST >= TERN_CHECKIN_SLOTS)
        return -TERN_ST_BAD_ARGUMENT;
    TERN_SET(DESC, opcode, words, TERN_OP_ASK);
    TERN_SET(DESC, dst_node, words, node);
    TERN_SET(CHK, epoch, words, answer.epoch);
    TERN_SET(CHK, pass, words, answer.pass);
    TERN_SET(CHK, area, words, answer.id);
    TERN_SET(CHK, slot, words, which - TERN_ASK_FIRST);
    tern_desc_set_inline(words, NULL, 0);
    return tern_post(sq, words, flags, context);
}
