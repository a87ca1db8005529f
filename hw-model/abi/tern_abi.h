/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C form of the contract between host, firmware and chip.
 *
 * Every constant comes from a table in this folder (*.def). Layouts are little-endian 32-bit words:
 * TERN_GET and TERN_SET read and write fields of a word array, TERN_F and TERN_V those of a single
 * word. Freestanding; safe to include anywhere.
 *
 *   TERN_<const>  TERN_REG_<bar register>  TERN_MMIO_<register or window>  TERN_ST_<status>
 *   TERN_OP_<opcode>
 *   TERN_PTYPE_<packet>  TERN_ADMIN_<command>  TERN_EV_<event>  TERN_STAT_<statistic>
 *   TERN_TRACE_<lane>
 *   TERN_LOG_<record>  TERN_ID_<identify word>  TERN_MEM_<region>_BASE/_BYTES  TERN_<state>
 */
#ifndef TERN_ABI_H
#define TERN_ABI_H

#include <stdint.h>

enum tern_const {
#define CONST(name, value, text) TERN_##name = (value),
#define STATE(name, value, text) TERN_##name = (value),
#include "tables.h"
};

enum tern_bar_reg {
#define REG(name, offset, access, reset, text) TERN_REG_##name = (offset),
#include "tables.h"
};

/*
 * A base is an address only after conversion to uint32_t or, on the soft core, to a pointer: an
 * enumerator is an int.
 */
enum tern_mem {
#define MEM(name, base, bytes, lean, text) \
    TERN_MEM_##name##_BASE = (int)(base), TERN_MEM_##name##_BYTES = (bytes), \
    TERN_MEM_##name##_LEAN_BYTES = (lean),
#include "tables.h"
};

enum tern_mmio {
#define MMIO_REG(name, offset, access, text) TERN_MMIO_##name = (offset),
#define MMIO_WIN(name, offset, stride, count, text) \
    TERN_MMIO_##name = (offset), TERN_MMIO_##name##_STRIDE = (stride), \
    TERN_MMIO_##name##_COUNT = (count),
#include "tables.h"
};

enum tern_status {
#define STATUS(name, value, text) TERN_ST_##name = (value),
#include "tables.h"
};

/* Bits of the identify word FEATURES. */
enum tern_feature {
#define FEATURE(name, bit, text) TERN_FEATURE_##name = 1 << (bit),
#include "tables.h"
};

enum tern_opcode {
#define OP(name, value, text) TERN_OP_##name = (value),
#include "tables.h"
};

enum tern_packet_type {
#define PKT(name, value, text) TERN_PTYPE_##name = (value),
#include "tables.h"
};

enum tern_admin {
#define ADMIN(name, value, text) TERN_ADMIN_##name = (value),
#include "tables.h"
};

enum tern_event {
#define EVENT(name, value, text) TERN_EV_##name = (value),
#include "tables.h"
};

enum tern_stat {
#define STAT(name, index, text) TERN_STAT_##name = (index),
#include "tables.h"
    TERN_STAT_COUNT = 64
};

enum tern_trace {
#define TRACE(name, lane, text) TERN_TRACE_##name = (lane),
#include "tables.h"
    TERN_TRACE_LANES = 0
#define TRACE(name, lane, text) +1
#include "tables.h"
};

enum tern_log {
#define LOGMSG(name, number, args, text) \
    TERN_LOG_##name = (number), TERN_LOG_##name##_ARGS = (args),
#include "tables.h"
};

enum tern_identify {
#define IDWORD(name, index, text) TERN_ID_##name = (index),
#include "tables.h"
    TERN_ID_WORDS = 0
#define IDWORD(name, index, text) +1
#include "tables.h"
};

enum tern_field {
#define FIELD(layout, name, word, lsb, width, text) \
    TERN_##layout##_##name##_WORD = (word), TERN_##layout##_##name##_LSB = (lsb), \
    TERN_##layout##_##name##_BITS = (width),
#include "tables.h"
};

/*
 * Returns the field of `bits` bits at bit `lsb` of word `word`; fields wider than a word run into
 * the next.
 */
static inline uint64_t tern_field_get(const uint32_t *w, unsigned word, unsigned lsb, unsigned bits)
{
    uint64_t value = w[word];

    if (bits > 32)
        value |= (uint64_t)w[word + 1] << 32;
    value >>= lsb;
    return bits == 64 ? value : value & ((UINT64_C(1) << (bits & 63)) - 1);
}

/* Stores the low `bits` of `value`; the rest of the words is unchanged. */
static inline void tern_field_set(uint32_t *w, unsigned word, unsigned lsb, unsigned bits,
                                  uint64_t value)
{
    uint32_t low_bits = bits > 32 ? 32 : bits;
    uint32_t mask = (low_bits == 32 ? UINT32_MAX : (UINT32_C(1) << low_bits) - 1) << lsb;

    w[word] = (w[word] & ~mask) | (((uint32_t)value << lsb) & mask);
    if (bits > 32) {
        mask = bits == 64 ? UINT32_MAX : (UINT32_C(1) << (bits - 32)) - 1;
        w[word + 1] = (w[word + 1] & ~mask) | ((uint32_t)(value >> 32) & mask);
    }
}

#define TERN_GET(layout, name, words) \
    tern_field_get((words), TERN_##layout##_##name##_WORD, TERN_##layout##_##name##_LSB, \
                   TERN_##layout##_##name##_BITS)
#define TERN_SET(layout, name, words, value) \
    tern_field_set((words), TERN_##layout##_##name##_WORD, TERN_##layout##_##name##_LSB, \
                   TERN_##layout##_##name##_BITS, (value))
/* One-word forms: the field of word `x`, and a word that holds only this field. */
#define TERN_F(layout, name, x) \
    (((uint32_t)(x) >> TERN_##layout##_##name##_LSB) & \
     (uint32_t)((UINT64_C(1) << TERN_##layout##_##name##_BITS) - 1))
#define TERN_V(layout, name, value) \
    (((uint32_t)(value) & (uint32_t)((UINT64_C(1) << TERN_##layout##_##name##_BITS) - 1)) \
     << TERN_##layout##_##name##_LSB)

#endif
