/* SPDX-License-Identifier: Apache-2.0 */
/* Records of tables, for code that writes them. */
#ifndef TERN_RECORD_H
#define TERN_RECORD_H

#include <tern/table.h>

enum { RECORD_BYTES = TERN_NODE_BYTES };

/*
 * The upper bit of a generation marks a removed record: a client that found it by a lookup just
 * before does not remember its place.
 */
enum { GENERATION_MAX = 0x7fff, TAKEN_OUT = 0x8000 };

/* In place of the value's length: the key is removed. */
#define RECORD_DELETION UINT32_MAX

/*
 * Writes all of a record except place, generation and next. Set place and generation before,
 * because the checksum covers the place and the lower 15 bits of the generation.
 */
void tern_record_write(uint32_t *record, uint64_t hash, const void *key, size_t key_bytes,
                       const void *value,
                       size_t value_bytes);
void tern_record_take_out(uint32_t *record);

/* Hashes under the secret; all zero: tern_table_hash(). */
uint64_t tern_hash_under(const struct tern_table_secret *secret, const void *key, size_t bytes);

bool tern_record_is_deletion(const uint32_t *header);
/* Compares the keys of two complete records in memory. */
bool tern_record_same_key(const uint32_t *a, const uint32_t *b);
bool tern_record_is_key(const uint32_t *record, const void *key, size_t key_bytes);
uint64_t tern_record_bytes(const uint32_t *header);
struct tern_table_seen tern_record_seen(const uint32_t *header);

#endif
