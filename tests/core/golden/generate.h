/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the two halves of the generator of random programs.
 */
#ifndef TERN_GENERATE_H
#define TERN_GENERATE_H

#include "encode.h"
#include "program.h"

struct generator {
    struct program *p;
    struct random random;
    uint32_t counter; /* of the loop being made, 0: none */
};

uint32_t below(struct generator *g, uint32_t limit);
struct item *add(struct generator *g, enum item_kind kind, uint32_t code);
void code(struct generator *g, uint32_t word);

/* To one of the next items; the last ones of the program are always there. */
void towards(struct generator *g, enum item_kind kind, uint32_t word, uint32_t reach);
void exactly(struct generator *g, enum item_kind kind, uint32_t word, size_t to);

/* Registers: any; one to write; one that neither the handler uses nor a pointer is in. */
uint32_t any(struct generator *g);
uint32_t target(struct generator *g);
uint32_t steady(struct generator *g);

void gen_vectors(struct generator *g);
void gen_enable(struct generator *g);

/* One instruction at a corner of its operands, in one of the surroundings of coverage.h. */
void gen_corner(struct generator *g);

#endif
