/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: calls_replay SVG NAME FOLDER [NAME FOLDER]...
 *
 * Plays streams of calls that record.c wrote through call caches of several sizes, one for each
 * queue, as the services would use them, and prints which part of the calls each size finds.  The
 * linker cuts off the posts (--wrap).  Writes a plot.
 */
#include <dirent.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/call.h>

#include "lab.h"
#include "lines.h"
#include "record.h"

enum { SIZES = 11, QUEUES = 256, NAMES = 4, WAYS = 4, LOG2_FIRST = 1 };

int __wrap_tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs,
                          const uint64_t *contexts, unsigned count);

int __wrap_tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs,
                          const uint64_t *contexts, unsigned count)
{
    (void)sq;
    (void)descs;
    (void)contexts;
    (void)count;
    return 0;
}

static struct lab lab;

/* All of a descriptor that makes it another call; bytes that each post copies do not. */
static uint64_t identity(const struct recorded *from)
{
    uint32_t words[TERN_DESC_BYTES / 4];
    uint64_t sum = from->flags;
    uint32_t opcode;

    memcpy(words, from->words, sizeof(words));
    opcode = (uint32_t)TERN_GET(DESC, opcode, words);
    if ((opcode == TERN_OP_PUT || opcode == TERN_OP_SEND) &&
        TERN_GET(DESC, flags, words) & TERN_DFLAG_INLINE)
        memset((uint8_t *)words + TERN_INLINE_OFFSET, 0, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, index, words, 0);
    for (unsigned i = 0; i < TERN_DESC_BYTES / 4; i++) {
        sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return sum;
}

/* The caches of a stream, one for each of its queues. */
struct replay {
    unsigned log2_sets;
    unsigned queues;
    uint64_t queue[QUEUES];
    struct tern_calls *calls[QUEUES];
    uint64_t hits, all;
};

static struct tern_calls *calls_of(struct replay *replay, uint64_t queue)
{
    struct tern_calls_config config = {.log2_sets = replay->log2_sets};
    unsigned i;

    for (i = 0; i < replay->queues; i++) {
        if (replay->queue[i] == queue)
            return replay->calls[i];
    }
    if (i == QUEUES)
        errx(1, "more than %d queues", QUEUES);
    lab_must(tern_calls_create(lab.origin.sq[0], &config, &replay->calls[i]), "tern_calls_create");
    replay->queue[i] = queue;
    replay->queues++;
    return replay->calls[i];
}

static void end_process(struct replay *replay)
{
    for (unsigned i = 0; i < replay->queues; i++) {
        struct tern_calls_counts counts;

        tern_calls_counts(replay->calls[i], &counts);
        replay->hits += counts.hits;
        replay->all += counts.hits + counts.misses;
        tern_calls_destroy(replay->calls[i]);
    }
    replay->queues = 0;
}

static void play(struct replay *replay, const char *path)
{
    struct tern_sge sge = {lab.origin.region, lab.origin.buffer, 8};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1,
                         .remote = tern_region_pointer(lab.target.region, 0)};
    struct recorded recorded;
    FILE *file = fopen(path, "rb");

    if (!file)
        err(1, "%s", path);
    while (fread(&recorded, sizeof(recorded), 1, file) == 1) {
        wr.compare = identity(&recorded);
        lab_must(tern_call(calls_of(replay, recorded.queue), &wr, NULL), "tern_call");
    }
    fclose(file);
    end_process(replay);
}

/* Each process of a run has a file. */
static double ratio(const char *folder, unsigned log2_sets, uint64_t *all)
{
    struct replay replay = {.log2_sets = log2_sets};
    DIR *dir = opendir(folder);
    char path[512];

    if (!dir)
        err(1, "%s", folder);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        play(&replay, path);
    }
    closedir(dir);
    *all = replay.all;
    return replay.all ? 100.0 * (double)replay.hits / (double)replay.all : 0;
}

int main(int argc, char **argv)
{
    static const char *const colours[NAMES] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd"};
    static double x[NAMES * SIZES], y[NAMES * SIZES];
    const char *text[NAMES];
    unsigned lines = 0;

    if (argc < 4 || argc > 2 + 2 * NAMES)
        errx(2, "usage: calls_replay SVG NAME FOLDER [NAME FOLDER]...");
    lab_open_tier(&lab, TERN_TIER_SOFT, 2, 0);
    lab_queues(&lab, 1);
    for (int i = 2; i + 1 < argc; i += 2, lines++) {
        text[lines] = argv[i];
        for (unsigned size = 0; size < SIZES; size++) {
            uint64_t all;
            double found = ratio(argv[i + 1], LOG2_FIRST + size, &all);

            x[lines * SIZES + size] = LOG2_FIRST + size + 2;
            y[lines * SIZES + size] = found;
            printf("bench call_hit_ratio_%s %.2f %% calls_in_table=%u calls=%llu\n", argv[i], found,
                   WAYS << (LOG2_FIRST + size), (unsigned long long)all);
        }
    }
    lab_close(&lab);
    const struct svg_lines plot = {.title = "Calls found in the table, by its size",
                                   .x_unit = "log2 of the calls that the table holds",
                                   .y_unit = "% of calls found",
                                   .lines = lines, .points = SIZES, .text = text,
                                   .colour = colours, .x = x, .y = y};
    if (!svg_draw_lines(argv[1], &plot))
        err(1, "%s", argv[1]);
    return 0;
}
