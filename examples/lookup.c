/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds a key in a hash table of another node, in one round trip: its NIC walks through the table.
 *
 *   ./lookup sim:0 sim:1 tern
 */
#include <stdio.h>
#include <string.h>

#include <tern/table.h>

enum { TABLE_BYTES = 16384, LOG2_BUCKETS = 4, ROOM = 256 };

static int fail(const char *what, int status)
{
    fprintf(stderr, "lookup: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* Fills a table, and allows other nodes to read it. */
static int offer(struct tern_device *device, void *memory, struct tern_table_pointer *out)
{
    static const char *const rows[][2] = {{"tern", "flies from pole to pole"},
                                          {"gull", "stays at the coast"}, {"auk", "dives"}};
    struct tern_region *region;
    struct tern_table table;
    int status = tern_table_init(&table, memory, TABLE_BYTES, LOG2_BUCKETS, ROOM);

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && !status; i++)
        status = tern_table_set(&table, rows[i][0], strlen(rows[i][0]), rows[i][1],
                                strlen(rows[i][1]));
    if (!status)
        status = tern_register(device, memory, TABLE_BYTES, TERN_RIGHT_REMOTE_READ, &region);
    if (!status)
        *out = (struct tern_table_pointer){
            .start = tern_region_pointer(region, 0), .log2_buckets = LOG2_BUCKETS};
    return status;
}

int main(int argc, char **argv)
{
    const char *key = argc > 3 ? argv[3] : "tern";
    static uint8_t memory[TABLE_BYTES] __attribute__((aligned(4096)));
    static uint8_t room[ROOM];
    struct tern_device *here, *there;
    struct tern_table_lookup lookup = {.hash = tern_table_hash(key, strlen(key)), .to = room,
                                       .room = ROOM};
    struct tern_table_record record;
    struct tern_region *region;
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int status;

    if (argc < 3) {
        fprintf(stderr, "usage: lookup URI URI [KEY]\n");
        return 2;
    }
    if ((status = tern_open(argv[2], &there)) < 0)
        return fail(argv[2], status);
    if ((status = offer(there, memory, &lookup.table)) < 0)
        return fail("table", status);
    if ((status = tern_open(argv[1], &here)) < 0)
        return fail(argv[1], status);
    if ((status = tern_register(here, room, ROOM, TERN_RIGHT_REMOTE_WRITE, &region)) < 0 ||
        (status = tern_cq_create(here, 4, 0, &cq)) < 0 || (status = tern_sq_create(cq, 4, &sq)) < 0)
        return fail("set up", status);

    lookup.region = region;
    status = tern_table_lookup(sq, &lookup, TERN_DFLAG_SIGNAL, 0);
    if (!status)
        status = tern_cq_next(cq, &done, -1);
    if (!status)
        status = -(int)done.status; /* NOT_FOUND if the table does not have the hash */
    if (!status) /* another key may have the same hash: compares the key */
        status = tern_table_record_read(room, ROOM, key, strlen(key), &record);
    if (status)
        return fail(key, status);
    printf("%s: %.*s\n", key, (int)record.value_bytes, (const char *)record.value);
    tern_close(here);
    tern_close(there);
    return 0;
}
