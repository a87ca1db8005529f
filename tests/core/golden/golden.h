/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model of the core: executes docs/core.md one instruction at a time.
 *
 * It has no pipeline. The caller supplies everything that depends on time: the cycle, the interrupt
 * lines, and between which two instructions an interrupt is taken.
 */
#ifndef TERN_GOLDEN_H
#define TERN_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum golden_cause {
    GOLDEN_FETCH_FAULT = 1,
    GOLDEN_ILLEGAL = 2,
    GOLDEN_BREAKPOINT = 3,
    GOLDEN_LOAD_ALIGN = 4,
    GOLDEN_LOAD_FAULT = 5,
    GOLDEN_STORE_ALIGN = 6,
    GOLDEN_STORE_FAULT = 7,
    GOLDEN_ECALL = 11,
};

#define GOLDEN_IRQ_LINES 0x888u /* bits of mie and mip that exist */

/* The caller's memory: half-words of code, words of data. False: the access is refused. */
struct golden_memory {
    void *context;
    bool (*fetch)(void *context, uint32_t address, uint32_t *half);
    bool (*read)(void *context, uint32_t address, uint32_t *word);
    bool (*write)(void *context, uint32_t address, unsigned lanes, uint32_t word);
    void (*fence_i)(void *context);
};

struct golden {
    uint32_t x[32];
    uint32_t pc;
    bool mie, mpie; /* mstatus */
    uint32_t enabled; /* CSR mie */
    uint32_t tvec, epc, cause, tval, scratch;
    uint32_t hart_id;
    uint64_t cycle_ahead; /* mcycle minus the cycles since reset */
    uint64_t instret;
    bool instret_set; /* written by this instruction, which then does not count itself */
    struct golden_memory memory;
};

/* The inputs of an instruction that depend on time: its cycle in execute, and mip in that cycle. */
struct golden_at {
    uint64_t cycle;
    uint32_t mip;
};

struct golden_op;

struct golden_insn {
    uint32_t raw;    /* as fetched; 16 bits of a compressed one */
    uint32_t code;   /* expanded */
    unsigned length; /* 2 or 4 */
    unsigned rd, rs1, rs2;
    uint32_t imm;
    const struct golden_op *op; /* NULL: illegal */
    int compressed;             /* row of the table of 16-bit forms; -1: none */
};

/* One instruction, as the core's formal interface reports it. */
struct golden_step {
    struct golden_insn insn;
    uint32_t a, b;     /* operands: rs1, and rs2 or the immediate */
    uint32_t pc, next_pc;
    bool trap;
    uint32_t cause, tval;
    unsigned rd;       /* 0: no register was written */
    uint32_t rd_value;
    uint32_t address;  /* of the word, if a mask is not zero */
    unsigned read_mask, write_mask;
    uint32_t write_data;
    bool sleeps;       /* wfi */
};

void golden_reset(struct golden *g, uint32_t pc, uint32_t hart_id);
void golden_step(struct golden *g, const struct golden_at *when, struct golden_step *out);

/* Returns the cause of the interrupt that the core takes with pending bits `mip`; 0: none. */
uint32_t golden_irq_cause(const struct golden *g, uint32_t mip);
void golden_interrupt(struct golden *g, uint32_t cause);

/* Raises an exception in place of the instruction; for the operations. */
void golden_trap(struct golden_step *s, uint32_t cause, uint32_t tval);

/* Access CSRs; the first returns false for an unknown CSR, the second for a read-only one. */
bool golden_csr_read(struct golden *g, unsigned number, const struct golden_at *when,
                     uint32_t *value);
bool golden_csr_writable(unsigned number);
void golden_csr_write(struct golden *g, unsigned number, const struct golden_at *when,
                      uint32_t value);

/* Decodes an instruction; `raw` has at least the bits that its length needs. */
void golden_decode(uint32_t raw, struct golden_insn *insn);
size_t golden_op_count(void);
const char *golden_op_name(size_t row);
size_t golden_op_row(const struct golden_op *op);

/* Returns the registers that the operation reads: bit 0 rs1, bit 1 rs2. */
unsigned golden_op_reads(const struct golden_op *op);
void golden_execute(struct golden *g, const struct golden_at *when,
                    struct golden_step *s);

/* Expands a 16-bit form to its 32-bit instruction; 0: reserved. */
uint32_t golden_expand(uint32_t half, int *row);
size_t golden_form_count(void);
const char *golden_form_name(size_t row);

/* Prints an instruction as a line of assembly, without the newline. */
void golden_print(char *line, size_t size, uint32_t pc, const struct golden_insn *insn);

#endif
