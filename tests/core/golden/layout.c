/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a random program to memory, with its trap handler and its data.
 */
#include "encode.h"
#include "program.h"

#include <assert.h>
#include <string.h>

static uint32_t item_size(const struct item *i)
{
    if (i->dropped) return 0;
    if (i->kind == ITEM_ADDRESS) return 8;
    return (i->code & 3u) == 3u ? 4 : 2;
}

static void put_half(uint32_t *memory, uint32_t at, uint32_t half)
{
    unsigned shift = 8u * (at & 2u);

    memory[at / 4u] = (memory[at / 4u] & ~(0xffffu << shift)) | (half & 0xffffu) << shift;
}

static uint32_t put_code(uint32_t *memory, uint32_t at, uint32_t code)
{
    put_half(memory, at, code);
    if ((code & 3u) != 3u) return at + 2u;
    put_half(memory, at + 2u, code >> 16);
    return at + 4u;
}

static void put_address(uint32_t *memory, uint32_t at, uint32_t rd, uint32_t offset)
{
    at = put_code(memory, at, AUIPC(rd, (offset + 0x800u) >> 12));
    put_code(memory, at, ADDI(rd, rd, offset));
}

static void put_item(const struct program *p, uint32_t *memory, size_t n)
{
    const struct item *i = &p->items[n];
    uint32_t at = p->offset[n];
    uint32_t offset = p->offset[i->target] - at;

    switch (i->kind) {
    case ITEM_BRANCH: put_code(memory, at, enc_b(i->code, offset)); break;
    case ITEM_JAL: put_code(memory, at, enc_j(i->code, offset)); break;
    case ITEM_CJ: put_code(memory, at, enc_cj(i->code, offset)); break;
    case ITEM_CB: put_code(memory, at, enc_cb(i->code, offset)); break;
    case ITEM_ADDRESS: put_address(memory, at, i->code, offset); break;
    default: put_code(memory, at, i->code); break;
    }
}

/*
 * The handler skips the instruction that trapped; after a refused fetch it goes to a given address.
 */
static void put_handler(uint32_t *memory)
{
    const uint32_t text[] = {
        CSRRS(5, 0x342u, 0u), CSRRS(7, 0x343u, 0u), CSRRS(7, 0x300u, 0u),
        CSRRS(6, 0x341u, 0u),
        enc_b(0x4063u | 5u << 15, 40u),            /* blt x5,x0: an interrupt */
        ADDI(7, 0u, 1),
        enc_b(0x0063u | 5u << 15 | 7u << 20, 40u), /* beq x5,x7: a refused fetch */
        enc_i(0x5003u, 5u, 6u, 0u),                /* lhu x5,0(x6) */
        enc_i(0x7013u, 5u, 5u, 3u),                /* andi */
        ADDI(7, 0u, 3),
        ADDI(6, 6u, 2),
        enc_b(0x1063u | 5u << 15 | 7u << 20, 8u),  /* bne: 16 bits only */
        ADDI(6, 6u, 2),
        CSRRW(0u, 0x341u, 6u),
        LUI(8, 0x80005u),
        MRET,
        LUI(7, 0x80008u),
        LW(6u, RESUME_AT - RAM_BYTES, 7u),
        CSRRW(0u, 0x341u, 6u),
        LW(6u, END_AT - RAM_BYTES, 7u),
        SW(6u, RESUME_AT - RAM_BYTES, 7u),
        MRET,
    };
    uint32_t at = HANDLER_AT;

    static_assert(sizeof text == RESUMER_AT - HANDLER_AT + 24, "RESUMER_AT is off");

    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        at = put_code(memory, at, text[i]);
    for (at = VECTORS_AT; at < VECTORS_AT + 2u * VECTORS_SIZE; at += 4u)
        put_code(memory, at, enc_j(0x6fu, HANDLER_AT - at));
}

/* Fills the memory after the program with code that leads to its end. */
static void put_rest(uint32_t *memory, uint32_t from, uint32_t end)
{
    for (uint32_t at = (from + 3u) & ~3u; at < VECTORS_AT; at += 4u)
        put_code(memory, at, enc_j(0x6fu, end - at));
}

#define X2_AT (RAM_BASE + DATA_AT + 0x400u)
#define X8_AT (RAM_BASE + DATA_AT + 0x1000u)
#define X9_AT (RAM_BASE + DATA_AT + 0x1800u)

static uint32_t random_value(struct random *r)
{
    static const uint32_t edges[] = {0, 1, 0xffffffffu, 0x80000000u, 0x7fffffffu, 2};

    switch (random_below(r, 4)) {
    case 0: return edges[random_below(r, 6)];
    case 1: return random_below(r, 64) - 32u;
    default: return random_word(r);
    }
}

/* The table, in the order of enum table_entry. */
static void put_table(uint32_t *memory)
{
    static const uint32_t entries[TABLE_ENTRIES] = {
        0, 1, UINT32_MAX, 1u << 31, UINT32_MAX >> 1, X2_AT, X8_AT, X9_AT,
        RAM_BASE + RAM_BYTES, X8_AT + 1u,
    };

    memcpy(&memory[TABLE_AT / 4], entries, sizeof entries);
}

/* The generator expects pointers in x2, x4, x8 and x9, and the vectors' address in x1. */
static void put_data(const struct program *p, uint32_t *memory)
{
    struct random r = {p->seed ^ 0x64617461u};
    uint32_t *first = &memory[DATA_AT / 4];

    for (size_t i = DATA_AT / 4; i < RAM_BYTES / 4; i++) memory[i] = random_value(&r);
    first[1] = RAM_BASE + VECTORS_AT + random_below(&r, 2);
    first[2] = X2_AT;
    first[4] = RAM_BASE + DATA_AT;
    first[8] = X8_AT;
    first[9] = X9_AT;
    first[12] = random_below(&r, 4) == 0 ? random_word(&r) : 0x888u;
    first[13] = random_below(&r, 4) == 0 ? random_word(&r) : 0x8u;
    put_table(memory);
    memory[END_AT / 4] = RAM_BASE + p->offset[p->count - 3];
    memory[RESUME_AT / 4] = memory[END_AT / 4];
    memory[RAM_BYTES / 4 - 1] |= 3u << 16;
}

void program_layout(struct program *p, uint32_t *memory)
{
    uint32_t at = 0;

    for (size_t i = 0; i < p->count; i++) {
        p->offset[i] = at;
        at += item_size(&p->items[i]);
    }
    p->offset[p->count] = at;
    memset(memory, 0, RAM_BYTES);
    for (size_t i = 0; i < p->count; i++)
        if (!p->items[i].dropped) put_item(p, memory, i);
    put_rest(memory, p->offset[p->count], p->offset[p->count - 3]);
    put_handler(memory);
    put_data(p, memory);
}
