/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that packets damaged on the wire are counted and never deposited. A link resends a damaged
 * packet, and the put succeeds; where the link's checksums are right, the put ends with an error.
 * The next put succeeds.
 *
 * The scenario damages the first put packet on the link from node 0 to node 1, and recomputes the
 * checksums named by `seal`, so that only the damage itself can be detected.
 */
#define _GNU_SOURCE

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rig.h"

enum { BYTES = 256, AT = 1024, COUNTER = 3 };

struct spoiled {
    const char *id, *name;
    const char *fault;     /* what the scenario does to the packet */
    enum tern_stat counts; /* the statistic of node 1 that must increase */
    enum tern_status ends; /* status of the put */
};

static const struct spoiled cases[] = {
    {"A5.18", "damaged_payload_is_counted_by_the_link", "flip 0 X+ byte=40 mask=0x10 seal=0",
     TERN_STAT_link_bad_crc, TERN_ST_OK},
    {"A5.18", "damaged_header_is_counted_by_the_link", "flip 0 X+ byte=5 mask=0x01 seal=0",
     TERN_STAT_link_bad_header, TERN_ST_OK},
    {"A5.18", "bad_end_to_end_crc_is_counted", "flip 0 X+ byte=40 mask=0x10 seal=hl",
     TERN_STAT_rx_bad_crc, TERN_ST_TIMEOUT},
    {"A5.19", "unknown_type_is_counted", "set 0 X+ word=2 mask=0xff value=0x7f seal=hel",
     TERN_STAT_rx_bad_type, TERN_ST_TIMEOUT},
    {"A5.19", "unknown_version_is_counted",
     "set 0 X+ word=2 mask=0x0f000000 value=0x0e000000 seal=hel", TERN_STAT_rx_bad_type,
     TERN_ST_TIMEOUT},
    {"A5.20", "length_that_disagrees_is_counted",
     "set 0 X+ word=3 mask=0x7ff0000 value=0x400000 seal=hel", TERN_STAT_rx_bad_length,
     TERN_ST_TIMEOUT},
    {"A5.20", "size_that_disagrees_is_counted",
     "set 0 X+ word=0 mask=0x3fc0000 value=0x400000 seal=hel", TERN_STAT_link_bad_crc, TERN_ST_OK},
    {"A5.20", "length_too_long_is_counted",
     "set 0 X+ word=3 mask=0x7ff0000 value=0x7ff0000 seal=hel", TERN_STAT_rx_bad_length,
     TERN_ST_TIMEOUT},
    {"A5.20", "size_too_large_is_counted",
     "set 0 X+ word=0 mask=0x3fc0000 value=0x3fc0000 seal=hel", TERN_STAT_link_bad_header,
     TERN_ST_OK},
    {"A5.21", "destination_outside_the_torus_is_counted",
     "set 0 X+ word=0 mask=0x7fff value=30 seal=hel", TERN_STAT_link_bad_header, TERN_ST_OK},
};

static bool write_scenario(const char *path, const char *fault)
{
    FILE *file = fopen(path, "w");
    bool good = file && fprintf(file, "at 0 %s type=1\n", fault) > 0;

    return file && !fclose(file) && good;
}

static void spoil(const struct spoiled *spoiled)
{
    char path[] = "/tmp/tern-wire-XXXXXX";
    int fd = mkstemp(path);
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT];
    enum tern_status first, second;
    struct rig rig;
    struct rig_end from, to;
    uint64_t counted;
    bool untouched;

    if (fd < 0 || close(fd) || !write_scenario(path, spoiled->fault)) {
        tap(false, "%s (no scenario)", spoiled->name);
        return;
    }
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", "--scenario", path, NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    rig_fill(from.buffer, RIG_BUFFER, COUNTER);
    (void)tern_stats(to.device, before);
    first = rig_put(&from, &to, AT, BYTES);
    (void)tern_stats(to.device, after);
    untouched = spoiled->ends == TERN_ST_OK ? !memcmp(to.buffer + AT, from.buffer + AT, BYTES) :
                to.buffer[AT] == 0 && !memcmp(to.buffer + AT, to.buffer + AT + 1, BYTES - 1);
    counted = after[spoiled->counts] - before[spoiled->counts];
    second = rig_put(&from, &to, AT, BYTES);
    tap_evidence(spoiled->id, "status=%u counted=%" PRIu64 " untouched=%d next=%u", first, counted,
                 untouched, second);
    tap(first == spoiled->ends && counted == 1 && untouched && second == TERN_ST_OK &&
            !memcmp(to.buffer + AT, from.buffer + AT, BYTES),
        "%s", spoiled->name);
    rig_end_close(&from);
    rig_end_close(&to);
    rig_stop(&rig);
    unlink(path);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        spoil(&cases[i]);
    return tap_end();
}
