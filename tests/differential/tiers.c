/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the tiers: the same driver gives rtl and soft the same steps, and both must give the
 * same completions, the same memory and the same counts of messages, packets and bytes.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "steps.h"

enum { SHOWN = 12 }; /* printed differences per step */

/* The transcript of a tier, one text per step. */
struct answers {
    char **text;
};

static void give(struct answers *answers, enum tern_tier tier)
{
    struct world world;

    answers->text = calloc(step_count, sizeof(*answers->text));
    world_must(answers->text ? 0 : -TERN_ST_NO_MEMORY, "memory");
    world_open(&world, tier, NULL);
    for (unsigned i = 0; i < step_count; i++) {
        size_t bytes;

        world.transcript = open_memstream(&answers->text[i], &bytes);
        world_must(world.transcript ? 0 : -TERN_ST_NO_MEMORY, "memory");
        world_counts_begin(&world);
        steps[i].run(&world);
        world_counts_end(&world, steps[i].counts);
        fclose(world.transcript);
    }
    world_close(&world);
}

/* Returns the next line of a text, NUL-terminated; NULL at the end. */
static char *next_line(char **text)
{
    return *text && **text ? strsep(text, "\n") : NULL;
}

/* Compares two texts, which it modifies; counts the lines. */
static bool equal(char *rtl, char *soft, unsigned *lines)
{
    unsigned differences = 0;

    for (;;) {
        char *a = next_line(&rtl), *b = next_line(&soft);

        if (!a && !b)
            return differences == 0;
        ++*lines;
        if (a && b && !strcmp(a, b))
            continue;
        if (differences++ < SHOWN)
            printf("# rtl:  %s\n# soft: %s\n", a ? a : "(nothing)", b ? b : "(nothing)");
    }
}

/* Runs the soft tier twice: results must be the same. */
static bool soft_is_reproducible(struct answers *first)
{
    struct answers second;
    bool same = step_count > 0;

    give(&second, TERN_TIER_SOFT);
    for (unsigned i = 0; i < step_count; i++) {
        same = same && first->text[i][0] && strcmp(first->text[i], second.text[i]) == 0;
        free(second.text[i]);
    }
    free(second.text);
    return same;
}

int main(void)
{
    struct answers rtl, soft;
    unsigned failures = 0;
    bool same;

    printf("# TIERS_SEED=%u\n", world_seed());
    give(&rtl, TERN_TIER_RTL);
    give(&soft, TERN_TIER_SOFT);
    same = soft_is_reproducible(&soft);
    for (unsigned i = 0; i < step_count; i++) {
        unsigned lines = 0;
        bool good = equal(rtl.text[i], soft.text[i], &lines) &&
                    lines > 0; /* two empty transcripts prove nothing */

        printf("# evidence B4.2 lines=%u\n", lines);
        printf("%sok %u - tiers agree on %s\n", good ? "" : "not ", i + 1, steps[i].name);
        failures += !good;
        free(rtl.text[i]);
        free(soft.text[i]);
    }
    free(rtl.text);
    free(soft.text);
    printf("%sok %u - soft does the same in every run\n1..%u\n", same ? "" : "not ", step_count + 1,
           step_count + 1);
    return failures || !same ? EXIT_FAILURE : EXIT_SUCCESS;
}
