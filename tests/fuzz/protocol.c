/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the text protocol of `tern cached`.
 *
 * Each step adds a word of the protocol, a number, a key, an end of a line, or any bytes. The
 * parser then takes one request after the other off the front of the text. Each request lies in the
 * bytes that it names, and a request that is complete is none without its last byte.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "protocol.h"

enum {
    KIND = 1, COUNT = 1, RAW = 14,
    RECORD = KIND + COUNT + RAW,
    STEPS = 48,
    KEY_STEP = 64, /* bytes of a key, at most */
    TEXT = STEPS * KEY_STEP * 5,
    VALUE_MAX = 200,
};

static const char *const words[] = {
    "get ", "gets ", "gat ", "gats ", "set ", "add ", "replace ", "append ", "prepend ", "cas ",
    "delete ", "incr ", "decr ", "touch ", "flush_all ", "version", "verbosity ", "stats", "quit",
    "mg ", "ms ", "md ", "ma ", "mn", "me ", "noreply", "0 ", "1 ", "3 ", "-1 ", "201 ",
    "4294967296 ", "18446744073709551616 ", " ", "abc", "\r\n", "\r\n", "\r\n", "\n", "\200",
};
enum { WORDS = sizeof(words) / sizeof(words[0]) };

static size_t add_step(char *text, const uint8_t *step)
{
    unsigned kind = step[0] % (WORDS + 2);
    size_t length;

    if (kind < WORDS) {
        length = strlen(words[kind]);
        memcpy(text, words[kind], length);
    } else if (kind == WORDS) { /* a key, which may be too long */
        length = (size_t)step[1] + step[2];
        memset(text, 'k', length);
    } else {
        length = step[1] % (RAW + 1);
        memcpy(text, step + KIND + COUNT, length);
    }
    return length;
}

static bool lies_in(struct proto_text part, const char *at, size_t bytes)
{
    return part.length == 0 || (part.at >= at && part.at + part.length <= at + bytes);
}

/* A copy that ends where the bytes end, so that a read past them is noticed. */
static void parse(const char *at, size_t bytes, char **copy, struct proto_request *r)
{
    *copy = malloc(bytes ? bytes : 1);
    if (!*copy)
        fuzz_fail("no memory");
    memcpy(*copy, at, bytes);
    proto_parse(*copy, bytes, VALUE_MAX, r);
}

static void judge(const struct proto_request *r, const char *at, size_t bytes)
{
    if (r->verb != PROTO_NOTHING && (r->bytes == 0 || r->bytes > bytes))
        fuzz_fail("a request has %zu of %zu bytes", r->bytes, bytes);
    if (r->verb == PROTO_ERROR && !r->error)
        fuzz_fail("an error has no answer");
    if (r->words > PROTO_WORDS || r->key.length > PROTO_KEY_MAX || r->data.length > VALUE_MAX)
        fuzz_fail("%u words, a key of %zu bytes, a value of %zu", r->words, r->key.length,
                  r->data.length);
    for (unsigned i = 0; i < r->words; i++)
        if (!lies_in(r->word[i], at, r->bytes))
            fuzz_fail("word %u lies outside of its request", i);
    if (!lies_in(r->keys, at, r->bytes) || !lies_in(r->key, at, r->bytes) ||
        !lies_in(r->data, at, r->bytes))
        fuzz_fail("a key or a value lies outside of its request");
}

/* A request that is complete needs its last byte. */
static void judge_less(const struct proto_request *r, const char *at)
{
    struct proto_request less;
    char *copy;

    if (r->verb == PROTO_ERROR || r->verb == PROTO_NOTHING)
        return;
    parse(at, r->bytes - 1, &copy, &less);
    if (less.verb != PROTO_NOTHING && less.verb != PROTO_ERROR)
        fuzz_fail("a request is complete without its last byte");
    free(copy);
}

int fuzz_one(const uint8_t *data, size_t size)
{
    static char text[TEXT];
    struct proto_request r = {.verb = PROTO_ERROR};
    size_t bytes = 0, at = 0;

    for (size_t i = 0; i < size / RECORD && i < STEPS && bytes + 2 * UINT8_MAX < TEXT; i++)
        bytes += add_step(text + bytes, data + i * RECORD);
    while (at < bytes && r.verb != PROTO_NOTHING && !r.close) {
        char *copy;

        parse(text + at, bytes - at, &copy, &r);
        judge(&r, copy, bytes - at);
        free(copy);
        judge_less(&r, text + at);
        at += r.bytes;
        at = bytes - at < r.swallow ? bytes : at + r.swallow;
    }
    return 0;
}

static void fresh(struct fuzz_random *random, uint8_t *step)
{
    for (unsigned i = 0; i < RECORD; i++)
        step[i] = (uint8_t)fuzz_random(random);
    step[0] = (uint8_t)fuzz_below(random, WORDS + 2);
}

const struct fuzz_target fuzz_target = {"protocol", RECORD, STEPS, fresh};
