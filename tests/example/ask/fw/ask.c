/* SPDX-License-Identifier: Apache-2.0 */
#include "ask.h"

#include "messages_out.h"
#include "rx.h"

/*
 * A request has the layout of the check-in that answers it: slot n is statistic n of the firmware.
 */
uint32_t fw_ask(struct fw *fw, uint32_t slot)
{
    uint32_t where = rx_header(slot, TERN_PKT_addr_WORD), number = TERN_F(CHK, slot, where);
    struct fw_reply reply = {
        .pass = rx_header(slot, TERN_PKT_key_WORD),
        .where = where,
        .node = (uint16_t)TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD)),
        .to = (uint16_t)rx_header(slot, TERN_PKT_addr_WORD + 1),
        .bytes = TERN_CHECKIN_BYTES,
        .opcode = TERN_OP_CHECKIN,
    };

    if (TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) != 0)
        return TERN_ST_BAD_LENGTH;
    if (number >= FW_STATS)
        return TERN_ST_BAD_RANGE;
    if (!fw_reply_room(fw))
        return TERN_ST_RNR; /* the other firmware retries */
    reply.value[0] = fw->stat[number];
    fw_reply(fw, &reply);
    return TERN_ST_OK;
}
