/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a pair on the NIC. */
#include "pairs.h"

int tern_pair_tell(struct tern_pair *pair, bool ready)
{
    const struct tern_pair_peer *peer = &pair->peer;
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_SET_PAIR);
    TERN_SET(ADM, id, words, pair->number);
    TERN_SET(ADM, kind, words, pair->kind);
    TERN_SET(ADM, ready, words, ready);
    TERN_SET(ADM, peer, words,
             pair->kind == TERN_PAIR_UD
                 ? peer->key : peer->name.node | (uint32_t)(peer->name.number - 1) << 16);
    TERN_SET(ADM, first, words, peer->first);
    TERN_SET(ADM, rq, words, pair->inbox->rq->number);
    status = tern_admin(pair->sq->cq->device, words, NULL, 0, cqe);
    if (status)
        return status;
    pair->begun = TERN_GET(CQE, value, cqe) != TERN_PAIR_NO_ENTRY;
    if (pair->begun)
        tern_inbox_lose(pair->inbox, (uint32_t)TERN_GET(CQE, value, cqe), pair->number);
    return 0;
}

bool tern_pair_is_quiet(const struct tern_pair *pair)
{
    const struct tern_places *places = &pair->sq->places;

    return tern_places_free(places) == UINT32_C(1) << places->log2_entries;
}
