/* SPDX-License-Identifier: Apache-2.0 */
/* See protocol.h.  The words of an error are those of memcached 1.6, for clients that look at them.
 */
#include "protocol.h"

#include <string.h>

static const char bad_format[] = "CLIENT_ERROR bad command line format\r\n";
static const char unknown[] = "ERROR\r\n";

/* ---- words and numbers */

bool proto_next(struct proto_text *text, struct proto_text *word)
{
    size_t i = 0, end;

    while (i < text->length && text->at[i] == ' ')
        i++;
    end = i;
    while (end < text->length && text->at[end] != ' ')
        end++;
    *word = (struct proto_text){text->at + i, end - i};
    text->at += end;
    text->length -= end;
    return word->length != 0;
}

bool proto_is(struct proto_text word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

bool proto_number(struct proto_text word, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < word.length; i++) {
        uint64_t digit = (uint64_t)(word.at[i] - '0');

        if (word.at[i] < '0' || word.at[i] > '9' || *number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return word.length != 0;
}

bool proto_signed(struct proto_text word, int64_t *number)
{
    bool minus = word.length != 0 && word.at[0] == '-';
    uint64_t digits;

    word.at += minus;
    word.length -= minus;
    if (!proto_number(word, &digits) || digits > INT64_MAX)
        return false;
    *number = minus ? -(int64_t)digits : (int64_t)digits;
    return true;
}

/* ---- the commands */

static const struct {
    const char *name;
    enum proto_verb verb;
} verbs[] = {
    {"get", PROTO_GET},
    {"gets", PROTO_GETS},
    {"gat", PROTO_GAT},
    {"gats", PROTO_GATS},
    {"set", PROTO_SET},
    {"add", PROTO_ADD},
    {"replace", PROTO_REPLACE},
    {"append", PROTO_APPEND},
    {"prepend", PROTO_PREPEND},
    {"cas", PROTO_CAS},
    {"delete", PROTO_DELETE},
    {"incr", PROTO_INCR},
    {"decr", PROTO_DECR},
    {"touch", PROTO_TOUCH},
    {"flush_all", PROTO_FLUSH_ALL},
    {"version", PROTO_VERSION},
    {"verbosity", PROTO_VERBOSITY},
    {"stats", PROTO_STATS},
    {"quit", PROTO_QUIT},
    {"mg", PROTO_META_GET},
    {"ms", PROTO_META_SET},
    {"md", PROTO_META_DELETE},
    {"ma", PROTO_META_SUM},
    {"mn", PROTO_META_NOP},
    {"me", PROTO_META_DEBUG},
};

static enum proto_verb verb_of(struct proto_text word)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        if (proto_is(word, verbs[i].name))
            return verbs[i].verb;
    return PROTO_ERROR;
}

static void fail(struct proto_request *r, const char *error)
{
    r->verb = PROTO_ERROR;
    r->error = error;
}

static bool has_key(struct proto_request *r, unsigned word)
{
    if (r->words <= word || r->word[word].length > PROTO_KEY_MAX)
        return false;
    r->key = r->word[word];
    return true;
}

/* The last word may say that no answer is wanted. */
static void take_noreply(struct proto_request *r)
{
    if (r->words > 1 && proto_is(r->word[r->words - 1], "noreply")) {
        r->noreply = true;
        r->words--;
    }
}

/* ---- values */

/*
 * The data after a line, with its end.  A value that is too long is passed over; so is one whose
 * end is not where the line says.
 */
static void take_data(struct proto_request *r, const char *at, size_t bytes, uint64_t length,
                      size_t value_max)
{
    size_t line = r->bytes;

    if (length > value_max) {
        fail(r, "SERVER_ERROR object too large for cache\r\n");
        r->swallow = (size_t)length + 2;
        return;
    }
    if (bytes - line < length + 2) {
        *r = (struct proto_request){.verb = PROTO_NOTHING};
        return;
    }
    r->data = (struct proto_text){at + line, (size_t)length};
    r->bytes = line + (size_t)length + 2;
    if (memcmp(at + line + length, "\r\n", 2) != 0)
        fail(r, "CLIENT_ERROR bad data chunk\r\n");
}

/* set KEY FLAGS EXPTIME BYTES [CAS] [noreply]; one word more is passed over. */
static void parse_set(struct proto_request *r, const char *at, size_t bytes, size_t value_max)
{
    unsigned words = r->verb == PROTO_CAS ? 6 : 5;
    uint64_t flags, length;
    int64_t signed_length;

    take_noreply(r);
    if (r->words < words || r->words > words + 1) {
        fail(r, unknown);
        return;
    }
    if (!has_key(r, 1) || !proto_number(r->word[2], &flags) || flags > UINT32_MAX ||
        !proto_signed(r->word[3], &r->exptime) || !proto_signed(r->word[4], &signed_length) ||
        signed_length < 0 || signed_length > INT32_MAX - 2 ||
        (r->verb == PROTO_CAS && !proto_number(r->word[5], &r->cas))) {
        fail(r, bad_format);
        return;
    }
    length = (uint64_t)signed_length;
    r->flags = (uint32_t)flags;
    take_data(r, at, bytes, length, value_max);
}

/* ms KEY BYTES FLAG... */
static void parse_meta_set(struct proto_request *r, const char *at, size_t bytes, size_t value_max)
{
    uint64_t length;

    if (r->words < 2) {
        fail(r, unknown);
    } else if (!has_key(r, 1) || r->words < 3 || !proto_number(r->word[2], &length) ||
               length > INT32_MAX - 2) {
        fail(r, bad_format);
    } else {
        take_data(r, at, bytes, length, value_max);
    }
}

/* ---- the rest */

/* delete KEY [0] [noreply] */
static void parse_delete(struct proto_request *r)
{
    take_noreply(r);
    if (r->words < 2 || r->words > 4)
        fail(r, unknown);
    else if (r->words > 3 || (r->words == 3 && !proto_is(r->word[2], "0")))
        fail(r, "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n");
    else if (!has_key(r, 1))
        fail(r, bad_format);
}

static void parse_sum(struct proto_request *r)
{
    take_noreply(r);
    if (r->words < 3 || r->words > 4)
        fail(r, unknown);
    else if (!has_key(r, 1))
        fail(r, bad_format);
    else if (!proto_number(r->word[2], &r->delta))
        fail(r, "CLIENT_ERROR invalid numeric delta argument\r\n");
}

static void parse_touch(struct proto_request *r)
{
    take_noreply(r);
    if (r->words != 3)
        fail(r, unknown);
    else if (!has_key(r, 1))
        fail(r, bad_format);
    else if (!proto_signed(r->word[2], &r->exptime))
        fail(r, "CLIENT_ERROR invalid exptime argument\r\n");
}

static void parse_flush(struct proto_request *r)
{
    take_noreply(r);
    if (r->words > 3)
        fail(r, unknown);
    else if (r->words >= 2 && !proto_signed(r->word[1], &r->exptime))
        fail(r, "CLIENT_ERROR invalid exptime argument\r\n");
}

static void parse_verbosity(struct proto_request *r)
{
    uint64_t level;

    if (r->words < 2)
        fail(r, unknown);
    else if (!proto_number(r->word[1], &level))
        fail(r, bad_format);
}

static void parse_words(struct proto_request *r, const char *at, size_t bytes, size_t value_max)
{
    switch (r->verb) {
    case PROTO_SET:
    case PROTO_ADD:
    case PROTO_REPLACE:
    case PROTO_APPEND:
    case PROTO_PREPEND:
    case PROTO_CAS:
        parse_set(r, at, bytes, value_max);
        break;
    case PROTO_DELETE:
        parse_delete(r);
        break;
    case PROTO_INCR:
    case PROTO_DECR:
        parse_sum(r);
        break;
    case PROTO_TOUCH:
        parse_touch(r);
        break;
    case PROTO_FLUSH_ALL:
        parse_flush(r);
        break;
    case PROTO_VERBOSITY:
        take_noreply(r);
        parse_verbosity(r);
        break;
    case PROTO_META_SET:
        parse_meta_set(r, at, bytes, value_max);
        break;
    case PROTO_META_GET:
    case PROTO_META_DELETE:
    case PROTO_META_SUM:
    case PROTO_META_DEBUG:
        if (r->words < 2)
            fail(r, unknown);
        else if (!has_key(r, 1))
            fail(r, bad_format);
        break;
    default:
        break;
    }
}

/* ---- lines */

/* get KEY..., gat EXPTIME KEY...: all keys are looked at before the first is answered. */
static void parse_get(struct proto_request *r, struct proto_text rest)
{
    struct proto_text key, all;
    bool touches = r->verb == PROTO_GAT || r->verb == PROTO_GATS;

    if (touches && (!proto_next(&rest, &key) || !proto_signed(key, &r->exptime))) {
        fail(r, key.length ? "CLIENT_ERROR invalid exptime argument\r\n" : unknown);
        return;
    }
    r->keys = all = rest;
    if (!proto_next(&all, &key)) {
        fail(r, unknown);
        return;
    }
    do {
        if (key.length > PROTO_KEY_MAX) {
            fail(r, bad_format);
            return;
        }
    } while (proto_next(&all, &key));
}

static void parse_line(struct proto_request *r, struct proto_text line, const char *at,
                       size_t bytes, size_t value_max)
{
    struct proto_text rest = line;

    if (!proto_next(&rest, &r->word[0])) {
        fail(r, unknown);
        return;
    }
    r->verb = verb_of(r->word[0]);
    if (r->verb == PROTO_ERROR) {
        fail(r, unknown);
        return;
    }
    if (r->verb >= PROTO_GET && r->verb <= PROTO_GATS) {
        parse_get(r, rest);
        return;
    }
    for (r->words = 1; r->words < PROTO_WORDS && proto_next(&rest, &r->word[r->words]);)
        r->words++;
    if (proto_next(&rest, &(struct proto_text){0}))
        fail(r, bad_format);
    else
        parse_words(r, at, bytes, value_max);
}

/* A line that does not end: all is dropped, and the connection with it. */
static void no_end(struct proto_request *r, const char *at, size_t bytes)
{
    bool get = bytes >= 4 && (memcmp(at, "get ", 4) == 0 || memcmp(at, "gets", 4) == 0);

    *r = (struct proto_request){.verb = PROTO_NOTHING};
    if (bytes <= (get ? (size_t)PROTO_GET_MAX : (size_t)PROTO_LINE_MAX))
        return;
    fail(r, "CLIENT_ERROR line too long\r\n");
    r->bytes = bytes;
    r->close = true;
}

void proto_parse(const char *at, size_t bytes, size_t value_max, struct proto_request *r)
{
    const char *end = bytes ? memchr(at, '\n', bytes) : NULL;
    struct proto_text line;

    *r = (struct proto_request){.verb = PROTO_NOTHING};
    if (bytes && (uint8_t)at[0] == PROTO_BINARY) {
        fail(r, "ERROR the binary protocol is not spoken here; use the text protocol\r\n");
        r->bytes = bytes;
        r->close = true;
        return;
    }
    if (!end) {
        no_end(r, at, bytes);
        return;
    }
    line = (struct proto_text){at, (size_t)(end - at)};
    r->bytes = line.length + 1;
    if (line.length && at[line.length - 1] == '\r')
        line.length--;
    parse_line(r, line, at, bytes, value_max);
}
