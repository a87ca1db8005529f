/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of status codes, nodes, statistics and URIs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device.h"

const char *tern_strerror(int status)
{
    switch (status < 0 ? -status : status) {
#define STATUS(name, value, text)                                                                  \
    case value:                                                                                    \
        return text;
#include "tables.h"
    default:
        return "unknown status";
    }
}

uint16_t tern_node(unsigned x, unsigned y, unsigned z)
{
    return (uint16_t)((x & 31) | (y & 31) << 5 | (z & 31) << 10);
}

char *tern_node_format(uint16_t node, char *text)
{
    snprintf(text, TERN_NODE_TEXT, "%u.%u.%u", node & 31u, node >> 5 & 31u, node >> 10 & 31u);
    return text;
}

int tern_node_parse(const char *text, uint16_t *node, const char **end)
{
    unsigned coordinate[3] = {0, 0, 0};
    const char *at = text;

    for (int i = 0; i < 3; i++) {
        char *stop;
        unsigned long value;

        if (*at < '0' || *at > '9')
            return -TERN_ST_BAD_ARGUMENT;
        value = strtoul(at, &stop, 10);
        if (value > 31)
            return -TERN_ST_BAD_ARGUMENT;
        coordinate[i] = (unsigned)value;
        at = stop;
        if (*at != '.' || i == 2)
            break;
        at++;
    }
    if (!end && *at)
        return -TERN_ST_BAD_ARGUMENT;
    if (end)
        *end = at;
    *node = tern_node(coordinate[0], coordinate[1], coordinate[2]);
    return 0;
}

struct tern_rptr tern_rptr_add(struct tern_rptr pointer, uint64_t bytes)
{
    TERN_SET(RPTR, addr, pointer.w, TERN_GET(RPTR, addr, pointer.w) + bytes);
    return pointer;
}

uint32_t tern_version(void)
{
    return TERN_VERSION;
}

char *tern_rptr_format(struct tern_rptr pointer, char *text)
{
    snprintf(text, TERN_RPTR_TEXT, "%08" PRIx32 "%08" PRIx32 "%08" PRIx32 "%08" PRIx32,
             pointer.w[0], pointer.w[1],
             pointer.w[2], pointer.w[3]);
    return text;
}

int tern_rptr_parse(const char *text, struct tern_rptr *pointer, const char **end)
{
    static const char digits[] = "0123456789abcdef";
    struct tern_rptr read = {{0}};

    for (unsigned i = 0; i < TERN_RPTR_TEXT - 1; i++) {
        const char *digit = text[i] ? strchr(digits, text[i]) : NULL;

        if (!digit)
            return -TERN_ST_BAD_ARGUMENT;
        read.w[i / 8] = read.w[i / 8] << 4 | (uint32_t)(digit - digits);
    }
    if (!end && text[TERN_RPTR_TEXT - 1])
        return -TERN_ST_BAD_ARGUMENT;
    if (end)
        *end = text + TERN_RPTR_TEXT - 1;
    *pointer = read;
    return 0;
}

uint16_t tern_rptr_node(struct tern_rptr pointer)
{
    return (uint16_t)TERN_GET(RPTR, node, pointer.w);
}

int tern_sim_dir(char *path, size_t bytes)
{
    const char *dir = getenv("TERN_SIM_DIR");
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    int used;

    if (dir && *dir)
        used = snprintf(path, bytes, "%s", dir);
    else
        used = snprintf(path, bytes, "%s/tern-sim-%u", runtime && *runtime ? runtime : "/tmp",
                        (unsigned)getuid());
    return used < 0 || (size_t)used >= bytes ? -TERN_ST_BAD_SIZE : 0;
}

int tern_uri_path(const char *uri, char *path, size_t bytes)
{
    char node_text[TERN_NODE_TEXT];
    uint16_t node;
    size_t used;
    int wrote, status;

    if (strncmp(uri, "sim:", 4))
        return -TERN_ST_BAD_ARGUMENT;
    uri += 4;
    if (strchr(uri, '/')) {
        wrote = snprintf(path, bytes, "%s", uri);
        return (size_t)wrote >= bytes ? -TERN_ST_BAD_SIZE : 0;
    }
    status = tern_node_parse(uri, &node, NULL);
    if (!status)
        status = tern_sim_dir(path, bytes);
    if (status)
        return status;
    used = strlen(path);
    wrote = snprintf(path + used, bytes - used, "/nic-%s.sock", tern_node_format(node, node_text));
    return (size_t)wrote >= bytes - used ? -TERN_ST_BAD_SIZE : 0;
}
