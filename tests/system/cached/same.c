/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: same PORT PORT COMMANDS [seed]
 *
 * Gives the same random commands to two servers of the memcached protocol, and compares what they
 * answer, byte by byte; but for the numbers of cas, which each server chooses as it likes, and for
 * the seconds that a value has left.  Each command is followed by `mn`, whose answer ends that of
 * the command.  Commands are sent several at a time; the numbers of cas in them are those of the
 * commands before.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    KEYS = 24,
    ROOM = 1 << 16,
    SERVERS = 2,
    VALUE = 900,
    BATCH = 32, /* commands under way */
    UNLIKE = 5  /* differences that are shown */
};

/* Bytes that came, and those of them that were looked at. */
struct stream {
    char bytes[BATCH * ROOM];
    size_t came, at;
};


static int fds[SERVERS];
static struct stream streams[SERVERS];
static char answers[SERVERS][ROOM];
static unsigned long long cas[SERVERS][KEYS]; /* as seen last */
static uint64_t state;
static unsigned long done; /* commands */

static uint32_t below(uint32_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((state >> 33) % end);
}

static int open_at(const char *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)atoi(port)),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    if (fd < 0 || connect(fd, (struct sockaddr *)&at, sizeof(at))) {
        perror(port);
        exit(1);
    }
    return fd;
}

/* ---- commands */

static size_t value(char *to)
{
    uint32_t kind = below(8);

    if (kind < 3)
        return (size_t)sprintf(to, "%u", below(kind == 0 ? 10 : 100000));
    if (kind == 3)
        return 0;
    kind = below(kind == 4 ? VALUE : 60);
    for (uint32_t i = 0; i < kind; i++)
        to[i] = (char)('a' + below(26));
    return kind;
}

/* A run takes minutes: no time is over meanwhile, or at once. */
static const char *const exptimes[] = {"0", "0", "0", "100000", "-1"};
static const char *const noreply[] = {"", "", "", " noreply"};

static size_t store(char *to, unsigned key, int server)
{
    static const char *const verbs[] = {"set", "set", "add", "replace", "append", "prepend", "cas"};
    const char *verb = verbs[below(7)], *exptime = exptimes[below(5)], *quiet = noreply[below(4)];
    char body[VALUE], number[32] = "";
    size_t bytes = value(body);
    uint32_t flags = below(1000);
    int at;

    if (!strcmp(verb, "cas"))
        snprintf(number, sizeof(number), " %llu", cas[server][key]);
    at = sprintf(to, "%s k%u %u %s %zu%s%s\r\n", verb, key, flags, exptime, bytes, number, quiet);
    memcpy(to + at, body, bytes);
    memcpy(to + at + bytes, "\r\n", 2);
    return (size_t)at + bytes + 2;
}

static size_t meta(char *to, unsigned key)
{
    static const char *const gets[] = {"v",   "v f s", "t",      "k v O7",
                                       "s q", "v c",   "T100000 v", "f k b"};
    static const char *const sums[] = {"", " v", " D5 v", " MD v", " N0 J7 v", " q", " Mx", " Dx"};
    static const char *const sets[] = {"",    " F9", " T0",  " ME",  " MA",
                                       " MP", " MR", " T-1", " q k", " MZ"};
    static const char *const deletes[] = {"", " q", " k O1", " q k"};
    char body[VALUE];
    size_t bytes;
    int at;

    switch (below(5)) {
    case 0:
    case 1:
        return (size_t)sprintf(to, "mg k%u %s\r\n", key, gets[below(7)]);
    case 2:
        return (size_t)sprintf(to, "ma k%u%s\r\n", key, sums[below(8)]);
    case 3:
        return (size_t)sprintf(to, "md k%u%s\r\n", key, deletes[below(4)]);
    default:
        bytes = value(body);
        at = sprintf(to, "ms k%u %zu%s\r\n", key, bytes, sets[below(10)]);
        memcpy(to + at, body, bytes);
        memcpy(to + at + bytes, "\r\n", 2);
        return (size_t)at + bytes + 2;
    }
}

/* Lines that are wrong in one way or another. */
static size_t wrong(char *to, unsigned key)
{
    static const char *const lines[] = {
        "get\r\n",         "gets\r\n",
        "nonsense\r\n",    "set k\r\n",
        "set k 0 0\r\n",   "incr k\r\n",
        "incr k x\r\n",    "touch k\r\n",
        "touch k x\r\n",   "delete\r\n",
        "delete k 5\r\n",  "\r\n",
        "gat\r\n",         "gat x k\r\n",
        "set k a b c\r\n", "set k 0 0 -1\r\n",
        "mg\r\n",          "mg k z\r\n",
        "mg k v v\r\n",    "ms k\r\n",
        "ms k x\r\n",      "flush_all x\r\n",
        "verbosity\r\n",   "verbosity 1\r\n",
        "verbosity x\r\n", "set k 0 0 1\r\nabc\r\n",
        "cas k 0 0 1\r\n",
    };
    (void)key;
    return (size_t)sprintf(to, "%s", lines[below(sizeof(lines) / sizeof(lines[0]))]);
}

static size_t command(char *to, int server)
{
    unsigned key = below(KEYS), second = below(KEYS);
    const char *quiet = noreply[below(4)];

    switch (below(12)) {
    case 0:
    case 1:
    case 2:
        return store(to, key, server);
    case 3:
        return (size_t)sprintf(to, "get k%u k%u nothing k%u\r\n", key, second, key);
    case 4:
    case 5:
        return (size_t)sprintf(to, "gets k%u\r\n", key);
    case 6:
        return (size_t)sprintf(to, "%s k%u %u%s\r\n", below(2) ? "incr" : "decr", key, below(300),
                               quiet);
    case 7:
        return (size_t)sprintf(to, "delete k%u%s\r\n", key, quiet);
    case 8:
        return (size_t)sprintf(to, below(2) ? "touch k%u %s%s\r\n" : "gat %2$s k%1$u\r\n", key,
                               exptimes[below(5)], quiet);
    case 9:
    case 10:
        return meta(to, key);
    default:
        return below(200) ? wrong(to, key) : (size_t)sprintf(to, "flush_all%s\r\n", quiet);
    }
}

/* ---- answers */

static void ask(int server, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        ssize_t sent = send(fds[server], text + at, bytes - at, MSG_NOSIGNAL);

        if (sent <= 0)
            exit(1);
        at += (size_t)sent;
    }
}

static void more(int server)
{
    struct stream *from = &streams[server];
    ssize_t got;

    memmove(from->bytes, from->bytes + from->at, from->came - from->at);
    from->came -= from->at;
    from->at = 0;
    got = read(fds[server], from->bytes + from->came, sizeof(from->bytes) - from->came);
    if (got <= 0) {
        printf("# server %d ended the connection, after %lu commands or more\n", server, done);
        exit(1);
    }
    from->came += (size_t)got;
}

/* Takes the answer to one command: no value has capital letters. */
static void hear(int server)
{
    struct stream *from = &streams[server];
    char *to = answers[server], *end;
    size_t bytes;

    while (!(end = memmem(from->bytes + from->at, from->came - from->at, "MN\r\n", 4)))
        more(server);
    bytes = (size_t)(end - from->bytes) + 4 - from->at;
    if (bytes >= ROOM)
        exit(1);
    memcpy(to, from->bytes + from->at, bytes);
    to[bytes] = 0;
    from->at += bytes;
}

/* Takes the number after a flag out of the first line. */
static void drop_number(char *text, const char *flag)
{
    char *at = strstr(text, flag), *end;

    if (!at || at > strstr(text, "\r\n"))
        return;
    end = at + 2 + strspn(at + 2, "0123456789");
    memmove(at + 2, end, strlen(end) + 1);
}

/*
 * Takes the number of cas out of an answer to `gets`, or of a flag c, and the seconds left, which
 * may pass between the two answers; takes note of the first.
 */
static void without_cas(int server)
{
    char *text = answers[server], *at;
    unsigned key, flags, bytes;
    unsigned long long number;

    char line[128];

    snprintf(line, sizeof(line), "%.*s", (int)strcspn(text, "\r"), text);
    if (sscanf(line, "VALUE k%u %u %u %llu", &key, &flags, &bytes, &number) == 4 && key < KEYS) {
        char *end = strstr(text, "\r\n");

        cas[server][key] = number;
        for (at = end; at[-1] != ' ';)
            at--;
        memmove(at, end, strlen(end) + 1);
    }
    if (memcmp(text, "VA ", 3) == 0 || memcmp(text, "HD ", 3) == 0) {
        drop_number(text, " c");
        drop_number(text, " t");
    }
}

/* Of the commands under way: which keys they read. */
static bool is_read[KEYS];

/*
 * memcached changes a number in place, and fills it up with blanks, but not while an answer that
 * has the value is on its way.  So no sum comes behind a read of its key in one batch.
 */
static bool must_wait(const char *text, size_t bytes)
{
    bool sum = !memcmp(text, "incr", 4) || !memcmp(text, "decr", 4) || !memcmp(text, "ma ", 3);
    bool read = !memcmp(text, "get", 3) || !memcmp(text, "gat", 3) || !memcmp(text, "mg", 2);
    const char *end = memchr(text, '\r', bytes);
    unsigned key;

    for (const char *at = text; (sum || read) && at && at < end; at++) {
        if (sscanf(at, " k%u", &key) != 1 || *at != ' ' || key >= KEYS)
            continue;
        if (sum && is_read[key])
            return true;
        is_read[key] |= read;
    }
    return false;
}

/* Writes up to `*count` commands, and sets that to their number. */
static size_t write_some(int server, char *text, unsigned *count, size_t *at)
{
    size_t bytes = 0;

    memset(is_read, 0, sizeof(is_read));
    for (unsigned n = 0; n < *count; n++) {
        uint64_t before = state;
        size_t more = command(text + bytes, server);

        if (must_wait(text + bytes, more)) {
            state = before; /* the first of the next batch */
            *count = n;
            break;
        }
        memcpy(text + bytes + more, "mn\r\n", 4);
        bytes += more + 4;
        at[n + 1] = bytes;
    }
    return bytes;
}

/* Sends some commands to both, and compares what comes; returns how many answers differ. */
static unsigned batch(unsigned long first, unsigned *commands)
{
    static char text[SERVERS][BATCH * ROOM];
    size_t at[SERVERS][BATCH + 1] = {{0}}; /* of each command */
    uint64_t before = state;
    unsigned unlike = 0, count = *commands;

    for (int i = 0; i < SERVERS; i++) {
        state = before; /* the same for each, but for cas */
        count = *commands;
        ask(i, text[i], write_some(i, text[i], &count, at[i]));
    }
    *commands = count;
    for (unsigned n = 0; n < count; n++) {
        for (int i = 0; i < SERVERS; i++) {
            hear(i);
            without_cas(i);
        }
        if (strcmp(answers[0], answers[1]) == 0)
            continue;
        if (unlike++ < UNLIKE)
            printf("# command %lu: %.*s# %s# %s", first + n, (int)(at[0][n + 1] - at[0][n]),
                   text[0] + at[0][n], answers[0], answers[1]);
    }
    return unlike;
}

int main(int argc, char **argv)
{
    unsigned long commands = argc > 3 ? strtoul(argv[3], NULL, 10) : 1000, unlike = 0;
    uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 10) : 1;

    if (argc < 3)
        return 2;
    for (int i = 0; i < SERVERS; i++)
        fds[i] = open_at(argv[1 + i]);
    state = seed;
    for (unsigned long n = 0; n < commands && unlike < UNLIKE;) {
        unsigned count = commands - n < BATCH ? (unsigned)(commands - n) : BATCH;

        unlike += batch(n, &count);
        done = n += count;
    }
    printf("commands=%lu unlike=%lu seed=%llu\n", commands, unlike, (unsigned long long)seed);
    return unlike != 0;
}
