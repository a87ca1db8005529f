/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text protocol of memcached, its meta commands among them: takes one request off the front of
 * what a client has sent.  Knows no cache, no socket and no memory but the caller's.
 */
#ifndef TERN_CACHED_PROTOCOL_H
#define TERN_CACHED_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PROTO_KEY_MAX = 250,
    PROTO_WORDS = 24, /* of a line, the command among them; the keys of a get are not counted */
    PROTO_LINE_MAX = 2048,   /* bytes of a line, but of a get */
    PROTO_GET_MAX = 1 << 16, /* bytes of a line with a get */
    PROTO_BINARY = 0x80,     /* the first byte of the binary protocol */
};

enum proto_verb {
    PROTO_NOTHING, /* more has to come */
    PROTO_ERROR,   /* the answer is in `error` */
    PROTO_GET,
    PROTO_GETS,
    PROTO_GAT,
    PROTO_GATS,
    PROTO_SET,
    PROTO_ADD,
    PROTO_REPLACE,
    PROTO_APPEND,
    PROTO_PREPEND,
    PROTO_CAS,
    PROTO_DELETE,
    PROTO_INCR,
    PROTO_DECR,
    PROTO_TOUCH,
    PROTO_FLUSH_ALL,
    PROTO_VERSION,
    PROTO_VERBOSITY,
    PROTO_STATS,
    PROTO_QUIT,
    PROTO_META_GET,
    PROTO_META_SET,
    PROTO_META_DELETE,
    PROTO_META_SUM,
    PROTO_META_NOP,
    PROTO_META_DEBUG,
};

/* A piece of what the client sent, or of what the caller gave; no end is marked. */
struct proto_text {
    const char *at;
    size_t length;
};

struct proto_request {
    enum proto_verb verb;
    struct proto_text word[PROTO_WORDS]; /* word[0]: the command */
    unsigned words;
    struct proto_text keys; /* of a get: the rest of the line, for proto_next() */
    struct proto_text key, data;
    bool noreply;
    uint32_t flags;
    int64_t exptime;
    uint64_t cas, delta;
    size_t bytes;   /* of the line and its data: to be dropped when it is done */
    size_t swallow; /* bytes to be dropped after that, when they come */
    bool close;     /* after the answer */
    const char *error;
};

/*
 * Takes the request apart at the front of `bytes` at `at`; `value_max`: bytes of the largest value.
 * The texts lead into these bytes.  PROTO_NOTHING: the request is not complete.
 */
void proto_parse(const char *at, size_t bytes, size_t value_max, struct proto_request *request);

/* Takes the next word of a text; false: there is none. */
bool proto_next(struct proto_text *text, struct proto_text *word);

/* Numbers of decimal digits.  False: it is none, or too large. */
bool proto_number(struct proto_text word, uint64_t *number);
bool proto_signed(struct proto_text word, int64_t *number);

/*
 * Clients choose what they say by this: the version of memcached whose protocol it is, before the
 * version of tern.
 */
#define PROTO_VERSION_TEXT "1.6.18-tern-" TERN_VERSION_TEXT

bool proto_is(struct proto_text word, const char *text);

#endif
