/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between members and the server of a pool. */
#ifndef TERN_POOL_WIRE_H
#define TERN_POOL_WIRE_H

#include <tern/pool.h>

enum {
    WIRE_MAGIC = 0x6c6f6f70,
    WIRE_QUEUES = 4,       /* a server takes the first free one of the NIC's highest queue
                            * numbers */
    WIRE_LOG2 = 8,         /* size of a message's entry */
};

enum wire_kind { WIRE_NOTHING, WIRE_JOIN, WIRE_QUIT, WIRE_ASK };

struct wire_request {
    uint32_t magic;
    uint16_t kind, queue;        /* queue: for the answer */
    uint64_t nonce;              /* of the member */
    uint32_t number;             /* of the request */
    uint32_t rights;             /* JOIN */
    struct tern_holder holder;   /* QUIT, ASK */
    uint32_t rest;
    char name[TERN_POOL_NAME];
    uint8_t words[TERN_POOL_ASK];
};

struct wire_answer {
    uint32_t magic;
    uint32_t status;             /* not negated */
    uint64_t nonce;
    uint32_t number;
    struct tern_holder holder;
    uint32_t lease_ms;
    uint16_t pool;
    uint8_t life, rest;
    struct tern_rptr shared;     /* by the member's key: the directory, and objects after it */
    struct tern_rptr lease;      /* the member's page */
    uint64_t objects;            /* offset of the objects from the directory */
    uint64_t bytes;              /* bytes of the objects */
    uint64_t adoption;
    uint64_t secret[2];
    uint8_t words[TERN_POOL_ASK];
};

_Static_assert(sizeof(struct wire_request) <= 1 << WIRE_LOG2, "a request is one message");
_Static_assert(sizeof(struct wire_answer) <= 1 << WIRE_LOG2, "an answer is one message");

static inline uint16_t wire_queue(uint32_t queues, unsigned i)
{
    return (uint16_t)(queues - 1 - i);
}

#endif
