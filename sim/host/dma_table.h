/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DMA mappings of one client: ranges of its address space, each a piece of a shared file or
 * memory of the client itself.
 *
 * Mapping is cheap: a file is mapped once, whole, for all ranges in it.
 */
#ifndef TERN_SIM_DMA_TABLE_H
#define TERN_SIM_DMA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tern_dma_file;

struct tern_dma_range {
    uint64_t address;
    uint64_t bytes;
    uint32_t prot;              /* VU_PROT_* */
    struct tern_dma_file *file; /* NULL: memory of the client itself */
    uint8_t *at;                /* for a file: `address` in this process */
};

struct tern_dma_table {
    struct tern_dma_range *ranges; /* sorted, disjoint */
    uint64_t changes;              /* number of changes so far */
    size_t count, room;
    struct tern_dma_file *files;
};

enum { TERN_DMA_RANGES_MAX = 65535 };

void tern_dma_table_init(struct tern_dma_table *table);
void tern_dma_table_fini(struct tern_dma_table *table);

/*
 * Adds a range; `fd` < 0 means memory of the client itself, otherwise the range is at `offset` of
 * that file. The file must be sealed against shrinking, or a client could remove memory during a
 * copy. The caller keeps `fd`. Returns 0 or an errno.
 */
int tern_dma_table_map(struct tern_dma_table *table, const struct tern_dma_range *range,
                       int fd, uint64_t offset);

/*
 * Removes every range inside [address, address + bytes). EINVAL, without effect, if one is only
 * partly inside. Removing none is no error.
 */
int tern_dma_table_unmap(struct tern_dma_table *table, uint64_t address, uint64_t bytes);
void tern_dma_table_unmap_all(struct tern_dma_table *table);

/* Returns the range that contains `address`, or NULL. */
const struct tern_dma_range *tern_dma_table_find(const struct tern_dma_table *table,
                                                 uint64_t address);

/*
 * Tells whether both tables contain the same memory and one of them may write it. `pid_a` and
 * `pid_b` are the owners of unshared memory; two mappings of one memory in a process count as
 * different.
 */
bool tern_dma_tables_meet(const struct tern_dma_table *a, pid_t pid_a,
                          const struct tern_dma_table *b, pid_t pid_b);

/*
 * Copies into shared memory that another process polls. Aligned 8-byte words are stored whole. The
 * last word (if unaligned, the last half) is stored after all the rest is visible, because it may
 * contain a phase bit.
 */
void tern_dma_store(uint8_t *to, const uint8_t *from, size_t bytes);

/* The same for reading: aligned 8-byte words are read whole. */
void tern_dma_load(uint8_t *to, const uint8_t *from, size_t bytes);

#endif
