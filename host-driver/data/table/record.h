/* SPDX-License-Identifier: Apache-2.0 */
/* Records of tables, for those who write them. */
#ifndef TERN_RECORD_H
#define TERN_RECORD_H

#include <tern/table.h>

enum { RECORD_BYTES = TERN_NODE_BYTES };

/*
 * The upper bit of a generation says that the record was taken out: who finds it then, as it
 * was there a moment ago, does not remember the place.
 */
enum { GENERATION_MAX = 0x7fff, TAKEN_OUT = 0x8000 };

/* In place of the bytes of a value: the key has none any more. */
#define RECORD_DELETION UINT32_MAX

/*
 * All of it but place, generation and next; the first two are set before, as the checksum covers
 * the lower 15 bits of the generation, and the place.
 */
void tern_record_write(uint32_t *record, uint64_t hash, const void *key, size_t key_bytes,
                       const void *value,
                       size_t value_bytes);
void tern_record_take_out(uint32_t *record);

/* tern_table_hash() if the secret is all zero. */
uint64_t tern_hash_under(const struct tern_table_secret *secret, const void *key, size_t bytes);

bool tern_record_is_deletion(const uint32_t *header);
/* Two whole records in memory. */
bool tern_record_same_key(const uint32_t *a, const uint32_t *b);
bool tern_record_is_key(const uint32_t *record, const void *key, size_t key_bytes);
uint64_t tern_record_bytes(const uint32_t *header);
struct tern_table_seen tern_record_seen(const uint32_t *header);

#endif
