/* SPDX-License-Identifier: Apache-2.0 */
/* The mix on the core: each part timed, then all results printed. */
#include "count.h"
#include "mix.h"

struct part {
    const char *name;
    uint32_t (*run)(uint32_t seed);
};

static const struct part parts[] = {
#define PART(name, call) { #name, call },
#include "mix.def"
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

int main(void)
{
    struct count begin[PARTS], end[PARTS];
    uint32_t sum[PARTS];

    for (unsigned i = 0; i < PARTS; i++) {
        begin[i] = count_now();
        sum[i] = parts[i].run(MIX_SEED);
        end[i] = count_now();
    }
    for (unsigned i = 0; i < PARTS; i++)
        count_print(parts[i].name, begin[i], end[i], sum[i]);
    return 0;
}
