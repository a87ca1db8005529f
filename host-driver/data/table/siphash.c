/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SipHash-2-4 of Aumasson and Bernstein ("SipHash: a fast short-input PRF", 2012). Without the
 * secret, an attacker cannot make keys with equal hashes.
 */
#include <string.h>

#include <tern/table.h>

enum { HASH_BITS = 64, ROUNDS_WORD = 2, ROUNDS_END = 4 };

static uint64_t rotated(uint64_t x, unsigned by)
{
    return x << by | x >> (HASH_BITS - by);
}

static void rounds(uint64_t v[4], unsigned count)
{
    while (count--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] = rotated(v[0], 32) + v[3];
        v[2] += v[1];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

static void add_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    rounds(v, ROUNDS_WORD);
    v[0] ^= word;
}

static uint64_t siphash(const uint64_t key[2], const uint8_t *at, size_t bytes)
{
    uint64_t last = (uint64_t)bytes << 56, word;
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                     key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};

    for (; bytes >= sizeof(word); bytes -= sizeof(word), at += sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        add_word(v, word);
    }
    for (size_t i = 0; i < bytes; i++)
        last |= (uint64_t)at[i] << 8 * i;
    add_word(v, last);
    v[2] ^= 0xff;
    rounds(v, ROUNDS_END);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t tern_table_hash_keyed(const struct tern_table_secret *secret, const void *key,
                               size_t bytes)
{
    uint64_t hash = siphash(secret->key, key, bytes);

    if (secret->bits != 0 && secret->bits < HASH_BITS)
        hash &= (UINT64_C(1) << secret->bits) - 1;
    return hash == 0 ? 1 : hash;
}
