/* SPDX-License-Identifier: Apache-2.0 */
/* The linearizability checker: kept histories, small ones, limits, and its messages. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "judged.h"
#include "linear.h"
#include "memory.h"
#include "text.h"

#define HISTORIES "tests/unit/linear/histories/"
#define PROGRAM   "build/tests/tools/linear"

static void assert_says(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", text, part);
}

static struct linear_history *read_text(const char *text,
                                        struct linear_complaint *complaint)
{
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct linear_history *history;

    assert_non_null(file);
    history = linear_read(file, complaint);
    fclose(file);
    return history;
}

static struct linear_history *history_of(const char *text)
{
    struct linear_complaint complaint;
    struct linear_history *history = read_text(text, &complaint);

    if (history == NULL)
        fail_msg("line %zu: %s", complaint.line, complaint.text);
    return history;
}

/* A history being written as text, before it is read. */
struct draft {
    FILE *file;
    char *text;
    size_t bytes;
};

static FILE *draft_begin(struct draft *draft, uint32_t words)
{
    draft->file = open_memstream(&draft->text, &draft->bytes);
    assert_non_null(draft->file);
    fprintf(draft->file, "words %" PRIu32 "\n", words);
    return draft->file;
}

static struct linear_history *draft_end(struct draft *draft)
{
    struct linear_history *history;

    assert_int_equal(fclose(draft->file), 0);
    history = history_of(draft->text);
    free(draft->text);
    return history;
}

/* ---- the program, and the kept histories */

/* Runs the program; `output` gets what it prints, *status its exit status. */
static void run_program(const char *arguments, char *output, size_t room, int *status)
{
    char command[300];
    FILE *pipe;
    size_t bytes;

    snprintf(command, sizeof(command), PROGRAM " %s 2>&1", arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    bytes = fread(output, 1, room - 1, pipe);
    output[bytes] = 0;
    *status = WEXITSTATUS(pclose(pipe));
}

static void kept_histories_get_their_verdict(void **state)
{
    static const struct {
        const char *arguments;
        int status;
        const char *says[3];
    } table[] = {
        {HISTORIES "good.txt", 0, {": linearizable (operations: 11"}},
        {HISTORIES "masked-cas.txt", 0, {": linearizable"}},
        {HISTORIES "without-response.txt", 0, {": linearizable"}},
        {HISTORIES "without-response-chain.txt", 0, {": linearizable"}},
        {HISTORIES "stale-read.txt", 1,
         {": not linearizable: word 1\n",
          "no order explains what this returned:\n    2 1 75 95 read = 5\n",
          "5 is replaced last by\n    0 1 50 70 write 6\n"}},
        {HISTORIES "new-old-inversion.txt", 1,
         {": not linearizable: word 0\n", "    2 0 40 50 read = 0\n"}},
        {HISTORIES "lost-update-faa.txt", 1,
         {": not linearizable: word 2\n", "    2 2 35 55 faa 1 = 1\n"}},
        {HISTORIES "lost-update-cas.txt", 1,
         {": not linearizable: word 1\n", "    0 1 30 60 cas 0 1 = 0\n"}},
        {HISTORIES "without-response-twice.txt", 1,
         {": not linearizable: word 1\n", "    1 1 40 50 read = 10\n",
          "    0 1 10 ? faa 5  # 0 -> 5\n"}},
        {HISTORIES "masked-cas-spills.txt", 1,
         {": not linearizable: word 0\n", "    0 0 30 40 read = 0xfff\n"}},
        {HISTORIES "evicted.txt", 0, {": linearizable (operations: 8"}},
        {HISTORIES "evicted-came-back.txt", 1,
         {": not linearizable: word 0\n", "    2 0 50 60 read = 5\n"}},
        {HISTORIES "evicted-then-changed.txt", 1,
         {": not linearizable: word 0\n", "    0 0 50 60 cas 5 6 = 5\n"}},
        {HISTORIES "evicted-never.txt", 1, {": not linearizable: word 0\n"}},
        {HISTORIES "malformed.txt", 2,
         {HISTORIES "malformed.txt:4: \"cas\" wants 2 arguments"}},
        {HISTORIES "response-before-invocation.txt", 2,
         {HISTORIES "response-before-invocation.txt:3: the response is before the"}},
        {HISTORIES "overlap.txt", 2,
         {HISTORIES "overlap.txt:6: client 1 still has the operation of line 5"}},
        {HISTORIES "no-such-file.txt", 2, {HISTORIES "no-such-file.txt: "}},
        {"-l 100000 " HISTORIES "many-sums.txt", 3, {": gave up: word 1, "}},
        {"-m 100000 " HISTORIES "many-sums.txt", 3, {": gave up: word 1, "}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char output[4096];
        int status;

        run_program(table[i].arguments, output, sizeof(output), &status);
        for (size_t s = 0; s < 3 && table[i].says[s] != NULL; s++)
            assert_says(output, table[i].says[s]);
        assert_int_equal(status, table[i].status);
    }
}

static void the_worst_of_several_files_is_the_status(void **state)
{
    static const struct {
        const char *arguments;
        int status;
    } table[] = {
        {HISTORIES "good.txt " HISTORIES "masked-cas.txt", 0},
        {HISTORIES "stale-read.txt " HISTORIES "good.txt", 1},
        {HISTORIES "stale-read.txt " HISTORIES "overlap.txt " HISTORIES "good.txt", 2},
        {"-l 1000 " HISTORIES "many-sums.txt " HISTORIES "good.txt", 3},
        {"-l 1000 " HISTORIES "many-sums.txt " HISTORIES "stale-read.txt", 1},
        {"", 2}, /* its usage */
        {"-l x " HISTORIES "good.txt", 2},
        {"-x 1 " HISTORIES "good.txt", 2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        char output[4096];
        int status;

        run_program(table[i].arguments, output, sizeof(output), &status);
        assert_int_equal(status, table[i].status);
    }
}

/* ---- text */

static void what_is_no_history_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text;
        size_t line;
        const char *says;
    } table[] = {
        {"# nothing\n", 1, "there is no history"},
        {"0 0 1 2 read = 0\n", 1, "\"words\""},
        {"words 1\nwords 1\n", 2, "once"},
        {"words\n", 1, "how many"},
        {"words 4294967296\n", 1, "4294967296 is too large"},
        {"words 1\ninitial 1 0\n", 2, "no such word"},
        {"words 1\ninitial 0\n", 2, "a word and a value"},
        {"words 1\n0 0 1 2\n", 2, "an operation wants"},
        {"words 1\n\n0 1 1 2 read = 0\n", 3, "no such word"},
        {"words 1\n0 0 1 2 reed = 0\n", 2, "no operation \"reed\""},
        {"words 1\n0 0 1 2 read\n", 2, "\"read\" wants 0 arguments, \"=\""},
        {"words 1\n0 0 1 2 read 0 0\n", 2, "\"read\" wants"},
        {"words 1\n0 0 1 ? read = 0\n", 2, "and no result"},
        {"words 1\n0 0 1 2 write 1 = 1\n", 2, "\"write\" wants 1 arguments and no"},
        {"words 1\n0 0 1 2 mcas 1 2 3 = 1\n", 2, "\"mcas\" wants 4"},
        {"words 1\n0 0 1 2 read = -1\n", 2, "\"-1\" is not a number"},
        {"words 1\n0 0 1 2 read = 0x\n", 2, "\"0x\" is not a number"},
        {"words 1\n0 0 1 2 read = 12a\n", 2, "\"12a\" is not a number"},
        {"words 1\n0 0 1 2 read = 0x10000000000000000\n", 2, "is too large"},
        {"words 1\n0 0 1 18446744073709551615 read = 0\n", 2, "is too large"},
        {"words 1\n0 0 ? 2 read = 0\n", 2, "\"?\" is not a number"},
        {"words 1\n0 0 1 2 mcas 1 2 3 4 = 5 6 7 8 9\n", 2, "too much"},
        {"words 1\n0 0 2 1 read = 0\n", 2, "the response is before the invocation"},
        {"words 2\n7 0 5 9 read = 0\n7 1 1 6 read = 0\n", 2,
         "client 7 still has the operation of line 3"},
        {"words 1\n0 0 5 9 read = 0\n0 0 7 ? faa 1\n", 3,
         "client 0 still has the operation of line 2"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct linear_complaint complaint = {0};

        assert_null(read_text(table[i].text, &complaint));
        assert_says(complaint.text, table[i].says);
        assert_int_equal(complaint.line, table[i].line);
    }
}

static void assert_same_op(const struct linear_op *a, const struct linear_op *b)
{
    bool responded = a->responded != LINEAR_NO_RESPONSE;

    assert_true(a->kind == b->kind && a->client == b->client && a->word == b->word);
    assert_true(a->invoked == b->invoked && a->responded == b->responded);
    assert_true(a->kind == LINEAR_READ || a->operand == b->operand);
    assert_true(!responded || a->result == b->result);
    assert_true(a->compare == b->compare && a->compare_mask == b->compare_mask);
    assert_true(a->swap_mask == b->swap_mask);
}

static void what_is_written_is_read_again(void **state)
{
    const struct memory_recipe recipe = {
        .seed = seed(), .clients = 5, .words = 3, .ops = 2000,
        .weights = {1, 1, 1, 1, 1, 1, 1}, .lost_per_mille = 100,
        .op_ticks = 50, .gap_ticks = 20,
    };
    struct memory_run run = memory_run(&recipe);
    struct linear_history *history;
    struct draft draft;
    FILE *file = draft_begin(&draft, run.words);

    (void)state;
    for (size_t i = 0; i < run.count; i++) {
        linear_write(file, &run.ops[i]);
        fputc('\n', file);
    }
    history = draft_end(&draft);
    assert_int_equal(linear_count(history), run.count);
    for (size_t i = 0; i < run.count; i++)
        assert_same_op(&run.ops[i], linear_at(history, i));
    linear_free(history);
    memory_run_free(&run);
}

/* ---- the builder */

static enum linear_status add(struct linear_history *history, struct linear_op op)
{
    return linear_add(history, &op);
}

static void what_cannot_be_added_changes_nothing(void **state)
{
    struct linear_history *history = linear_new(2);

    (void)state;
    assert_int_equal(add(history, (struct linear_op){.kind = (enum linear_kind)(LINEAR_TAKE + 1)}),
                     LINEAR_BAD_KIND);
    assert_int_equal(add(history, (struct linear_op){.word = 2}), LINEAR_BAD_WORD);
    assert_int_equal(add(history, (struct linear_op){.invoked = 2, .responded = 1}),
                     LINEAR_BAD_TIMES);
    assert_int_equal(linear_set_initial(history, 2, 0), LINEAR_BAD_WORD);
    assert_int_equal(linear_count(history), 0);
    assert_int_equal(judged(history).answer, LINEAR_YES);
    linear_free(history);
    linear_free(NULL);
}

static void a_client_with_two_operations_at_a_time_is_not_judged(void **state)
{
    static const struct linear_op ops[] = {{.invoked = 4, .responded = 5},
                                           {.invoked = 1, .responded = 4},
                                           {.invoked = 2, .responded = 3, .word = 1}};
    struct linear_history *history = linear_new(2);
    struct linear_verdict verdict;
    size_t pair[2];

    (void)state;
    assert_int_equal(linear_add(history, &ops[0]), LINEAR_OK);
    assert_int_equal(linear_add(history, &ops[1]), LINEAR_OK);
    assert_int_equal(judged(history).answer, LINEAR_YES);
    assert_int_equal(linear_add(history, &ops[2]), LINEAR_OK);
    assert_int_equal(linear_overlap(history, pair), LINEAR_OVERLAP);
    assert_int_equal(pair[0], 1);
    assert_int_equal(pair[1], 2);
    assert_int_equal(linear_check(history, &verdict), LINEAR_OVERLAP);
    linear_free(history);
}

/* ---- small histories */

static void small_histories_get_their_verdict(void **state)
{
    static const struct {
        enum linear_answer answer;
        const char *text;
    } table[] = {
        {LINEAR_YES, "words 0\n"},
        {LINEAR_NO, "words 1\n0 0 1 2 read = 1\n"},
        {LINEAR_YES, "words 1\ninitial 0 1\n0 0 1 2 read = 1\n"},
        /* in one tick: concurrent, but not for one client */
        {LINEAR_YES, "words 1\n0 0 1 5 write 1\n1 0 5 9 read = 0\n"},
        {LINEAR_NO, "words 1\n0 0 1 5 write 1\n0 0 5 9 read = 0\n"},
        {LINEAR_NO, "words 1\n0 0 1 5 write 1\n1 0 6 9 read = 0\n"},
        {LINEAR_NO, "words 1\n0 0 5 5 write 1\n0 0 5 5 write 2\n0 0 5 9 read = 1\n"},
        {LINEAR_YES, "words 1\n0 0 5 5 write 1\n1 0 5 5 write 2\n2 0 6 9 read = 1\n"},
        /* an operation without a response delays no other, and may take effect last */
        {LINEAR_YES, "words 1\n0 0 1 ? write 1\n0 0 1 5 read = 0\n0 0 6 7 read = 1\n"},
        {LINEAR_NO, "words 1\n0 0 8 ? write 1\n0 0 6 7 read = 1\n"},
        {LINEAR_YES, "words 1\n0 0 1 ? read\n1 0 2 3 read = 0\n"},
        /* two equal operations without a response may both take effect, but not three */
        {LINEAR_YES, "words 1\n0 0 1 ? faa 2\n1 0 1 ? faa 2\n2 0 3 4 read = 4\n"},
        {LINEAR_YES, "words 1\n0 0 1 ? faa 2\n1 0 2 ? faa 2\n2 0 3 4 read = 4\n"},
        {LINEAR_NO, "words 1\n0 0 1 ? faa 2\n1 0 1 ? faa 2\n2 0 3 4 read = 6\n"},
        {LINEAR_NO, "words 1\n0 0 1 ? faa 2\n1 0 9 ? faa 2\n2 0 3 4 read = 4\n"},
        /* in the same tick, but only one of the two can take effect before the read ends */
        {LINEAR_YES, "words 1\n0 0 1 5 read = 2\n0 0 5 ? faa 2\n1 0 5 ? faa 2\n"},
        /* a chain of six, each different */
        {LINEAR_YES,
         "words 1\n0 0 1 ? faa 1\n0 0 2 ? faa 2\n0 0 3 ? faa 4\n0 0 4 ? faa 8\n"
         "0 0 5 ? faa 16\n0 0 6 ? faa 32\n1 0 8 9 read = 63\n"},
        {LINEAR_NO,
         "words 1\n0 0 1 ? faa 1\n0 0 2 ? faa 2\n0 0 3 ? faa 4\n0 0 4 ? faa 8\n"
         "0 0 5 ? faa 16\n0 0 6 ? faa 32\n1 0 8 9 read = 64\n"},
        /* a chain of changes returns to an earlier value */
        {LINEAR_YES,
         "words 1\n0 0 1 ? faa 3\n1 0 1 ? faa 4\n2 0 2 3 write 7\n2 0 4 5 write 0\n"
         "2 0 6 7 read = 7\n"},
        /* the result of a failed comparison counts, too */
        {LINEAR_NO, "words 1\n0 0 1 2 cas 5 6 = 7\n"},
        {LINEAR_YES, "words 1\n0 0 1 9 write 7\n1 0 1 2 cas 5 6 = 7\n"},
        {LINEAR_NO, "words 1\n0 0 1 2 cas 0 6 = 0\n1 0 3 4 read = 0\n"},
        {LINEAR_NO, "words 1\n0 0 1 2 swap 1 = 0\n1 0 1 2 swap 2 = 0\n"},
        {LINEAR_YES, "words 1\n0 0 1 2 swap 1 = 2\n1 0 1 2 swap 2 = 0\n"},
        /* writes that no read returns */
        {LINEAR_YES,
         "words 1\n0 0 1 9 write 1\n1 0 1 9 write 2\n2 0 1 9 write 3\n"
         "3 0 2 3 read = 2\n3 0 4 5 read = 2\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct linear_history *history = history_of(table[i].text);

        if (judged(history).answer != table[i].answer)
            fail_msg("wrong for\n%s", table[i].text);
        linear_free(history);
    }
}

/*
 * Judges writes of 1, 2, ... without a response; reads return each value, the last first, and then,
 * if `again`, one of them again.
 */
static enum linear_answer judge_unheard_writes(bool again)
{
    enum { WRITES = 300 };
    struct linear_history *history;
    struct draft draft;
    FILE *file = draft_begin(&draft, 1);
    enum linear_answer answer;

    for (unsigned i = 1; i <= WRITES; i++)
        fprintf(file, "%u 0 %u ? write %u\n", i, i, i);
    for (unsigned i = 0; i < WRITES; i++)
        fprintf(file, "0 0 %u %u read = %u\n", 1000 + 2 * i, 1001 + 2 * i, WRITES - i);
    if (again)
        fprintf(file, "0 0 2000 2001 read = %u\n", WRITES / 2);
    history = draft_end(&draft);
    answer = judged(history).answer;
    linear_free(history);
    return answer;
}

static void hundreds_of_operations_may_be_pending(void **state)
{
    (void)state;
    assert_int_equal(judge_unheard_writes(false), LINEAR_YES);
    assert_int_equal(judge_unheard_writes(true), LINEAR_NO);
}

/* ---- limits */

/* Sums of many different addends without a response: each might be 1, none is. */
static FILE *begin_hard(struct draft *draft)
{
    enum { ADDENDS = 40 };
    FILE *file = draft_begin(draft, 3);

    for (unsigned i = 0; i < ADDENDS; i++)
        fprintf(file, "%u 1 0 ? faa %" PRIu64 "\n", i, UINT64_C(3) << i);
    fprintf(file, "%u 1 1 2 read = 1\n", ADDENDS);
    return file;
}

static void a_search_beyond_its_limits_gives_up(void **state)
{
    static const struct linear_limits narrow[] = {
        {LINEAR_MEMO_BYTES_MIN, UINT64_MAX}, {SIZE_MAX, 10000}, {1 << 20, 1 << 20}};
    enum { LOOKS_OVER = 100 }; /* the checker finishes a look at all operations that can be next */
    struct draft draft;
    struct linear_history *history;

    (void)state;
    begin_hard(&draft);
    history = draft_end(&draft);
    for (size_t i = 0; i < sizeof(narrow) / sizeof(narrow[0]); i++) {
        struct linear_verdict verdict;

        linear_set_limits(history, narrow[i]);
        verdict = judged(history);
        assert_int_equal(verdict.answer, LINEAR_GAVE_UP);
        assert_int_equal(verdict.word, 1);
        assert_true(verdict.memo_bytes <= narrow[i].memo_bytes);
        assert_true(verdict.looks - LOOKS_OVER <= narrow[i].looks);
    }
    linear_free(history);
}

static void a_violation_goes_before_what_is_not_known(void **state)
{
    struct draft draft;
    FILE *file = begin_hard(&draft);
    struct linear_history *history;
    struct linear_verdict verdict;

    (void)state;
    fprintf(file, "50 2 0 1 read = 1\n");
    history = draft_end(&draft);
    linear_set_limits(history, (struct linear_limits){1 << 20, 1 << 20});
    verdict = judged(history);
    assert_int_equal(verdict.answer, LINEAR_NO);
    assert_int_equal(verdict.word, 2);
    linear_free(history);
}

/* ---- explanations */

static void an_explanation_beyond_its_limits_says_so(void **state)
{
    struct linear_verdict verdict = {.answer = LINEAR_NO, .word = 1};
    struct draft draft;
    FILE *file = begin_hard(&draft);
    struct linear_history *history;
    char *text;

    (void)state;
    fprintf(file, "50 1 3 4 read = 1\n");
    history = draft_end(&draft);
    linear_set_limits(history, (struct linear_limits){1 << 20, 1 << 20});
    text = explained(history, &verdict);
    assert_says(text, "the limits do not tell which of these no order explains:\n"
                      "    40 1 1 2 read = 1\n    50 1 3 4 read = 1\n");
    free(text);
    linear_free(history);
}

/* The 51st addition returns the value that the 50th returned. */
static struct linear_history *count_twice(void)
{
    struct draft draft;
    FILE *file = draft_begin(&draft, 1);

    for (unsigned i = 0; i < 100; i++)
        fprintf(file, "0 0 %u %u faa 1 = %u\n", 10 * i, 10 * i + 5, i < 50 ? i : i - 1);
    fprintf(file, "1 0 480 700 write 7\n");
    return draft_end(&draft);
}

static void an_explanation_shows_the_end_of_an_order_and_what_was_pending(void **state)
{
    static const char *const says[] = {
        "no order explains what this returned:\n    0 0 500 505 faa 1 = 49\n",
        "the end of an order of what went before (operations: 50, responses: 50):\n"
        "    0 0 380 385 faa 1 = 38  # 38 -> 39\n",
        "in which 49 is replaced last by\n    0 0 490 495 faa 1 = 49\n",
        "pending then, and without effect in that order:\n    1 0 480 700 write 7\n",
    };
    struct linear_history *history = count_twice();
    struct linear_verdict verdict = judged(history);
    char *text;

    (void)state;
    assert_int_equal(verdict.answer, LINEAR_NO);
    text = explained(history, &verdict);
    for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++)
        assert_says(text, says[i]);
    free(text);
    linear_free(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_histories_get_their_verdict),
        cmocka_unit_test(the_worst_of_several_files_is_the_status),
        cmocka_unit_test(what_is_no_history_is_refused_with_its_line),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(what_cannot_be_added_changes_nothing),
        cmocka_unit_test(a_client_with_two_operations_at_a_time_is_not_judged),
        cmocka_unit_test(small_histories_get_their_verdict),
        cmocka_unit_test(hundreds_of_operations_may_be_pending),
        cmocka_unit_test(a_search_beyond_its_limits_gives_up),
        cmocka_unit_test(a_violation_goes_before_what_is_not_known),
        cmocka_unit_test(an_explanation_beyond_its_limits_says_so),
        cmocka_unit_test(an_explanation_shows_the_end_of_an_order_and_what_was_pending),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
