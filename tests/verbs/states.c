/* SPDX-License-Identifier: Apache-2.0 */
/* Every change of a queue pair's state, and every attribute that such a change needs. */
#include <errno.h>
#include <string.h>

#include "ends.h"

#define MODIFY "ibv_modify_qp(3), IBA 1 11.2.5.2"

static const char *const names[] = {"RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR"};
static const char *const kinds[] = {[IBV_QPT_RC] = "RC", [IBV_QPT_UC] = "UC", [IBV_QPT_UD] = "UD"};

/* For each state, the letters of the states that may follow it. */
static const char *const follows[] = {
    [IBV_QPS_RESET] = "RI", [IBV_QPS_INIT] = "RIrE", [IBV_QPS_RTR] = "RsE",
    [IBV_QPS_RTS] = "RsdE", [IBV_QPS_SQD] = "RsdE",  [IBV_QPS_ERR] = "RE"};
static const char letters[] = "RIrsdqE";

static void bring(struct end *end, const struct wish *wish, enum ibv_qp_state state)
{
    if (state == IBV_QPS_RESET)
        return;
    (void)to_init(end->qp, wish);
    if (state == IBV_QPS_INIT)
        return;
    if (state == IBV_QPS_ERR) {
        (void)to_state(end->qp, IBV_QPS_ERR);
        return;
    }
    (void)to_rtr(end->qp, &b, 200, wish);
    if (state == IBV_QPS_RTR)
        return;
    (void)to_rts(end->qp, wish);
    if (state == IBV_QPS_SQD)
        (void)to_state(end->qp, IBV_QPS_SQD);
}

/* Asks for state `to`, with all attributes that the regular step up to it needs. */
static int ask(struct end *end, const struct wish *wish, enum ibv_qp_state from,
               enum ibv_qp_state to)
{
    switch (to) {
    case IBV_QPS_INIT:
        return to_init(end->qp, wish);
    case IBV_QPS_RTR:
        return to_rtr(end->qp, &b, 200, wish);
    case IBV_QPS_RTS:
        return from == IBV_QPS_RTR ? to_rts(end->qp, wish) : to_state(end->qp, IBV_QPS_RTS);
    default:
        return to_state(end->qp, to);
    }
}

static void one_change(const struct wish *wish, enum ibv_qp_state from, enum ibv_qp_state to)
{
    bool may = strchr(follows[from], letters[to]) != NULL;
    int error;

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    a.qp = qp_make(&a, wish);
    bring(&a, wish, from);
    error = state_of(a.qp) == from ? ask(&a, wish, from, to) : -1;
    says(error == (may ? 0 : EINVAL) && state_of(a.qp) == (may ? to : from), MODIFY,
         "%s, %s to %s: %s", kinds[wish->type], names[from], names[to], may ? "0" : "EINVAL");
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);
}

/* ---- attributes */

struct needs {
    enum ibv_qp_type type;
    enum ibv_qp_state from, to;
    int mask;
};

static const struct needs all_needs[] = {
    {IBV_QPT_RC, IBV_QPS_RESET, IBV_QPS_INIT,
     IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_UC, IBV_QPS_RESET, IBV_QPS_INIT,
     IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS},
    {IBV_QPT_UD, IBV_QPS_RESET, IBV_QPS_INIT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY},
    {IBV_QPT_RC, IBV_QPS_INIT, IBV_QPS_RTR,
     IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
         IBV_QP_MIN_RNR_TIMER},
    {IBV_QPT_UC, IBV_QPS_INIT, IBV_QPS_RTR,
     IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN},
    {IBV_QPT_RC, IBV_QPS_RTR, IBV_QPS_RTS,
     IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
         IBV_QP_MAX_QP_RD_ATOMIC},
    {IBV_QPT_UC, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN},
    {IBV_QPT_UD, IBV_QPS_RTR, IBV_QPS_RTS, IBV_QP_SQ_PSN},
};

static int modify_without(const struct needs *needs, int missing)
{
    struct ibv_qp_attr attr = {.qp_state = needs->to,
                               .port_num = 1,
                               .qkey = 1,
                               .path_mtu = IBV_MTU_1024,
                               .dest_qp_num = 200};

    attr.ah_attr.is_global = 1;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.grh.sgid_index = 1;
    if (ibv_query_gid(b.context, 1, 1, &attr.ah_attr.grh.dgid))
        return -1;
    return ibv_modify_qp(a.qp, &attr, IBV_QP_STATE | (needs->mask & ~missing));
}

static void one_need(const struct needs *needs, int missing)
{
    struct wish wish = wish_of(needs->type);
    bool is_whole = missing == 0;
    int error;

    a.cq = ibv_create_cq(a.context, 16, NULL, NULL, 0);
    a.qp = qp_make(&a, &wish);
    bring(&a, &wish, needs->from);
    error = modify_without(needs, missing);
    says(error == (is_whole ? 0 : EINVAL), MODIFY, "%s, %s to %s without attribute 0x%x: %s",
         kinds[needs->type], names[needs->from], names[needs->to], (unsigned)missing,
         is_whole ? "0" : "EINVAL");
    ibv_destroy_qp(a.qp);
    ibv_destroy_cq(a.cq);
}

void all_states(void)
{
    static const enum ibv_qp_type types[] = {IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD};

    for (unsigned type = 0; type < 3; type++) {
        struct wish wish = wish_of(types[type]);

        for (int from = IBV_QPS_RESET; from <= IBV_QPS_ERR; from++)
            for (int to = IBV_QPS_RESET; from != IBV_QPS_SQE && to <= IBV_QPS_ERR; to++)
                one_change(&wish, (enum ibv_qp_state)from, (enum ibv_qp_state)to);
    }
    for (unsigned at = 0; at < sizeof(all_needs) / sizeof(all_needs[0]); at++) {
        one_need(&all_needs[at], 0);
        for (int bit = 1; bit <= IBV_QP_DEST_QPN; bit <<= 1)
            if (all_needs[at].mask & bit)
                one_need(&all_needs[at], bit);
    }
}
