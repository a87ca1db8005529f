/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of another protection domain. A NIC knows no domains and accepts a key alone. So the
 * initiator's library asks the target's library, once for each key, whether its memory belongs to
 * the domain of the target's queue pair. A process with one domain at a NIC announces that when two
 * queue pairs connect, and is not asked: then no software runs at the target.
 */
#include <stdlib.h>

#include "inside.h"

enum { KNOWN = 256, PATIENCE_MS = 500 };

/* One place for all keys of a hash: the library asks again for a key that lost its place. */
static uint32_t *place_of(const struct verbs_qp *qp, uint32_t key)
{
    return &qp->known[(key ^ key >> 16) & (KNOWN - 1)];
}

static void ask(struct verbs_qp *qp, uint32_t key)
{
    struct envelope envelope = {.type = ENVELOPE_KEY, .acked = qp->received, .value = key};

    if (qp->asking == ASK_OUT && qp->asked == key && now_ms() - qp->asked_at < PATIENCE_MS)
        return;
    if (!control_send(qp, FOR_PING, &envelope))
        return; /* retried later */
    qp->asking = ASK_OUT;
    qp->asked = key;
    qp->asked_at = now_ms();
}

enum domain_answer domain_allows(struct verbs_qp *qp, uint32_t key)
{
    if (!qp->peer_domains || (qp->known && *place_of(qp, key) == key))
        return DOMAIN_ALLOWS;
    if (qp->asking == ASK_REFUSED && qp->asked == key) {
        qp->asking = ASK_NONE;
        return DOMAIN_REFUSES;
    }
    ask(qp, key);
    return DOMAIN_UNKNOWN;
}

bool domain_several(const struct verbs_nic *nic)
{
    return nic->pds.used > 1;
}

/* Notifies connected peers of the second domain now; other peers learn of it when they connect. */
void domain_added(struct verbs_nic *nic)
{
    if (nic->pds.used != 2)
        return;
    for (uint32_t at = 1; at <= nic->qps.room; at++) {
        struct verbs_qp *qp = table_get(&nic->qps, at);

        if (qp && qp->type != QPT_UD)
            link_tell_access(qp);
    }
}

static bool has_key(const struct verbs_qp *qp, uint32_t key)
{
    for (uint32_t at = 1; at <= qp->nic->mrs.room; at++) {
        const struct verbs_mr *mr = table_get(&qp->nic->mrs, at);

        if (mr && mr->rkey == key && mr->pd == qp->pd)
            return true;
    }
    return false;
}

void domain_asked(struct verbs_qp *qp, uint32_t key)
{
    struct envelope answer = {.type = ENVELOPE_KEY_IS,
                              .flags = has_key(qp, key) ? ENVELOPE_ALLOWED : 0,
                              .acked = qp->received,
                              .value = key};

    (void)control_send(qp, FOR_CONTROL, &answer); /* without it the peer asks again */
}

void domain_told(struct verbs_qp *qp, uint32_t key, bool is_allowed)
{
    if (qp->asking != ASK_OUT || qp->asked != key)
        return;
    qp->asking = is_allowed ? ASK_NONE : ASK_REFUSED;
    if (is_allowed && !qp->known)
        qp->known = calloc(KNOWN, sizeof(*qp->known));
    if (is_allowed && qp->known)
        *place_of(qp, key) = key;
    qp_busy(qp);
}

void domain_forget(struct verbs_qp *qp)
{
    free(qp->known);
    qp->known = NULL;
    qp->asking = ASK_NONE;
    qp->peer_domains = false;
}
