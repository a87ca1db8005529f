/* SPDX-License-Identifier: Apache-2.0 */
#include "job.h"

#include "combine.h"
#include "cq.h"
#include "link.h"
#include "log.h"
#include "op.h"
#include "relay.h"
#include "sample.h"
#include "slots.h"
#include "tree.h"

/* Call only where the core has it: the lean image has no room for a call that returns 0. */
#ifdef TERN_NO_COMBINE
#define FEATURE_COMBINE(fw) 0u
#else
#define FEATURE_COMBINE(fw) fw_feature_combine(fw)
#endif

#define PIECE_WORDS (HWR_DATA_BYTES / 4)

static uint32_t identify_word(const struct fw *fw, uint32_t index)
{
    const struct sys_identity *id = &fw->id;
    const uint32_t words[TERN_ID_WORDS] = {
        [TERN_ID_ABI_VERSION] = TERN_ABI_VERSION,
        [TERN_ID_FW_VERSION] = FW_VERSION_WORD,
        [TERN_ID_FW_BYTES] = fw->image_bytes,
        [TERN_ID_NODE] = id->node,
        [TERN_ID_DIMS] = id->dims,
        [TERN_ID_INCARNATION] = id->incarnation,
        [TERN_ID_FUNCTIONS] = id->functions,
        [TERN_ID_QUEUES] = id->queues,
        [TERN_ID_REGIONS] = id->regions,
        [TERN_ID_COUNTERS] = id->counters,
        [TERN_ID_OPERATIONS] = id->slots,
        [TERN_ID_MAX_PAYLOAD] = id->payload_max,
        [TERN_ID_PUT_BYTES_MAX] = TERN_PUT_BYTES_MAX,
        [TERN_ID_CLOCK_HZ] = id->clock_hz,
        [TERN_ID_HOST_LATENCY] = id->host_latency,
        [TERN_ID_OP_TIMEOUT] = fw->tick_cycles * OP_TIMEOUT_TICKS,
        [TERN_ID_FIRST_QUEUE] = fw->first_queue,
        [TERN_ID_MODELLED] = HAL_MODELLED,
        [TERN_ID_FEATURES] = fw_feature_relay | fw_feature_tree | fw_feature_sample |
                             FEATURE_COMBINE(fw),
    };

    return words[index];
}

/* Returns a statistic that the firmware counts. */
static uint32_t own_row(const struct fw *fw, uint32_t row)
{
    return fw->stat[row - FW_STAT_FIRST];
}

/* Returns a word of the statistics: 64 bits for the host, of which the firmware counts 32. */
static uint32_t stats_word(const struct fw *fw, uint32_t index)
{
    uint32_t row = index / 2;

    if (index % 2 != 0)
        return 0;
    /* Puts, sends and broadcasts are counted only in their own rows, so add them here. */
    if (row == TERN_STAT_fw_descs)
        return own_row(fw, row) + own_row(fw, TERN_STAT_fw_puts) + own_row(fw, TERN_STAT_fw_sends) +
               own_row(fw, TERN_STAT_fw_bcasts);
    if (row == TERN_STAT_used_operations)
        return fw_ops_used(fw);
    return row < FW_STAT_FIRST ? stat_read(row) : own_row(fw, row);
}

/* Fetches the next word of the log; false at its end. A record is moved whole or not at all. */
static bool log_word(struct fw_job *job, uint32_t left, uint32_t *word)
{
    if (job->record_words != 0) {
        job->record_words--;
        *word = log_pop();
        return true;
    }
    if (left < 4 * LOG_WORDS_MAX)
        return false;
    *word = log_pop();
    if (*word >> 24 == LOG_MARK)
        job->record_words = (uint8_t)(LOG_ARGS(*word) % LOG_WORDS_MAX + 1);
    return *word != 0;
}

static bool next_word(struct fw *fw, uint32_t left, uint32_t *word)
{
    struct fw_job *job = &fw->job;
    uint32_t at = job->position++;

    if (left < 4)
        return false;
    if (job->opcode == TERN_ADMIN_LOG)
        return log_word(job, left, word);
    *word = job->opcode == TERN_ADMIN_STATS ? stats_word(fw, at) : identify_word(fw, at);
    return true;
}

static uint32_t whole_answer(uint32_t opcode, uint32_t bytes)
{
    uint32_t all = bytes;

    if (opcode == TERN_ADMIN_IDENTIFY)
        all = 4 * TERN_ID_WORDS;
    else if (opcode == TERN_ADMIN_STATS)
        all = 8 * TERN_STAT_COUNT;
    return (bytes < all ? bytes : all) & ~3u;
}

void fw_job_start(struct fw *fw, uint32_t opcode, uint32_t queue, uint32_t index,
                  uint32_t bytes, const struct hwr_place *to)
{
    fw->job = (struct fw_job){
        .active = 1,
        .opcode = (uint8_t)opcode,
        .queue = (uint16_t)queue,
        .index = (uint16_t)index,
        .left = whole_answer(opcode, bytes),
        .to = *to,
    };
    fw->work |= WORK_JOB;
}

static void finish(struct fw *fw)
{
    struct fw_job *job = &fw->job;
    struct done done = {
        .status = job->status,
        .opcode = job->opcode,
        .queue = job->queue,
        .index = job->index,
        .length = job->bytes,
        .fault = done_fault_side(job->status, false),
    };

    job->active = 0;
    fw->work &= ~(uint32_t)WORK_JOB;
    fw_cq_complete(fw, fw->queue[job->queue].cq, &done);
}

void fw_job_step(struct fw *fw)
{
    struct fw_job *job = &fw->job;
    uint32_t words[PIECE_WORDS];
    uint32_t count = 0;
    bool more = true;

    if (job->ended) {
        finish(fw);
        return;
    }
    while (more && count < PIECE_WORDS) {
        more = next_word(fw, job->left - 4 * count, &words[count]);
        count += more;
    }
    if (count == 0) {
        /* The data ended exactly with a piece, so no write is left that could report the end. */
        finish(fw);
        return;
    }
    more = more && job->left > 4 * count;
    hwr_data(&fw->hwr, &job->to, words, 4 * count, more ? TAG_JOB : TAG_JOB_LAST, !more);
    job->to.addr += 4 * count;
    job->left -= 4 * count;
    job->bytes += 4 * count;
    if (!more)
        fw->work &= ~(uint32_t)WORK_JOB;
}

void fw_job_written(struct fw *fw, uint32_t tag, uint32_t status)
{
    struct fw_job *job = &fw->job;

    if (status != TERN_ST_OK && job->status == TERN_ST_OK)
        job->status = (uint8_t)status;
    if (tag == TAG_JOB_LAST) {
        job->ended = 1;
        fw->work |= WORK_JOB;
    }
}
