/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs from files: which reader takes a file is decided by its first character. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { FILE_MAX = 1 << 28 };

static char *read_all(FILE *file, size_t *bytes)
{
    size_t room = 1 << 16, used = 0;
    char *text = NULL;

    for (;;) {
        char *grown = realloc(text, room + 1);

        if (!grown || room > FILE_MAX) {
            free(grown ? grown : text);
            errno = grown ? EFBIG : ENOMEM;
            return NULL;
        }
        text = grown;
        used += fread(text + used, 1, room - used, file);
        if (used < room)
            break;
        room *= 2;
    }
    text[used] = '\0';
    *bytes = used;
    return text;
}

int tern_dag_load(struct tern_dag *dag, const char *path, char *why, size_t room)
{
    FILE *file = fopen(path, "rbe");
    size_t bytes = 0, at = 0;
    char *text = file ? read_all(file, &bytes) : NULL;
    int status;

    if (file && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (!text)
        status = graph_why(-TERN_ST_SYSTEM, why, room, "%s: %s", path, strerror(errno));
    if (file)
        (void)fclose(file);
    if (!text)
        return status;
    while (at < bytes && isspace((unsigned char)text[at]))
        at++;
    if (strlen(text) < bytes)
        status = graph_why(-TERN_ST_PROTOCOL, why, room, "byte %zu is NUL", strlen(text));
    else if (text[at] == '{' || text[at] == '[')
        status = graph_read_json(dag, text, bytes, why, room);
    else
        status = graph_read_make(dag, text, why, room);
    free(text);
    return status;
}
