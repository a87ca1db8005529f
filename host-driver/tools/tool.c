/* SPDX-License-Identifier: Apache-2.0 */
/* See tool.h. */
#define _GNU_SOURCE
#include "tool.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"

enum { TIMEOUT_S_MAX = 1000000 };

int tool_fail(int status, const char *format, ...)
{
    int error = errno;
    va_list arguments;

    fprintf(stderr, "tern: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    if (status == -TERN_ST_SYSTEM)
        fprintf(stderr, ": %s\n", strerror(error));
    else if (status)
        fprintf(stderr, ": %s\n", tern_strerror(status));
    else
        fprintf(stderr, "\n");
    return EXIT_BAD;
}

int tool_fail_open(int status, const char *uri)
{
    char dir[PATH_MAX];

    tool_fail(status, "cannot open %s", uri);
    if (status == -TERN_ST_BAD_ARGUMENT)
        fprintf(stderr,
                "tern: a NIC is named sim:X.Y.Z or sim:X (a node of the running simulator), or "
                "sim:PATH "
                        "(its socket)\n");
    if (status == -TERN_ST_NO_DEVICE && !strchr(uri, '/') && !tern_sim_dir(dir, sizeof(dir)))
        fprintf(stderr, "tern: `tern sim` puts its sockets into %s; `tern list` shows them\n", dir);
    return EXIT_BAD;
}

struct tern_device *tool_open(const char *uri)
{
    struct tern_device *device = NULL;
    int status = tern_open(uri, &device);

    if (status)
        tool_fail_open(status, uri);
    return device;
}

static error_t parse_uri(int key, char *arg, struct argp_state *state)
{
    if (key == ARGP_KEY_NO_ARGS || (key == ARGP_KEY_ARG && state->arg_num > 0))
        argp_usage(state);
    if (key != ARGP_KEY_ARG)
        return ARGP_ERR_UNKNOWN;
    *(const char **)state->input = arg;
    return 0;
}

const char *tool_uri_argument(int argc, char **argv, const char *text)
{
    const struct argp argp = {.parser = parse_uri, .args_doc = "URI", .doc = text};
    const char *uri = NULL;

    argp_parse(&argp, argc, argv, 0, NULL, &uri);
    return uri;
}

uint64_t tool_number(struct argp_state *state, const char *text, uint64_t limit)
{
    static const char units[] = "kmg";
    char *end;
    uint64_t value = strtoull(text, &end, 0);
    const char *unit = *end ? strchr(units, *end | 0x20) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

    if (end == text || *text == '-' || (*end && (!unit || end[1])) || value > limit >> shift)
        argp_error(state, "'%s' is not a number from 0 to %llu", text, (unsigned long long)limit);
    return value << shift;
}

int tool_timeout_ms(struct argp_state *state, const char *text)
{
    return (int)tool_number(state, text, TIMEOUT_S_MAX) * 1000;
}

const char *tool_only(struct argp_state *state, const char *text)
{
    if (state->arg_num > 0)
        argp_usage(state);
    return text;
}

error_t tool_parse_ends(int key, char *arg, struct argp_state *state, struct tool_ends *ends)
{
    switch (key) {
    case 'f':
        ends->from = arg;
        return 0;
    case 't':
        ends->to = arg;
        return 0;
    case ARGP_KEY_ARG:
        argp_usage(state);
        return 0;
    case ARGP_KEY_END:
        if (!ends->from || !ends->to)
            argp_error(state, "--from and --to are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int tool_report(const char *file, const char *format, ...)
{
    va_list arguments;
    FILE *out;

    if (!file)
        return 0;
    out = fopen(file, "w");
    if (!out)
        return tool_fail(-TERN_ST_SYSTEM, "cannot write %s", file);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    return fclose(out) ? tool_fail(-TERN_ST_SYSTEM, "cannot write %s", file) : 0;
}

static int is_socket_name(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);

    return !strncmp(entry->d_name, "nic-", 4) && length > 9 &&
           !strcmp(entry->d_name + length - 5, ".sock");
}

/* Converts "nic-0.0.0.sock" to "sim:0.0.0". */
static char *uri_of(const char *name)
{
    char *uri = NULL;

    return asprintf(&uri, "sim:%.*s", (int)(strlen(name) - 9), name + 4) < 0 ? NULL : uri;
}

int tool_nics(char ***uris)
{
    struct dirent **names;
    char dir[PATH_MAX];
    int count;

    if (tern_sim_dir(dir, sizeof(dir))) {
        tool_fail(0, "name of the simulator's folder is too long");
        return -1;
    }
    count = scandir(dir, &names, is_socket_name, versionsort);
    *uris = count > 0 ? calloc((size_t)count, sizeof(**uris)) : NULL;
    if (!*uris) {
        errno = count < 0 ? errno : ENOENT;
        tool_fail(-TERN_ST_SYSTEM, "no simulator in %s", dir);
        return -1;
    }
    for (int i = 0; i < count; i++) {
        (*uris)[i] = uri_of(names[i]->d_name);
        free(names[i]);
    }
    free(names);
    return count;
}

void tool_nics_free(char **uris, int count)
{
    for (int i = 0; i < count; i++)
        free(uris[i]);
    free(uris);
}

char *tool_links_down(struct tern_device *device, char *text, size_t bytes)
{
    char node[TERN_NODE_TEXT];
    struct tern_info info;
    size_t used = 0;

    text[0] = 0;
    if (tern_query(device, &info))
        return text;
    tern_node_format(info.node, node);
    for (unsigned port = 0; port < info.ports && port < TERN_PORTS; port++)
        if (!(info.links_up >> port & 1) && used < bytes)
            used += (size_t)snprintf(text + used, bytes - used, " (link %s of node %s is down)",
                                     tern_port_names[port], node);
    return text;
}
