/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the parts of the `tern` command. A subcommand gets its own arguments and returns the
 * exit status.
 */
#ifndef TERN_TOOL_H
#define TERN_TOOL_H

#include <argp.h>
#include <stdio.h>
#include <tern/tern.h>

#include "exits.h"

int cmd_sim(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_log(int argc, char **argv);
int cmd_put(int argc, char **argv);
int cmd_recv(int argc, char **argv);
int cmd_send_file(int argc, char **argv);
int cmd_recv_file(int argc, char **argv);
int cmd_bcast(int argc, char **argv);
int cmd_lock(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_cached(int argc, char **argv);
int cmd_table(int argc, char **argv);
int cmd_alloc(int argc, char **argv);
int cmd_collective(int argc, char **argv);
int cmd_dag(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_probe(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_bridge(int argc, char **argv);
int cmd_profile(int argc, char **argv);

/* Prints what failed and why to stderr; returns EXIT_BAD. */
int tool_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints why `uri` could not be opened, and a hint; returns EXIT_BAD. */
int tool_fail_open(int status, const char *uri);

/* Opens `uri`, or prints why not and returns NULL. */
struct tern_device *tool_open(const char *uri);

/* Returns the URI of a subcommand without other arguments. Exits on wrong usage. */
const char *tool_uri_argument(int argc, char **argv, const char *text);

/* Parses a number with optional k, m, g (powers of 1024); exits on bad input. */
uint64_t tool_number(struct argp_state *state, const char *text, uint64_t limit);

/* Parses a number of seconds. */
int tool_timeout_ms(struct argp_state *state, const char *text);

/* Returns the argument, if it is the only one; exits when it is not. */
const char *tool_only(struct argp_state *state, const char *text);

/* The keys f and t: the NIC that puts, and the target; both are required. */
struct tool_ends {
    const char *from, *to;
};

error_t tool_parse_ends(int key, char *arg, struct argp_state *state, struct tool_ends *ends);

/* Writes figures to `file`, unless that is NULL. 0, or EXIT_BAD after printing the reason. */
int tool_report(const char *file, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Returns the URIs of the NICs of the running simulator, in order, for the caller to free. Returns
 * how many, or -1 after printing why there are none.
 */
int tool_nics(char ***uris);
void tool_nics_free(char **uris, int count);

/* Formats the links of the device that are down, " (link X+ of node 0.0.0 is down)", or "". */
char *tool_links_down(struct tern_device *device, char *text, size_t bytes);

#endif
