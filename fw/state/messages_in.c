/* SPDX-License-Identifier: Apache-2.0 */
#include "messages_in.h"

#include "cq.h"
#include "queue_hw.h"
#include "ring.h"

/* The firmware of the lean configuration is to be small. */
#ifdef __OPTIMIZE_SIZE__
#define write_words fw_cq_words
#else
#define write_words fw_cq_words_here
#endif

void fw_recv_place(struct fw *fw, uint32_t slot, uint32_t number, uint32_t entry, uint32_t at,
                   uint32_t bytes)
{
    struct fw_queue *rq = &fw->queue[number];
    uint64_t addr;
    uint32_t key;

    rq->users++;
    fw_cq_reserve(&fw->queue[rq->cq]);
    fw->rx_index[slot] = (uint16_t)entry;
    addr = queue_hw_base(number) + ring_offset(entry, rq->log2_entries, 1u << rq->log2_bytes) + at;
    key = rd32(TERN_MMIO_Q_KEY);
    if (bytes != 0) {
        const struct hwr_place to = {.addr = addr, .key = key, .fn = rq->fn};

        hwr_payload(&fw->hwr, &to, slot, bytes, slot);
    } else {
        /* Nothing to write, but the message must not overtake earlier ones. */
        const struct hwr_place to = {.addr = addr, .key = key, .fn = rq->fn};
        const uint32_t zero = 0;

        hwr_data(&fw->hwr, &to, &zero, sizeof(zero), slot, true);
    }
}

void fw_recv_written(struct fw *fw, uint32_t slot, uint32_t status)
{
    fw->rx_order[fw->rx_last++ % FW_RX_SLOTS] = (uint8_t)slot;
    if (status != TERN_ST_OK)
        fw->rx_failed |= 1u << slot;
    fw->work |= WORK_RX_DONE;
}

void fw_recv_refuse(struct fw *fw, uint32_t slot, uint32_t status)
{
    fw->rx_queue[slot] = FW_QUEUE_NIL;
    fw->rx_index[slot] = (uint16_t)status;
    fw_recv_written(fw, slot, TERN_ST_OK);
}

uint32_t fw_recv_tell(struct fw *fw, uint32_t slot, uint32_t cq, uint32_t bytes, uint32_t status)
{
    uint32_t flags = TERN_F(PKT, flags, rx_header(slot, TERN_PKT_flags_WORD)), told = 0,
             fault = FAULT_NONE;
    uint32_t w[CQE_WORDS];

    if (flags & TERN_PFLAG_IMM)
        told |= TERN_DFLAG_IMM;
    if (flags & TERN_PFLAG_SOLICITED)
        told |= TERN_DFLAG_SOLICITED;
    if (status != TERN_ST_OK) {
        fault = done_fault_side(status, true);
        FW_COUNT(fw, errors);
    }
    w[0] = TERN_V(CQE, status, status) | TERN_V(CQE, opcode, TERN_OP_RECV) |
           TERN_V(CQE, flags, told);
    w[1] = TERN_V(CQE, index, fw->rx_index[slot]) | TERN_V(CQE, queue, fw->rx_queue[slot]);
    w[2] = bytes;
    w[3] = rx_header(slot, TERN_PKT_addr_WORD);
    w[4] = rx_header(slot, TERN_PKT_addr_WORD + 1) >> 16;
    w[5] = 0;
    w[6] = TERN_V(CQE, node, TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD))) |
           TERN_V(CQE, fault, fault);
    fw->queue[cq].reserved--;
    write_words(fw, cq, w);
    FW_COUNT(fw, recvs);
    return status;
}

