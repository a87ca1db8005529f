/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by both files of the generator of random programs.
 */
#ifndef TERN_GENERATE_H
#define TERN_GENERATE_H

#include "encode.h"
#include "program.h"

struct generator {
    struct program *p;
    struct random random;
    uint32_t counter; /* register of the present loop; 0: none */
};

uint32_t below(struct generator *g, uint32_t limit);
struct item *add(struct generator *g, enum item_kind kind, uint32_t code);
void code(struct generator *g, uint32_t word);

/* Adds a jump or branch to one of the next items; the last items of a program always exist. */
void towards(struct generator *g, enum item_kind kind, uint32_t word, uint32_t reach);
void exactly(struct generator *g, enum item_kind kind, uint32_t word, size_t to);

/*
 * Return a register: any; one that may be written; one that neither the handler uses nor holds a
 * pointer.
 */
uint32_t any(struct generator *g);
uint32_t target(struct generator *g);
uint32_t steady(struct generator *g);

void gen_vectors(struct generator *g);
void gen_enable(struct generator *g);

/* Adds one instruction at a corner of its operands, in one of the contexts of coverage.h. */
void gen_corner(struct generator *g);

#endif
