/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: linear [-m BYTES] [-l LOOKS] FILE...
 *
 * Judges histories (text.h) and prints a line for each, with an explanation if it is not
 * linearizable. -m and -l are the limits for each word (struct linear_limits). The exit status is
 * that of the worst history:
 *
 *   0  all are linearizable
 *   1  one is not linearizable
 *   2  one cannot be read, or memory ran out
 *   3  of one it is not known: a limit was reached
 *
 * where 2 is worse than 1, and 1 is worse than 3.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

enum { EXIT_YES, EXIT_NO, EXIT_ERROR, EXIT_GAVE_UP };

static int worse(int a, int b)
{
    static const int badness[] = {
        [EXIT_YES] = 0, [EXIT_GAVE_UP] = 1, [EXIT_NO] = 2, [EXIT_ERROR] = 3};

    return badness[a] > badness[b] ? a : b;
}

static int say(const char *name, const struct linear_history *history,
               const struct linear_verdict *verdict)
{
    switch (verdict->answer) {
    case LINEAR_YES:
        printf("%s: linearizable (operations: %zu, configurations: %" PRIu64 ")\n", name,
               linear_count(history), verdict->configurations);
        return EXIT_YES;
    case LINEAR_GAVE_UP:
        printf("%s: gave up: word %" PRIu32 ", explained until response %zu\n", name,
               verdict->word, verdict->explained);
        return EXIT_GAVE_UP;
    case LINEAR_NO:
        break;
    }
    printf("%s: not linearizable: word %" PRIu32 "\n", name, verdict->word);
    return EXIT_NO;
}

static int fail(const char *name, enum linear_status status)
{
    fprintf(stderr, "%s: %s\n", name, linear_status_text(status));
    return EXIT_ERROR;
}

static int check(const char *name, const struct linear_history *history)
{
    struct linear_verdict verdict;
    enum linear_status status = linear_check(history, &verdict);
    int code;

    if (status != LINEAR_OK)
        return fail(name, status);
    code = say(name, history, &verdict);
    if (verdict.answer == LINEAR_NO)
        status = linear_explain(history, &verdict, stdout);
    return status == LINEAR_OK ? code : fail(name, status);
}

static int read_and_check(const char *name, FILE *file, struct linear_limits limits)
{
    struct linear_complaint complaint;
    struct linear_history *history = linear_read(file, &complaint);
    int code;

    if (history == NULL) {
        fprintf(stderr, "%s:%zu: %s\n", name, complaint.line, complaint.text);
        return EXIT_ERROR;
    }
    linear_set_limits(history, limits);
    code = check(name, history);
    linear_free(history);
    return code;
}

static int check_file(const char *name, struct linear_limits limits)
{
    FILE *file = fopen(name, "r");
    int code;

    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", name, strerror(errno));
        return EXIT_ERROR;
    }
    code = read_and_check(name, file, limits);
    fclose(file);
    return code;
}

/* Parses a number; false when there is none. */
static bool read_limit(const char *text, uint64_t *limit)
{
    char *end;

    errno = 0;
    *limit = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == 0 && errno == 0;
}

static bool read_options(int argc, char **argv, struct linear_limits *limits)
{
    uint64_t value;

    for (int option; (option = getopt(argc, argv, "m:l:")) != -1;) {
        if (option == '?' || !read_limit(optarg, &value))
            return false;
        if (option == 'm')
            limits->memo_bytes = (size_t)value;
        else
            limits->looks = value;
    }
    return optind < argc;
}

int main(int argc, char **argv)
{
    struct linear_limits limits = {LINEAR_MEMO_BYTES, LINEAR_LOOKS};
    int code = EXIT_YES;

    if (!read_options(argc, argv, &limits)) {
        fprintf(stderr, "usage: linear [-m BYTES] [-l LOOKS] FILE...\n");
        return EXIT_ERROR;
    }
    for (int i = optind; i < argc; i++)
        code = worse(code, check_file(argv[i], limits));
    return code;
}
