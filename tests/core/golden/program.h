/* SPDX-License-Identifier: Apache-2.0
 *
 * Random programs for the lock-step run: a list of items from which any may be omitted, so that
 * failing programs can be shrunk.
 */
#ifndef TERN_PROGRAM_H
#define TERN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The memory of a run. Code begins where the core starts. */
enum {
    RAM_BYTES = 0x8000,
    VECTORS_AT = 0x3000, /* two tables of 32 entries, then the handler */
    VECTORS_SIZE = 0x80,
    HANDLER_AT = 0x3100,
    RESUMER_AT = HANDLER_AT + 0x40, /* the part of it that continues at RESUME_AT */
    DATA_AT = 0x4000,    /* begins with the initial values of the registers */
    TABLE_AT = DATA_AT + 0x200, /* corners; x4 points to DATA_AT */
    TOHOST_AT = 0x7ff0,
    RESUME_AT = 0x7ff4,  /* where the handler continues after a refused fetch ... */
    END_AT = 0x7ff8,     /* ... and after the next one */
};
#define RAM_BASE 0x80000000u

/* Words of the table of corners: values of operands, then pointers. */
enum table_entry {
    TABLE_ZERO, TABLE_ONE, TABLE_ONES, TABLE_MIN, TABLE_MAX, TABLE_VALUES,
    TABLE_X2 = TABLE_VALUES, TABLE_X8, TABLE_X9,
    TABLE_REFUSED,    /* memory that refuses accesses */
    TABLE_MISALIGNED, /* odd address */
    TABLE_ENTRIES
};

enum item_kind {
    ITEM_CODE,    /* 16 or 32 bits as they are */
    ITEM_BRANCH,  /* 32 bits, to a target */
    ITEM_JAL,
    ITEM_CJ,      /* c.j, c.jal */
    ITEM_CB,      /* c.beqz, c.bnez */
    ITEM_ADDRESS, /* auipc and addi: the address of the target */
};

struct item {
    enum item_kind kind;
    bool keep;    /* shrinking must not omit it */
    bool start;   /* the first item of a piece, a target of jumps */
    bool exact;   /* its target is used unchanged */
    bool dropped;
    uint32_t code;
    size_t target;
};

enum { PROGRAM_ITEMS = 640 };

struct program {
    uint64_t seed;
    size_t count;
    struct item items[PROGRAM_ITEMS];
    uint32_t offset[PROGRAM_ITEMS + 1]; /* addresses in memory */
};

/* A small random generator; a seed gives the same numbers on every machine. */
struct random {
    uint64_t state;
};
uint32_t random_word(struct random *r);
uint32_t random_below(struct random *r, uint32_t limit);

void program_generate(struct program *p, uint64_t seed);

/* Writes code, handler and data into RAM_BYTES bytes of memory. */
void program_layout(struct program *p, uint32_t *memory);

#endif
