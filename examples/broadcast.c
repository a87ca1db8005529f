/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a text into the memory of all other nodes of a torus at once: one descriptor, and the NICs
 * copy the packets.
 *
 *   tern sim --torus 2x2x1 &
 *   ./broadcast sim:0.0.0 sim:1.0.0 sim:0.1.0 sim:1.1.0
 *
 * The first NIC is the origin, the others are all other nodes. A node becomes a member of the group
 * by registering memory under the group's key.
 */
#include <stdio.h>
#include <string.h>

#include <tern/group.h>

enum { BYTES = 64, MEMBERS_MAX = 31 };

static int fail(const char *what, int status)
{
    fprintf(stderr, "broadcast: %s: %s\n", what, tern_strerror(status));
    return 1;
}

int main(int argc, char **argv)
{
    static char copies[MEMBERS_MAX][BYTES], text[BYTES] = "the same to everyone";
    struct tern_device *origin, *members[MEMBERS_MAX];
    int count = argc - 2, status, same = 0;
    struct tern_region *region;
    struct tern_group *group;
    struct tern_info info;
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_sq *sq;
    uint32_t key;

    if (count < 1 || count > MEMBERS_MAX) {
        fprintf(stderr, "usage: broadcast ORIGIN MEMBER...\n");
        return 2;
    }
    if ((status = tern_open(argv[1], &origin)) < 0 || (status = tern_query(origin, &info)) < 0)
        return fail(argv[1], status);
    /* a high entry of the region tables is likely to be free */
    key = tern_group_key((uint16_t)(info.regions - 2), 7);
    for (int i = 0; i < count; i++) {
        const struct tern_region_attr memory = {.addr = copies[i], .bytes = BYTES,
                                                .member = true, .key = key};
        struct tern_region *place;

        if ((status = tern_open(argv[2 + i], &members[i])) < 0 ||
            (status = tern_register_with(members[i], &memory, &place)) < 0)
            return fail(argv[2 + i], status);
    }
    if ((status = tern_register(origin, text, BYTES, TERN_RIGHT_LOCAL_READ, &region)) < 0 ||
        (status = tern_cq_create(origin, 5, 0, &cq)) < 0 ||
        (status = tern_sq_create(cq, 4, &sq)) < 0 ||
        (status = tern_group_create(cq, tern_box_all(info.dims), key, BYTES, &group)) < 0)
        return fail("set up", status);

    if ((status = tern_group_open(group, NULL)) < 0) /* asks every member whether it is ready */
        return fail("a member", status);
    status = tern_bcast(sq, group, region, 0, BYTES, 0, TERN_DFLAG_SIGNAL, 0);
    if (!status)
        status = tern_cq_next(cq, &done, -1);
    if (!status)
        status = -(int)done.status; /* every member has the text */
    if (status)
        return fail("broadcast", status);
    for (int i = 0; i < count; i++)
        same += !strcmp(copies[i], text);
    printf("%d of %d members have \"%s\"\n", same, count, text);
    tern_group_destroy(group);
    for (int i = 0; i < count; i++)
        tern_close(members[i]);
    tern_close(origin);
    return same != count;
}
