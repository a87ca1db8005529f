/* SPDX-License-Identifier: Apache-2.0
 *
 * The stored output of the test programs' last run (tests/run.sh).
 *
 * All logs are read once and live until the process ends.
 */
#ifndef TERN_TAPLOG_H
#define TERN_TAPLOG_H

#include <stdbool.h>
#include <stddef.h>

enum tap_result { TAP_OK, TAP_NOT_OK, TAP_SKIPPED };

/* A test: its description with `_` for each space. */
struct tap_test {
    char *name;
    enum tap_result result;
};

/* A recorded value: `# evidence ID key=value`. */
struct tap_evidence {
    char *id;
    char *key;
    char *value;
    size_t after; /* number of test lines before it */
};

/* The kinds of nodes that a program ran, as bits. */
enum tap_tier { TIER_TREE = 1, TIER_HOST = 2, TIER_SOFT = 4, TIER_RTL = 8 };

/* One program's log. */
struct tap_log {
    char *group;
    char *program;
    bool ended_well; /* exit status 0, plan fulfilled, no failure */
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
 * Reads each DIR/<group>/<program>.tap, its .result, and .tiers, to which each node of the program
 * has written its tier. A program without nodes has the tier of its group: host for unit, rtl for
 * rtl, else the tree. Without DIR there are no logs. Ends the process when memory runs out.
 */
void tap_logs_read(struct tap_logs *logs, const char *dir);

/*
 * Returns value number `skip` in the log for an id, key and test, or NULL. A program prints
 * evidence either before its test or after it. If there is none at that place, evidence at the
 * other place counts; if there is none either, all evidence with that id and key does.
 */
const char *tap_log_evidence(const struct tap_log *log, const char *id, const char *key,
                             size_t test, size_t skip);

#endif
