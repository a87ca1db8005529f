/* SPDX-License-Identifier: Apache-2.0 */
/* Checks one word after the other; see linear.h. */
#include <stdlib.h>

#include "search.h"

static enum linear_status check_word(const struct linear_history *history,
                                     uint32_t number, struct linear_search_result *result)
{
    struct linear_word word;
    enum linear_status status = linear_word_lay_out(history, number, SIZE_MAX, &word);

    if (status == LINEAR_OK)
        status = linear_search(&word, linear_limits(history), result);
    linear_word_free(&word);
    return status;
}

static void add_up(struct linear_verdict *verdict, uint32_t word,
                   const struct linear_search_result *result)
{
    verdict->configurations += result->configurations;
    verdict->looks += result->looks;
    if (result->memo_bytes > verdict->memo_bytes)
        verdict->memo_bytes = result->memo_bytes;
    if (result->answer == LINEAR_YES || verdict->answer == result->answer)
        return;
    verdict->answer = result->answer;
    verdict->word = word;
    verdict->explained = result->reached;
}

enum linear_status linear_check(const struct linear_history *history,
                                struct linear_verdict *verdict)
{
    size_t pair[2];
    enum linear_status status = linear_overlap(history, pair);

    *verdict = (struct linear_verdict){.answer = LINEAR_YES};
    for (uint32_t i = 0; status == LINEAR_OK && i < linear_words(history); i++) {
        struct linear_search_result result = {0};

        status = check_word(history, i, &result);
        free(result.order);
        add_up(verdict, i, &result);
        if (verdict->answer == LINEAR_NO)
            break;
    }
    return status;
}
