/* SPDX-License-Identifier: Apache-2.0 */
#include "keeper.h"

void host_open(struct host *host, const struct rig *rig, unsigned node)
{
    host->device = rig_open(rig, node);
    gives(tern_register(host->device, host->words, sizeof(host->words),
                        TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE |
                        TERN_RIGHT_REMOTE_READ, &host->region),
          0, "tern_register");
    gives(tern_cq_create(host->device, 5, 0, &host->cq), 0, "tern_cq_create");
    gives(tern_sq_create(host->cq, 4, &host->sq), 0, "tern_sq_create");
}

void host_close(struct host *host)
{
    gives(tern_sq_destroy(host->sq), 0, "tern_sq_destroy");
    tern_close(host->device);
}

struct tern_rptr word_at(struct tern_rptr words, unsigned which)
{
    return tern_rptr_add(words, which * sizeof(uint64_t));
}

/* Commands: send the words; quit. */
static void keeping(const void *rig, int in, int out)
{
    static struct host host;
    struct tern_rptr at;
    char word;

    host_open(&host, rig, KEEPER);
    at = tern_region_pointer(host.region, 0);
    if (!give(out, &at, sizeof(at)))
        return;
    while (get(in, &word, 1) && word != 'q')
        (void)give(out, host.words, sizeof(host.words));
    host_close(&host);
}

bool keeper_start(struct keeper *keeper, const struct rig *rig)
{
    keeper->child = child_start(keeping, rig);
    return get(keeper->child.from, &keeper->words, sizeof(keeper->words));
}

bool keeper_has(const struct keeper *keeper, uint64_t words[KEEPER_WORDS])
{
    return give_word(&keeper->child, 'w') &&
        get(keeper->child.from, words, KEEPER_WORDS * sizeof(words[0]));
}

bool keeper_end(struct keeper *keeper)
{
    bool told = give_word(&keeper->child, 'q');

    return child_end(&keeper->child) && told;
}

void workers_start(struct workers *workers, child_fn *work, const struct rig *rig,
                   struct tern_rptr words)
{
    for (unsigned i = 0; i < RING; i++) {
        workers->jobs[i] = (struct worker){rig, words, i};
        workers->children[i] = child_start(work, &workers->jobs[i]);
    }
}

bool workers_do(const struct workers *workers, char word)
{
    bool good = true;

    for (unsigned i = 0; i < RING; i++)
        good = give_word(&workers->children[i], word) && good;
    return good;
}

bool workers_end(struct workers *workers, bool good)
{
    for (unsigned i = 0; i < RING; i++)
        if (good)
            good = give_word(&workers->children[i], 'q') && child_end(&workers->children[i]);
        else
            child_kill(&workers->children[i]);
    return good;
}
