/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes the state of the models. */
#include "state.h"

#include <openssl/evp.h>
#include <stdio.h>

#include "sim.h"

struct digest {
    EVP_MD_CTX *context;
    bool good;
};

static void take(void *ctx, const void *bytes, size_t count)
{
    struct digest *digest = ctx;

    digest->good = digest->good && EVP_DigestUpdate(digest->context, bytes, count) == 1;
}

bool tern_sim_state(const struct tern_sim *sim, uint8_t hash[TERN_SIM_STATE_BYTES])
{
    struct digest digest = {.context = EVP_MD_CTX_new()};
    unsigned bytes = 0;

    digest.good = sim->tier == TERN_TIER_RTL && digest.context != NULL &&
                  EVP_DigestInit_ex(digest.context, EVP_sha256(), NULL) == 1;
    for (unsigned n = 0; digest.good && n < sim->nodes; n++) {
        tern_node_rouse(&sim->node[n]);
        tern_model_state(sim->node[n].model, take, &digest);
    }
    digest.good = digest.good && EVP_DigestFinal_ex(digest.context, hash, &bytes) == 1;
    EVP_MD_CTX_free(digest.context);
    return digest.good && bytes == TERN_SIM_STATE_BYTES;
}

bool tern_sim_state_text(const struct tern_sim *sim, char text[TERN_SIM_STATE_TEXT])
{
    uint8_t hash[TERN_SIM_STATE_BYTES];

    if (!tern_sim_state(sim, hash))
        return false;
    for (unsigned i = 0; i < TERN_SIM_STATE_BYTES; i++)
        snprintf(text + (size_t)2 * i, 3, "%02x", hash[i]);
    return true;
}
