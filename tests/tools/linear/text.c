/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 4, WORDS_MAX = 12, SMALL = 1000 };

#define FIELD(name) offsetof(struct linear_op, name)

/* The format of an operation: its arguments in order. */
static const struct form {
    const char *name;
    unsigned count;
    size_t arguments[ARGUMENTS_MAX];
    bool returns;
} forms[] = {
    [LINEAR_READ] = {"read", 0, {0}, true},
    [LINEAR_WRITE] = {"write", 1, {FIELD(operand)}, false},
    [LINEAR_CAS] = {"cas", 2, {FIELD(compare), FIELD(operand)}, true},
    [LINEAR_MASKED_CAS] = {"mcas",
                           4,
                           {FIELD(compare), FIELD(operand), FIELD(compare_mask),
                            FIELD(swap_mask)},
                           true},
    [LINEAR_FAA] = {"faa", 1, {FIELD(operand)}, true},
    [LINEAR_SWAP] = {"swap", 1, {FIELD(operand)}, true},
    [LINEAR_TAKE] = {"take", 2, {FIELD(operand), FIELD(swap_mask)}, true},
};

enum { FORMS = sizeof(forms) / sizeof(forms[0]) };

/* The state of reading a file. */
struct reader {
    struct linear_history *history; /* NULL before the line `words` */
    size_t line;
    size_t *lines; /* line of each operation */
    size_t room;
    struct linear_complaint *complaint;
};

/* A line split into words. */
struct words {
    char *at[WORDS_MAX];
    size_t count;
};

__attribute__((format(printf, 2, 3)))
static bool complain(struct reader *reader, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(reader->complaint->text, sizeof(reader->complaint->text), format,
              arguments);
    va_end(arguments);
    reader->complaint->line = reader->line;
    return false;
}

/* ---- numbers */

static bool number(struct reader *reader, const char *text, uint64_t most,
                   uint64_t *value)
{
    int base = strncmp(text, "0x", 2) == 0 ? 16 : 10;
    const char *digits = base == 16 ? text + 2 : text;
    char *end;

    errno = 0;
    *value = strtoull(digits, &end, base);
    if (!isxdigit((unsigned char)digits[0]) || *end != 0)
        return complain(reader, "\"%.40s\" is not a number", text);
    if (errno == ERANGE || *value > most)
        return complain(reader, "%.40s is too large", text);
    return true;
}

static bool number32(struct reader *reader, const char *text, uint32_t *value)
{
    uint64_t wide;

    if (!number(reader, text, UINT32_MAX, &wide))
        return false;
    *value = (uint32_t)wide;
    return true;
}

/* ---- operations */

static const struct form *form_named(const char *name)
{
    for (size_t i = 0; i < FORMS; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}

static uint64_t *argument(struct linear_op *op, const struct form *form, unsigned i)
{
    return (uint64_t *)(void *)((char *)op + form->arguments[i]);
}

/* Parses the words after the operation's name: arguments, and a result if there is one. */
static bool read_values(struct reader *reader, const struct form *form, char **words,
                        size_t count, struct linear_op *op)
{
    bool result = form->returns && op->responded != LINEAR_NO_RESPONSE;

    if (count != form->count + (result ? 2 : 0) ||
        (result && strcmp(words[form->count], "=") != 0))
        return complain(reader, "\"%s\" wants %u arguments%s", form->name, form->count,
                        result ? ", \"=\" and a result" : " and no result");
    for (unsigned i = 0; i < form->count; i++)
        if (!number(reader, words[i], UINT64_MAX, argument(op, form, i)))
            return false;
    return !result || number(reader, words[form->count + 1], UINT64_MAX, &op->result);
}

static bool read_times(struct reader *reader, char **words, struct linear_op *op)
{
    op->responded = LINEAR_NO_RESPONSE;
    if (!number(reader, words[0], LINEAR_NO_RESPONSE - 1, &op->invoked))
        return false;
    return strcmp(words[1], "?") == 0 ||
           number(reader, words[1], LINEAR_NO_RESPONSE - 1, &op->responded);
}

static bool keep_line(struct reader *reader)
{
    size_t count = linear_count(reader->history);
    size_t room = reader->room > 0 ? 2 * reader->room : 64;
    size_t *lines;

    if (count == reader->room) {
        lines = reallocarray(reader->lines, room, sizeof(*lines));
        if (lines == NULL)
            return complain(reader, "%s", linear_status_text(LINEAR_NO_MEMORY));
        reader->lines = lines;
        reader->room = room;
    }
    reader->lines[count] = reader->line;
    return true;
}

static bool add(struct reader *reader, const struct linear_op *op)
{
    enum linear_status status;

    if (!keep_line(reader))
        return false;
    status = linear_add(reader->history, op);
    return status == LINEAR_OK || complain(reader, "%s", linear_status_text(status));
}

static bool read_op(struct reader *reader, const struct words *words)
{
    enum { CLIENT, WORD, INVOKED, RESPONDED, NAME, VALUES };
    const struct form *form;
    struct linear_op op = {0};

    if (words->count < VALUES)
        return complain(reader,
                        "an operation wants client, word, two times and its name");
    form = form_named(words->at[NAME]);
    if (form == NULL)
        return complain(reader, "there is no operation \"%.40s\"", words->at[NAME]);
    op.kind = (enum linear_kind)(form - forms);
    return number32(reader, words->at[CLIENT], &op.client) &&
           number32(reader, words->at[WORD], &op.word) &&
           read_times(reader, (char **)(uintptr_t)&words->at[INVOKED], &op) &&
           read_values(reader, form, (char **)(uintptr_t)&words->at[VALUES],
                       words->count - VALUES, &op) &&
           add(reader, &op);
}

/* ---- lines */

static bool read_words(struct reader *reader, const struct words *words)
{
    uint32_t count;

    if (reader->history != NULL || words->count != 2)
        return complain(reader, "\"words\" and how many, once");
    if (!number32(reader, words->at[1], &count))
        return false;
    reader->history = linear_new(count);
    return reader->history != NULL ||
           complain(reader, "%s", linear_status_text(LINEAR_NO_MEMORY));
}

static bool read_initial(struct reader *reader, const struct words *words)
{
    uint32_t word;
    uint64_t value;
    enum linear_status status;

    if (words->count != 3)
        return complain(reader, "\"initial\" wants a word and a value");
    if (!number32(reader, words->at[1], &word) ||
        !number(reader, words->at[2], UINT64_MAX, &value))
        return false;
    status = linear_set_initial(reader->history, word, value);
    return status == LINEAR_OK || complain(reader, "%s", linear_status_text(status));
}

static bool read_line(struct reader *reader, const struct words *words)
{
    if (words->count == 0)
        return true;
    if (strcmp(words->at[0], "words") == 0)
        return read_words(reader, words);
    if (reader->history == NULL)
        return complain(reader, "the first line says how many \"words\" there are");
    if (strcmp(words->at[0], "initial") == 0)
        return read_initial(reader, words);
    if (strcmp(words->at[0], "vanishing") == 0) {
        linear_set_vanishing(reader->history);
        return words->count == 1 || complain(reader, "\"vanishing\" wants nothing");
    }
    return read_op(reader, words);
}

/* Splits a line into words; false when it has more than any valid line. */
static bool take_apart(char *line, struct words *words)
{
    char *rest = NULL;

    line[strcspn(line, "#\r\n")] = 0;
    words->count = 0;
    for (char *word = strtok_r(line, " \t", &rest); word != NULL;
         word = strtok_r(NULL, " \t", &rest)) {
        if (words->count == WORDS_MAX)
            return false;
        words->at[words->count++] = word;
    }
    return true;
}

static bool read_lines(struct reader *reader, FILE *file)
{
    char *line = NULL;
    size_t room = 0;
    struct words words;
    bool good = true;

    while (good && getline(&line, &room, file) >= 0) {
        reader->line++;
        good = take_apart(line, &words)
                   ? read_line(reader, &words)
                   : complain(reader, "there is too much in the line");
    }
    free(line);
    if (good && ferror(file))
        return complain(reader, "%s", strerror(errno));
    return good;
}

static bool check_overlap(struct reader *reader)
{
    size_t pair[2] = {0, 0};
    enum linear_status status;

    if (reader->history == NULL)
        return complain(reader, "there is no history");
    status = linear_overlap(reader->history, pair);
    if (status == LINEAR_OK)
        return true;
    if (status != LINEAR_OVERLAP)
        return complain(reader, "%s", linear_status_text(status));
    reader->line = reader->lines[pair[1]];
    return complain(reader, "client %" PRIu32 " still has the operation of line %zu",
                    linear_at(reader->history, pair[1])->client, reader->lines[pair[0]]);
}

struct linear_history *linear_read(FILE *file, struct linear_complaint *complaint)
{
    struct reader reader = {.complaint = complaint};
    bool good = read_lines(&reader, file) && check_overlap(&reader);

    free(reader.lines);
    if (good)
        return reader.history;
    linear_free(reader.history);
    return NULL;
}

/* ---- writing */

void linear_write_value(FILE *file, uint64_t value)
{
    fprintf(file, value < SMALL ? "%" PRIu64 : "0x%" PRIx64, value);
}

void linear_write(FILE *file, const struct linear_op *op)
{
    const struct form *form = &forms[op->kind];
    bool responded = op->responded != LINEAR_NO_RESPONSE;
    struct linear_op copy = *op;

    fprintf(file, "%" PRIu32 " %" PRIu32 " %" PRIu64, op->client, op->word, op->invoked);
    if (responded)
        fprintf(file, " %" PRIu64, op->responded);
    fprintf(file, "%s %s", responded ? "" : " ?", form->name);
    for (unsigned i = 0; i < form->count; i++) {
        fputc(' ', file);
        linear_write_value(file, *argument(&copy, form, i));
    }
    if (responded && form->returns) {
        fputs(" = ", file);
        linear_write_value(file, op->result);
    }
}
