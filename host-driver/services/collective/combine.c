/* SPDX-License-Identifier: Apache-2.0 */
/* Combines elements of two members. */
#include "team.h"

/* Integers of both signs are added as unsigned ones: modulo 2^32 or 2^64. */
#define FOLD(type, expression)                                  \
    do {                                                        \
        type *to = into;                                        \
        const type *other = from;                               \
        for (uint32_t i = 0; i < bytes / sizeof(type); i++) {   \
            const type a = to[i], b = other[i];                 \
            to[i] = (type)(expression);                         \
        }                                                       \
    } while (0)

#define FOLD_BITS(type)                                                   \
    switch (op) {                                                         \
    case TERN_REDUCE_SUM: FOLD(type, a + b); break;                       \
    case TERN_REDUCE_AND: FOLD(type, a & b); break;                       \
    case TERN_REDUCE_OR: FOLD(type, a | b); break;                        \
    case TERN_REDUCE_XOR: FOLD(type, a ^ b); break;                       \
    default: break;                                                       \
    }

#define FOLD_ORDER(type)                                                  \
    switch (op) {                                                         \
    case TERN_REDUCE_MIN: FOLD(type, b < a ? b : a); break;               \
    case TERN_REDUCE_MAX: FOLD(type, b > a ? b : a); break;               \
    default: break;                                                       \
    }

static bool is_float(enum tern_reduce_type type)
{
    return type == TERN_REDUCE_F32 || type == TERN_REDUCE_F64;
}

static bool is_wide(enum tern_reduce_type type)
{
    return type == TERN_REDUCE_I64 || type == TERN_REDUCE_U64 || type == TERN_REDUCE_F64;
}

uint32_t team_element(const struct tern_reduction *how, int *why)
{
    *why = -TERN_ST_BAD_OPCODE;
    if ((unsigned)how->op > TERN_REDUCE_OWN)
        return 0;
    if (how->op == TERN_REDUCE_OWN) {
        *why = how->combine ? -TERN_ST_BAD_SIZE : -TERN_ST_BAD_ARGUMENT;
        return how->combine ? how->element : 0;
    }
    if ((unsigned)how->type > TERN_REDUCE_F64) {
        *why = -TERN_ST_BAD_TYPE;
        return 0;
    }
    if (is_float(how->type) && how->op > TERN_REDUCE_MAX)
        return 0;
    return is_wide(how->type) ? sizeof(uint64_t) : sizeof(uint32_t);
}

static void fold_bits(enum tern_reduce_op op, bool wide, void *into, const void *from,
                      uint32_t bytes)
{
    if (wide)
        FOLD_BITS(uint64_t)
    else
        FOLD_BITS(uint32_t)
}

static void fold_float(enum tern_reduce_op op, bool wide, void *into, const void *from,
                       uint32_t bytes)
{
    if (op == TERN_REDUCE_SUM) {
        if (wide)
            FOLD(double, a + b);
        else
            FOLD(float, a + b);
    } else if (wide)
        FOLD_ORDER(double)
    else
        FOLD_ORDER(float)
}

static void fold_order(enum tern_reduce_op op, enum tern_reduce_type type, void *into,
                       const void *from, uint32_t bytes)
{
    switch (type) {
    case TERN_REDUCE_I32: FOLD_ORDER(int32_t) break;
    case TERN_REDUCE_U32: FOLD_ORDER(uint32_t) break;
    case TERN_REDUCE_I64: FOLD_ORDER(int64_t) break;
    case TERN_REDUCE_U64: FOLD_ORDER(uint64_t) break;
    default: break;
    }
}

void team_combine(const struct tern_reduction *how, void *into, const void *from, uint32_t bytes)
{
    if (how->op == TERN_REDUCE_OWN)
        how->combine(how->arg, into, from, bytes / how->element);
    else if (is_float(how->type))
        fold_float(how->op, is_wide(how->type), into, from, bytes);
    else if (how->op == TERN_REDUCE_MIN || how->op == TERN_REDUCE_MAX)
        fold_order(how->op, how->type, into, from, bytes);
    else
        fold_bits(how->op, is_wide(how->type), into, from, bytes);
}
