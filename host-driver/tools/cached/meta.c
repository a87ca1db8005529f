/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Meta commands: mg, ms, md, ma, mn, me.  Flags that need what the cache does not keep (N, R, I, h,
 * l: vivify, recache, invalidate, and the times of use) are refused.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cached.h"

enum { KEY_TEXT = (PROTO_KEY_MAX + 2) / 3 * 4 + 4 };

struct meta {
    struct cached *cached;
    struct proto_request *request;
    struct evbuffer *out;
    struct proto_text key; /* decoded */
    uint8_t decoded[PROTO_KEY_MAX];
    const struct proto_text *flags;
    unsigned count;
    bool quiet, base64;
    struct tern_item item;
    uint64_t number;
};

/* ---- flags */

/* The flag of a letter, or NULL; its token follows the letter. */
static const struct proto_text *flag(const struct meta *m, char letter)
{
    for (unsigned i = 0; i < m->count; i++)
        if (m->flags[i].at[0] == letter)
            return &m->flags[i];
    return NULL;
}

static struct proto_text token(const struct proto_text *of)
{
    return (struct proto_text){of->at + 1, of->length - 1};
}

/* A flag with a number; the number stays as it is where there is no such flag. */
static bool take_number(const struct meta *m, char letter, uint64_t *number)
{
    const struct proto_text *f = flag(m, letter);

    return !f || proto_number(token(f), number);
}

static bool take_time(const struct meta *m, char letter, uint32_t *expires)
{
    const struct proto_text *f = flag(m, letter);
    int64_t exptime;

    if (!f)
        return true;
    if (!proto_signed(token(f), &exptime))
        return false;
    *expires = command_expires(exptime);
    return true;
}

static int digit(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

/* Decodes base64 with its padding. */
static bool decode(struct meta *m)
{
    struct proto_text from = m->request->key;
    size_t bytes = 0, pads = 0;

    if (from.length == 0 || from.length % 4 != 0)
        return false;
    while (pads < 2 && from.at[from.length - 1 - pads] == '=')
        pads++;
    for (size_t i = 0; i < from.length; i += 4) {
        uint32_t word = 0;

        for (size_t j = 0; j < 4; j++) {
            bool pad = i + j >= from.length - pads;
            int value = pad ? 0 : digit(from.at[i + j]);

            if (value < 0)
                return false;
            word = word << 6 | (uint32_t)value;
        }
        for (size_t j = 0; j < 3 && !(i + 4 == from.length && j >= 3 - pads); j++) {
            if (bytes == sizeof(m->decoded))
                return false;
            m->decoded[bytes++] = (uint8_t)(word >> (16 - 8 * j));
        }
    }
    m->key = (struct proto_text){(const char *)m->decoded, bytes};
    return bytes != 0;
}

static void client_error(struct meta *m, const char *text)
{
    m->cached->figures.errors++;
    evbuffer_add_printf(m->out, "CLIENT_ERROR %s\r\n", text);
}

/* Looks at all flags: of a command those in `known`, each once. */
static bool check(struct meta *m, const char *known)
{
    for (unsigned i = 0; i < m->count; i++) {
        char letter = m->flags[i].at[0];

        if (!letter || !strchr(known, letter)) {
            client_error(m, "invalid flag");
            return false;
        }
        if (flag(m, letter) != &m->flags[i]) {
            client_error(m, "duplicate flag");
            return false;
        }
    }
    m->quiet = flag(m, 'q');
    m->base64 = flag(m, 'b');
    if (m->base64 && !decode(m)) {
        client_error(m, "error decoding key");
        return false;
    }
    return true;
}

/* ---- answers */

static void write_flag(const struct meta *m, const struct proto_text *of)
{
    const struct tern_item *item = &m->item;

    switch (of->at[0]) {
    case 'f':
        evbuffer_add_printf(m->out, " f%" PRIu32, item->flags);
        break;
    case 'c':
        evbuffer_add_printf(m->out, " c%" PRIu64, item->cas);
        break;
    case 's':
        evbuffer_add_printf(m->out, " s%" PRIu64, item->bytes);
        break;
    case 't':
        if (item->expires)
            evbuffer_add_printf(m->out, " t%" PRId64, (int64_t)item->expires - (int64_t)time(NULL));
        else
            evbuffer_add_printf(m->out, " t-1");
        break;
    case 'k':
        evbuffer_add_printf(m->out, " k%.*s", (int)m->request->key.length, m->request->key.at);
        break;
    case 'O':
        evbuffer_add_printf(m->out, " %.*s", (int)of->length, of->at);
        break;
    case 'b':
        if (flag(m, 'k'))
            evbuffer_add_printf(m->out, " b");
        break;
    default:
        break;
    }
}

static void write_flags(const struct meta *m, const char *which)
{
    for (unsigned i = 0; i < m->count; i++)
        if (strchr(which, m->flags[i].at[0]))
            write_flag(m, &m->flags[i]);
    evbuffer_add(m->out, "\r\n", 2);
}

/* A code without a value: what the caller asked to have back, and nothing of the item. */
static void code(const struct meta *m, const char *text)
{
    evbuffer_add_printf(m->out, "%s", text);
    write_flags(m, "kOb");
}

static void changed(struct meta *m, int status, const char *absent)
{
    if (!status) {
        if (!m->quiet) {
            evbuffer_add_printf(m->out, "HD");
            write_flags(m, "cskOb");
        }
    } else if (status == -TERN_ST_NOT_FOUND) {
        code(m, absent);
    } else if (status == -TERN_ST_UNLIKE) {
        code(m, "EX");
    } else {
        command_failed(m->cached, status, m->out);
    }
}

/* ---- mg */

static void run_get(struct meta *m)
{
    uint32_t expires = 0;
    int status = 0;

    if (!check(m, "vfctskOqTb"))
        return;
    if (!take_time(m, 'T', &expires)) {
        client_error(m, "bad token in command line format");
        return;
    }
    if (flag(m, 'T'))
        status = command_touch(m->cached, m->key, expires);
    m->item =
        (struct tern_item){.value = m->cached->store.value, .room = m->cached->store.value_max};
    if (!status)
        status = command_get(m->cached, m->key, &m->item);
    m->cached->figures.gets++;
    m->cached->figures.get_hits += status == 0;
    m->cached->figures.get_misses += status == -TERN_ST_NOT_FOUND;
    if (status == -TERN_ST_NOT_FOUND) {
        if (!m->quiet)
            code(m, "EN");
    } else if (status) {
        command_failed(m->cached, status, m->out);
    } else if (flag(m, 'v')) {
        evbuffer_add_printf(m->out, "VA %" PRIu64, m->item.bytes);
        write_flags(m, "fctskOb");
        evbuffer_add(m->out, m->item.value, m->item.bytes);
        evbuffer_add(m->out, "\r\n", 2);
    } else {
        evbuffer_add_printf(m->out, "HD");
        write_flags(m, "fctskOb");
    }
}

/* ---- ms */

static char mode_of(const struct meta *m, char otherwise)
{
    const struct proto_text *f = flag(m, 'M');

    return !f ? otherwise : f->length == 2 ? f->at[1] : 0;
}

static int store(struct meta *m, char mode)
{
    switch (mode) {
    case 'S':
    case 's':
        return command_set(m->cached, m->key, &m->item, flag(m, 'C') ? TERN_IF_CAS : TERN_ALWAYS);
    case 'E':
    case 'e':
        return command_set(m->cached, m->key, &m->item, TERN_IF_ABSENT);
    case 'R':
    case 'r':
        return command_set(m->cached, m->key, &m->item, TERN_IF_PRESENT);
    case 'A':
    case 'a':
        return command_append(m->cached, m->key, m->request->data, false);
    case 'P':
    case 'p':
        return command_append(m->cached, m->key, m->request->data, true);
    default:
        return -TERN_ST_BAD_ARGUMENT;
    }
}

static void run_set(struct meta *m)
{
    char mode = mode_of(m, 'S');
    uint64_t flags = 0;
    int status;

    if (!check(m, "bcCFkMOqTs"))
        return;
    m->item = (struct tern_item){.value = (void *)(uintptr_t)m->request->data.at,
                                 .bytes = m->request->data.length};
    if (!take_number(m, 'F', &flags) || flags > UINT32_MAX || !take_number(m, 'C', &m->item.cas) ||
        !take_time(m, 'T', &m->item.expires)) {
        client_error(m, "bad token in command line format");
        return;
    }
    m->item.flags = (uint32_t)flags;
    status = store(m, mode);
    m->cached->figures.sets++;
    if (status == -TERN_ST_BAD_ARGUMENT)
        client_error(m, "invalid mode for ms M token");
    else if (status == -TERN_ST_UNLIKE && (mode == 'E' || mode == 'e'))
        code(m, "NS");
    else
        changed(m, status, flag(m, 'C') ? "NF" : "NS");
}

/* ---- md, ma */

static void run_delete(struct meta *m)
{
    uint64_t cas = 0;
    int status;

    if (!check(m, "bCkOq"))
        return;
    if (!take_number(m, 'C', &cas)) {
        client_error(m, "bad token in command line format");
        return;
    }
    status = command_delete(m->cached, m->key, cas);
    m->cached->figures.delete_hits += status == 0;
    m->cached->figures.delete_misses += status == -TERN_ST_NOT_FOUND;
    changed(m, status, "NF");
}

/* Makes the number where there is none: N gives its time, J its value. */
static int vivify(struct meta *m)
{
    struct tern_item item = {.value = m->decoded};
    char text[24];
    uint64_t begin = 0;

    if (!take_number(m, 'J', &begin) || !take_time(m, 'N', &item.expires))
        return -TERN_ST_BAD_ARGUMENT;
    item.value = text;
    item.bytes = (uint64_t)snprintf(text, sizeof(text), "%" PRIu64, begin);
    m->number = begin;
    return command_set(m->cached, m->key, &item, TERN_IF_ABSENT);
}

static int sum(struct meta *m, bool down, uint64_t by)
{
    int status = command_sum(m->cached, m->key, by, down, &m->number);

    if (status == -TERN_ST_NOT_FOUND && flag(m, 'N')) {
        status = vivify(m);
        if (status == -TERN_ST_UNLIKE) /* another client made it meanwhile */
            status = command_sum(m->cached, m->key, by, down, &m->number);
    }
    return status;
}

/* The other flags are of the item as it is now. */
static void answer_sum(struct meta *m)
{
    char text[24];

    if (m->quiet)
        return;
    m->item = (struct tern_item){.value = text, .room = sizeof(text)};
    if (flag(m, 'c') || flag(m, 't'))
        (void)command_get(m->cached, m->key, &m->item);
    if (flag(m, 'v')) {
        int bytes = snprintf(text, sizeof(text), "%" PRIu64, m->number);

        evbuffer_add_printf(m->out, "VA %d", bytes);
        write_flags(m, "ctkOb");
        evbuffer_add_printf(m->out, "%s\r\n", text);
    } else {
        evbuffer_add_printf(m->out, "HD");
        write_flags(m, "ctkOb");
    }
}

static void run_sum(struct meta *m)
{
    char mode = mode_of(m, 'I');
    bool down = mode == 'D' || mode == 'd' || mode == '-';
    bool up = mode == 'I' || mode == 'i' || mode == '+';
    uint64_t by = 1;
    int status;

    if (!check(m, "bDJkMNOqctv"))
        return;
    if (!up && !down) {
        client_error(m, "invalid mode for ma M token");
        return;
    }
    if (!take_number(m, 'D', &by)) {
        client_error(m, "invalid or duplicate flag");
        return;
    }
    status = sum(m, down, by);
    if (!status)
        answer_sum(m);
    else if (status == -TERN_ST_BAD_STATE)
        client_error(m, "cannot increment or decrement non-numeric value");
    else if (status == -TERN_ST_BAD_ARGUMENT)
        client_error(m, "bad token in command line format");
    else
        changed(m, status, "NF");
}

/* ---- me */

static void run_debug(struct meta *m)
{
    int status;

    if (!check(m, "b"))
        return;
    m->item =
        (struct tern_item){.value = m->cached->store.value, .room = m->cached->store.value_max};
    status = command_get(m->cached, m->key, &m->item);
    if (status == -TERN_ST_NOT_FOUND)
        evbuffer_add_printf(m->out, "EN\r\n");
    else if (status)
        command_failed(m->cached, status, m->out);
    else
        evbuffer_add_printf(m->out, "ME %.*s exp=%" PRId64 " cas=%" PRIu64 " size=%" PRIu64 "\r\n",
                            (int)m->request->key.length, m->request->key.at,
                            m->item.expires ? (int64_t)m->item.expires - (int64_t)time(NULL) : -1,
                            m->item.cas, m->item.bytes);
}

/* The words before the flags: the command and its key, and of ms the length of the value. */
void meta_run(struct cached *cached, struct proto_request *request, struct evbuffer *out)
{
    unsigned before = request->verb == PROTO_META_SET ? 3 : 2;
    struct meta m = {.cached = cached,
                     .request = request,
                     .out = out,
                     .key = request->key,
                     .flags = request->word + before,
                     .count = request->words > before ? request->words - before : 0};

    cached->figures.metas++;
    switch (request->verb) {
    case PROTO_META_GET:
        run_get(&m);
        break;
    case PROTO_META_SET:
        run_set(&m);
        break;
    case PROTO_META_DELETE:
        run_delete(&m);
        break;
    case PROTO_META_SUM:
        run_sum(&m);
        break;
    case PROTO_META_DEBUG:
        run_debug(&m);
        break;
    default:
        evbuffer_add_printf(out, "MN\r\n");
    }
}
