/* SPDX-License-Identifier: Apache-2.0 */
/* See flame.h. */
#include "flame.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

enum {
    WIDTH = 1200,
    MARGIN = 10,
    ROW = 18,   /* height of a row */
    FRAME = 17, /* height of a frame */
    HEAD = 60,  /* above the frames */
    LEGEND = 24 /* below them */
};

#define LETTER 7.3   /* width of a letter */
#define NARROWEST 0.2 /* minimum width of a frame to be drawn, with the frames above it */

struct picture {
    const struct calls *calls;
    const uint64_t *total;
    FILE *file;
    unsigned deepest; /* maximum number of frames in a column */
};

static double width_of(const struct picture *picture, uint32_t node)
{
    return (double)picture->total[node] * (WIDTH - 2 * MARGIN) / (double)picture->total[0];
}

/* Writes text, escaped for XML. */
static void put_text(FILE *file, const char *text, size_t length)
{
    for (; *text != 0 && length > 0; text++, length--) {
        switch (*text) {
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '&':
            fputs("&amp;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc((unsigned char)*text < ' ' ? '?' : *text, file);
            break;
        }
    }
}

/* Chooses a colour by the function's name, the same in every picture; paler if inlined. */
static void put_colour(const struct picture *picture, const struct calls_node *node)
{
    const char *name = calls_name(picture->calls, node);
    bool inlined = node->scope >= 0 &&
                   picture->calls->program->scope[node->scope].parent != PROGRAM_NONE;
    uint32_t hash = 2166136261u;

    for (; *name != 0; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    if (node->scope < 0)
        fputs("hsl(0,0%,80%)", picture->file);
    else
        fprintf(picture->file, "hsl(%u,%s,%u%%)", hash % 60, inlined ? "75%" : "90%",
                (inlined ? 76 : 60) + (hash >> 8) % 8);
}

static void put_frame(const struct picture *picture, uint32_t at, double x, unsigned depth)
{
    const struct calls_node *node = &picture->calls->node[at];
    const char *name = calls_name(picture->calls, node);
    double width = width_of(picture, at);
    double y = HEAD + (double)(picture->deepest - 1 - depth) * ROW;
    size_t letters = width > 6 ? (size_t)((width - 6) / LETTER) : 0;

    fputs("<g><title>", picture->file);
    put_text(picture->file, name, SIZE_MAX);
    fprintf(picture->file,
            ": %" PRIu64 " cycles, %.1f %% of busy; %" PRIu64
            " of its own</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\" fill=\"",
            picture->total[at],
            100.0 * (double)picture->total[at] / (double)picture->total[0], node->cycles, x, y,
            width, FRAME);
    put_colour(picture, node);
    fputs("\"/>", picture->file);
    if (letters >= 3) {
        bool whole = strlen(name) <= letters;

        fprintf(picture->file, "<text x=\"%.2f\" y=\"%.0f\">", x + 3, y + 13);
        put_text(picture->file, name, whole ? letters : letters - 2);
        fprintf(picture->file, "%s</text>", whole ? "" : "..");
    }
    fputs("</g>\n", picture->file);
}

static void put_frames(const struct picture *picture, uint32_t node, double x, unsigned depth)
{
    put_frame(picture, node, x, depth);
    for (uint32_t at = picture->calls->node[node].child; at != 0;
         at = picture->calls->node[at].sibling) {
        if (width_of(picture, at) >= NARROWEST)
            put_frames(picture, at, x, depth + 1);
        x += width_of(picture, at);
    }
}

static unsigned depth_of(const struct picture *picture, uint32_t node)
{
    unsigned deepest = 0;

    for (uint32_t at = picture->calls->node[node].child; at != 0;
         at = picture->calls->node[at].sibling) {
        unsigned depth = width_of(picture, at) >= NARROWEST ? depth_of(picture, at) : 0;

        if (depth > deepest)
            deepest = depth;
    }
    return deepest + 1;
}

static void put_picture(struct picture *picture, const char *title)
{
    unsigned height;

    picture->deepest = picture->total[0] > 0 ? depth_of(picture, 0) : 1;
    height = HEAD + picture->deepest * ROW + LEGEND;
    fprintf(picture->file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" "
            "viewBox=\"0 0 %d %u\" font-family=\"monospace\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"#fffdf8\"/>\n"
            "<text x=\"%d\" y=\"24\" font-size=\"16\">",
            WIDTH, height, WIDTH, height, MARGIN);
    put_text(picture->file, title, SIZE_MAX);
    fprintf(picture->file,
            "</text>\n<text x=\"%d\" y=\"44\" fill=\"#555\">%" PRIu64
            " busy cycles (sleep is left out); width is cycles, each frame stands on its "
            "caller; pale frames are inlined</text>\n",
            MARGIN, picture->total[0]);
    if (picture->total[0] > 0)
        put_frames(picture, 0, MARGIN, 0);
    fputs("</svg>\n", picture->file);
}

static bool finish(FILE *file, const char *path)
{
    bool good = !ferror(file);

    errno = 0;
    good = fclose(file) == 0 && good;
    return good || profile_fail("%s: cannot be written%s%s", path, errno ? ": " : "",
                                errno ? strerror(errno) : "");
}

bool flame_write_svg(const struct calls *calls, const char *title, const char *path)
{
    uint64_t *total = calls_totals(calls);
    struct picture picture = {.calls = calls, .total = total};

    if (total == NULL)
        return false;
    picture.file = fopen(path, "w");
    if (picture.file != NULL)
        put_picture(&picture, title);
    free(total);
    if (picture.file == NULL)
        return profile_fail("%s: %s", path, strerror(errno));
    return finish(picture.file, path);
}

/* ---- folded ---- */

static void put_path(const struct calls *calls, uint32_t node, FILE *file)
{
    uint32_t parent = calls->node[node].parent;

    if (parent != 0) {
        put_path(calls, parent, file);
        fputc(';', file);
    }
    fputs(calls_name(calls, &calls->node[node]), file);
}

static void put_paths(const struct calls *calls, uint32_t node, FILE *file)
{
    if (node != 0 && calls->node[node].cycles > 0) {
        put_path(calls, node, file);
        fprintf(file, " %" PRIu64 "\n", calls->node[node].cycles);
    }
    for (uint32_t at = calls->node[node].child; at != 0; at = calls->node[at].sibling)
        put_paths(calls, at, file);
}

bool flame_write_folded(const struct calls *calls, const char *path)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        return profile_fail("%s: %s", path, strerror(errno));
    put_paths(calls, 0, file);
    return finish(file, path);
}
