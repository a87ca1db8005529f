/* SPDX-License-Identifier: Apache-2.0 */
/* A call as a run of words, and its fingerprint. */
#include <string.h>

#include "plan.h"

static uint64_t *flatten_segments(const struct tern_wr *wr, uint64_t *at)
{
    for (unsigned i = 0; i < wr->sge_count; i++) {
        *at++ = (uintptr_t)wr->sges[i].region;
        *at++ = (uintptr_t)wr->sges[i].addr;
        *at++ = wr->sges[i].bytes;
    }
    return at;
}

/* Two words of 32 bits as one. */
static uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

/*
 * All fields count, also those that the opcode leaves alone: lists that differ there alone are two
 * calls that do the same.
 */
static uint64_t *flatten_request(const struct tern_wr *wr, uint64_t *at)
{
    *at++ = pair((uint32_t)wr->opcode << 8 | wr->flags, wr->sge_count);
    *at++ = pair(wr->remote.w[0], wr->remote.w[1]);
    *at++ = pair(wr->remote.w[2], wr->remote.w[3]);
    *at++ = pair((uint32_t)wr->target.node << 16 | wr->target.queue, wr->target.imm);
    *at++ = wr->compare;
    *at++ = wr->swap;
    return flatten_segments(wr, at);
}

int call_flatten(const struct tern_wr *list, struct flat *flat, const struct tern_wr **bad)
{
    unsigned segments = 0, requests = 0;
    uint64_t *at = flat->at;

    for (const struct tern_wr *wr = list; wr; wr = wr->next) {
        if (++requests > TERN_CALL_OPS || wr->sge_count > TERN_CALL_OPS ||
            (segments += wr->sge_count) > TERN_CALL_OPS) {
            *bad = wr;
            return -TERN_ST_BAD_LENGTH;
        }
        at = flatten_request(wr, at);
    }
    flat->words = (unsigned)(at - flat->at);
    flat->requests = requests;
    return requests ? 0 : -TERN_ST_BAD_LENGTH;
}

/* ---- fingerprints */

/* Mixes a word in by multiplication; both halves of the product count. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
    sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return sum ^ sum >> 32;
}

static uint64_t by_product(const uint64_t *words, unsigned count)
{
    uint64_t sum = count;

    for (unsigned i = 0; i < count; i++)
        sum = mix(sum, words[i]);
    return sum;
}

#if defined(__x86_64__)

#include <nmmintrin.h>

/* Two sums of 32 bits: the second takes each word turned round. */
__attribute__((target("sse4.2"))) static uint64_t by_crc(const uint64_t *words, unsigned count)
{
    uint64_t low = count, high = ~(uint64_t)count;

    for (unsigned i = 0; i < count; i++) {
        low = _mm_crc32_u64(low, words[i]);
        high = _mm_crc32_u64(high, words[i] << 23 | words[i] >> 41);
    }
    return high << 32 | (low & UINT32_MAX);
}

uint64_t call_fingerprint(const uint64_t *words, unsigned count)
{
    return __builtin_cpu_supports("sse4.2") ? by_crc(words, count) : by_product(words, count);
}

#else

uint64_t call_fingerprint(const uint64_t *words, unsigned count)
{
    return by_product(words, count);
}

#endif
