/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that growth.sh builds against headers whose struct tern_completion, tern_info and
 * tern_region_attr are smaller or larger than the library's. Puts to itself, polls several
 * completions at once, and checks that the bytes after them do not change.
 *
 * usage: growth URI
 */
#include <stdio.h>
#include <string.h>
#include <tern/tern.h>

enum { PUTS = 3, GUARD = 0x5a };

static int must(int status, const char *what)
{
    if (status < 0)
        printf("%s: %s\n", what, tern_strerror(status));
    return status < 0;
}

/* Completions and the bytes after them. */
struct row {
    struct tern_completion done[PUTS];
    unsigned char guard[64];
};

static int untouched(const unsigned char *guard, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (guard[i] != GUARD)
            return 0;
    return 1;
}

static int put_and_poll(struct tern_cq *cq, struct tern_sq *sq, struct tern_rptr to)
{
    struct row row;
    int got = 0;

    memset(&row, GUARD, sizeof(row));
    for (unsigned i = 0; i < PUTS; i++)
        if (must(tern_put_inline(sq, to, "growth!", 8, TERN_DFLAG_SIGNAL, 40 + i), "put"))
            return 1;
    while (got < PUTS) {
        int count = tern_cq_poll(cq, row.done + got, PUTS - got);

        if (count == 0)
            count = tern_cq_wait(cq, 30000);
        if (must(count, "poll"))
            return 1;
        got += count;
    }
    for (unsigned i = 0; i < PUTS; i++)
        if (row.done[i].status != TERN_ST_OK || row.done[i].context != 40 + i ||
            row.done[i].length != 8)
            return printf("completion %u is wrong\n", i);
    return untouched(row.guard, sizeof(row.guard))
        ? 0 : printf("bytes behind the completions changed\n");
}

int main(int argc, char **argv)
{
    static char memory[64];
    const struct tern_region_attr attr = {.addr = memory, .bytes = sizeof(memory),
                                          .rights = TERN_RIGHT_REMOTE_WRITE};
    struct {
        struct tern_info info;
        unsigned char guard[64];
    } asked;
    struct tern_device *device;
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;

    memset(&asked, GUARD, sizeof(asked));
    if (argc != 2 || must(tern_open(argv[1], &device), "open") || must(tern_query(device,
            &asked.info), "query") ||
        must(tern_cq_create(device, 4, 0, &cq), "cq") || must(tern_sq_create(cq, 4, &sq), "sq") ||
        must(tern_register_with(device, &attr, &region), "register"))
        return 1;
    if (asked.info.put_bytes_max == 0 || !untouched(asked.guard, sizeof(asked.guard)))
        return printf("the answer to tern_query() is wrong\n");
    if (put_and_poll(cq, sq, tern_region_pointer(region, 0)) || strcmp(memory, "growth!"))
        return 1;
    tern_close(device);
    printf("runs with completions of %zu bytes\n", sizeof(struct tern_completion));
    return 0;
}
