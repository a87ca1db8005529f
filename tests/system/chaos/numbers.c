/* SPDX-License-Identifier: Apache-2.0 */
#include "numbers.h"

#include <argp.h>
#include <stdlib.h>

enum { NUMBERS_MAX = 8 };

struct wanted {
    const struct number *numbers;
    uint64_t *seed;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    const struct wanted *wanted = state->input;
    char *end = NULL;
    unsigned long long value = arg ? strtoull(arg, &end, 0) : 0;

    if (arg && (*arg == 0 || *end != 0))
        argp_error(state, "'%s' is not a number", arg);
    if (key == 's') {
        *wanted->seed = value;
        return 0;
    }
    for (const struct number *number = wanted->numbers; number->name; number++)
        if (number->key == key) {
            *number->to = (unsigned)value;
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}

void numbers_parse(int argc, char **argv, const char *text, const struct number *numbers,
                   uint64_t *seed)
{
    struct argp_option options[NUMBERS_MAX + 2] =
        {{"seed", 's', "S", 0, "what all of it follows from (1)", 0}};
    const struct argp argp = {options, parse, NULL, text, NULL, NULL, NULL};
    struct wanted wanted = {numbers, seed};

    for (unsigned i = 0; i < NUMBERS_MAX && numbers[i].name; i++)
        options[1 + i] = (struct argp_option){numbers[i].name, numbers[i].key, "N", 0,
                                              numbers[i].text, 0};
    argp_parse(&argp, argc, argv, 0, NULL, &wanted);
}
