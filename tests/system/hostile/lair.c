/* SPDX-License-Identifier: Apache-2.0 */
/* The base of the hostile process: a function of its own, and memory with parts. */
#include <stdio.h>
#include <stdlib.h>

#include "hostile.h"

enum { QUEUE_LOG2 = 5, ALL_RIGHTS = 0x1f };

static void must(int status, const char *what)
{
    if (!status)
        return;
    printf("# the hostile process cannot begin: %s: %s\n", what, tern_strerror(status));
    fflush(stdout);
    exit(EXIT_FAILURE);
}

void lair_open(struct lair *lair, const struct attacker *attacker)
{
    const unsigned closed = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ;

    lair->attacker = attacker;
    lair->near = &attacker->scene->facts[attacker->node];
    lair->far = &attacker->scene->facts[(attacker->node + 1) % NODES];
    lair->device = rig_open(attacker->rig, attacker->node);
    must(memory_make(&lair->memory, lair->device, 200), "memory");
    must(memory_register(&lair->memory, lair->device, open_part, ALL_RIGHTS, &lair->open),
         "register");
    must(memory_register(&lair->memory, lair->device, closed_part, closed, &lair->closed),
         "register");
    must(tern_cq_create(lair->device, QUEUE_LOG2 + 1, 0, &lair->cq), "completion queue");
    must(tern_sq_create(lair->cq, QUEUE_LOG2, &lair->sq), "send queue");
}

bool lair_holds(const struct lair *lair)
{
    return memory_holds(&lair->memory, &open_part, 1);
}
