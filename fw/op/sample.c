/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include "cq.h"
#include "key.h"
#include "random.h"

const uint32_t fw_feature_sample = TERN_FEATURE_SAMPLE;

uint32_t fw_sample_set(struct fw *fw, uint32_t fn, uint32_t cq, uint32_t log2)
{
    if (log2 > TERN_SAMPLE_LOG2_MAX)
        return TERN_ST_BAD_SIZE;
    fw->sample_cq[fn] = (uint16_t)cq;
    if (cq != 0) {
        fw->sample_most = (2u << log2) - 1;
        fw->sample_left = 1;
    }
    return TERN_ST_OK;
}

void fw_sample_forget(struct fw *fw, uint32_t cq)
{
    for (uint32_t fn = 0; fn < FW_FUNCTIONS; fn++)
        if (fw->sample_cq[fn] == cq)
            fw->sample_cq[fn] = 0;
}

/*
 * The distance between two samples is random, so that no reader that counts is sampled more often
 * than others.
 */
static void draw_next(struct fw *fw)
{
    uint32_t drawn = random_next(&fw->random) & fw->sample_most;

    fw->sample_left = drawn != 0 ? drawn : fw->sample_most / 2u + 1;
}

/* Tells whether a completion queue has an entry for a sample, and leaves one to operations. */
static bool has_place(struct fw *fw, uint32_t cq)
{
    return fw->queue[cq].room > 1 || (fw_cq_refill(fw, cq) && fw->queue[cq].room > 1);
}

static void report(struct fw *fw, uint32_t from)
{
    uint32_t index = KEY_INDEX(rx_header(from, TERN_PKT_key_WORD));
    uint32_t cq = fw->sample_cq[key_entry_owner(index) % FW_FUNCTIONS];
    bool found = TERN_F(PKT, type, rx_header(from, TERN_PKT_type_WORD)) == TERN_PTYPE_LOOKUP;
    uint32_t bytes = rx_payload(from, TERN_RDR_length_WORD - TERN_INLINE_OFFSET / 4);
    struct done done = {.opcode = TERN_OP_LOOKED,
                        .queue = cq,
                        .index = found,
                        .node = TERN_F(PKT, src, rx_header(from, TERN_PKT_src_WORD)),
                        .length = found ? TERN_F(LKP, length, bytes) : bytes};

    if (cq == 0 || !has_place(fw, cq))
        return;
    done.value = rx_header(from, TERN_PKT_addr_WORD) |
                 (uint64_t)rx_header(from, TERN_PKT_addr_WORD + 1) << 32;
    fw_cq_tell(fw, cq, &done);
}

void fw_sample_take(struct fw *fw, uint32_t from)
{
    report(fw, from);
    draw_next(fw);
}
