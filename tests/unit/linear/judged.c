/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "judged.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct linear_verdict judged(const struct linear_history *history)
{
    struct linear_verdict verdict;

    assert_int_equal(linear_check(history, &verdict), LINEAR_OK);
    return verdict;
}

char *explained(const struct linear_history *history,
                const struct linear_verdict *verdict)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    assert_non_null(file);
    assert_int_equal(linear_explain(history, verdict, file), LINEAR_OK);
    assert_int_equal(fclose(file), 0);
    return text;
}

uint64_t seed(void)
{
    const char *text = getenv("LINEAR_SEED");
    uint64_t value = text != NULL ? strtoull(text, NULL, 10) : 1;

    print_message("# seed %" PRIu64 "\n", value);
    return value;
}
