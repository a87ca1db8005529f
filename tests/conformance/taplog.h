/* SPDX-License-Identifier: Apache-2.0
 *
 * The output of the test programs' last run, as tests/run.sh kept it.
 *
 * Everything is read once and lives until the process ends.
 */
#ifndef TERN_TAPLOG_H
#define TERN_TAPLOG_H

#include <stdbool.h>
#include <stddef.h>

enum tap_result { TAP_OK, TAP_NOT_OK, TAP_SKIPPED };

/* One test: its description with `_` for each space. */
struct tap_test {
    char *name;
    enum tap_result result;
};

/* One recorded value: `# evidence ID key=value`. */
struct tap_evidence {
    char *id;
    char *key;
    char *value;
    size_t after; /* how many test lines came before */
};

/* What nodes a program ran, as bits. */
enum tap_tier { TIER_TREE = 1, TIER_HOST = 2, TIER_SOFT = 4, TIER_RTL = 8 };

/* One program's log. */
struct tap_log {
    char *group;
    char *program;
    bool ended_well; /* exit status 0, as planned, nothing failed */
    unsigned tiers;  /* of enum tap_tier */
    bool evidence_first; /* the program prints evidence before the test that it is for */
    struct tap_test *tests;
    size_t test_count;
    struct tap_evidence *evidence;
    size_t evidence_count;
};

struct tap_logs {
    struct tap_log *logs;
    size_t count;
};

/*
 * Reads each DIR/<group>/<program>.tap with the .result beside it, and .tiers, in which each node
 * that the program made left its tier.  A program without nodes counts as that of its group: host
 * for unit, rtl for rtl, else the tree.  A DIR that is not there gives no logs.  Ends the process
 * when memory runs out.
 */
void tap_logs_read(struct tap_logs *logs, const char *dir);

/*
 * The `skip`th value that the log has for an id and key and test, or NULL.  A program prints
 * evidence either before its test or after it; if there is none at that place, that at the other,
 * and if there is none either, all of that id and key, count.
 */
const char *tap_log_evidence(const struct tap_log *log, const char *id, const char *key,
                             size_t test, size_t skip);

#endif
