/* SPDX-License-Identifier: Apache-2.0 */
/* When each node ran, and at which worker: for Chrome's trace viewer, or as a picture. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { UNIT_US = 10, WIDTH = 1000, ROW = 18, BAR = 14, LEFT = 90, WORKERS_MAX = 256 };

struct tracing {
    struct tern_run *run;
    FILE *file;
    bool svg;
    uint32_t workers[WORKERS_MAX]; /* node, and process */
    unsigned count;
    uint64_t last; /* microseconds */
};

static bool time_of(const struct tern_run *run, uint32_t node, struct dag_time *time)
{
    const struct dag_home *home = &run->homes[run_home_of(run, node)];

    memcpy(time,
           home->copy + (home->head.times - home->offset) +
               (size_t)run_place_of(run, node) * sizeof(*time),
           sizeof(*time));
    return time->ended != 0;
}

static unsigned row_of(struct tracing *t, const struct dag_time *time)
{
    uint32_t name = (uint32_t)time->node << 16 | time->process;
    unsigned row = 0;

    while (row < t->count && t->workers[row] != name)
        row++;
    if (row == WORKERS_MAX)
        return WORKERS_MAX - 1;
    if (row == t->count)
        t->workers[t->count++] = name;
    return row;
}

static void collect(struct tracing *t)
{
    struct dag_time time;

    for (uint32_t i = 0; i + 1 < t->run->nodes; i++)
        if (time_of(t->run, i, &time)) {
            uint64_t end = (uint64_t)time.ended * UNIT_US;

            (void)row_of(t, &time);
            t->last = end > t->last ? end : t->last;
        }
}

/* ---- names, by the records of the nodes */

static void put_character(const struct tracing *t, unsigned char c)
{
    bool apart = c < ' ' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&';

    if (!apart)
        (void)fputc(c, t->file);
    else if (!t->svg)
        (void)fprintf(t->file, "\\u%04x", c);
    else if (c >= ' ')
        (void)fprintf(t->file, "&#%u;", c);
}

/* A record that is no longer there leaves the number of the node. */
static void put_name(const struct tracing *t, uint32_t node)
{
    char name[TERN_DAG_NAME];

    if (tern_dag_node_name(t->run, node, name, sizeof(name)) != 0)
        (void)snprintf(name, sizeof(name), "%u", node);
    for (const char *c = name; *c; c++)
        put_character(t, (unsigned char)*c);
}

/* ---- pictures */

static void write_chrome(struct tracing *t)
{
    const char *comma = "";
    struct dag_time time;

    (void)fputs("{\"traceEvents\":[\n", t->file);
    for (uint32_t i = 0; i + 1 < t->run->nodes; i++) {
        if (!time_of(t->run, i, &time))
            continue;
        (void)fprintf(t->file, "%s{\"name\":\"", comma);
        put_name(t, i);
        (void)fprintf(t->file,
                      "\",\"cat\":\"node\",\"ph\":\"X\",\"ts\":%llu,\"dur\":%llu,"
                      "\"pid\":%u,\"tid\":%u,\"args\":{\"node\":%u,\"attempt\":%u}}",
                      (unsigned long long)(time.begun - 1) * UNIT_US,
                      (unsigned long long)(time.ended - time.begun) * UNIT_US, time.node,
                      time.process, i, time.attempt);
        comma = ",\n";
    }
    (void)fputs("\n]}\n", t->file);
}

static void write_svg(struct tracing *t)
{
    double scale = (double)WIDTH / (double)(t->last ? t->last : 1);
    struct dag_time time;
    char node[TERN_NODE_TEXT];

    (void)fprintf(t->file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
                  "font-family=\"sans-serif\" font-size=\"11\">\n",
                  LEFT + WIDTH + ROW, (t->count + 2) * ROW);
    for (unsigned i = 0; i < t->count; i++)
        (void)fprintf(t->file, "<text x=\"4\" y=\"%u\">%s %u</text>\n", (i + 1) * ROW - 4,
                      tern_node_format((uint16_t)(t->workers[i] >> 16), node),
                      t->workers[i] & 0xffff);
    for (uint32_t i = 0; i + 1 < t->run->nodes; i++) {
        double begun, length;

        if (!time_of(t->run, i, &time))
            continue;
        begun = (double)(time.begun - 1) * UNIT_US * scale;
        length = (double)(time.ended - time.begun) * UNIT_US * scale;
        (void)fprintf(t->file,
                      "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"%s\" "
                      "stroke=\"white\" stroke-width=\"0.3\"><title>",
                      LEFT + begun, row_of(t, &time) * ROW + 2, length > 0.5 ? length : 0.5, BAR,
                      time.attempt > 1 ? "#d08030" : "#4070b0");
        put_name(t, i);
        (void)fputs("</title></rect>\n", t->file);
    }
    (void)fprintf(t->file, "<text x=\"%d\" y=\"%u\">0</text><text x=\"%d\" y=\"%u\" "
                           "text-anchor=\"end\">%.3f s</text>\n</svg>\n",
                  LEFT, (t->count + 1) * ROW, LEFT + WIDTH, (t->count + 1) * ROW,
                  (double)t->last / 1e6);
}

int tern_dag_trace(struct tern_run *run, const char *path)
{
    struct tracing t = {.run = run, .file = fopen(path, "we")};
    size_t length = strlen(path);
    int status;

    if (!t.file)
        return -TERN_ST_SYSTEM;
    collect(&t);
    t.svg = length > 4 && !strcmp(path + length - 4, ".svg");
    if (t.svg)
        write_svg(&t);
    else
        write_chrome(&t);
    status = ferror(t.file) ? -TERN_ST_SYSTEM : 0;
    return fclose(t.file) ? -TERN_ST_SYSTEM : status;
}
