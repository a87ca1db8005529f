/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes plots: boxes, lines of text, and bars made of them.
 */
#ifndef TERN_BENCH_SVG_H
#define TERN_BENCH_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* Opens a drawing of `width` by `height` points on white; NULL, with errno, on failure. */
FILE *svg_open(const char *path, int width, int height);

/* Returns false when something could not be written. */
bool svg_close(FILE *svg);

void svg_box(FILE *svg, double x, double y, double width, double height, const char *colour);

/*
 * Writes text. `x` is the position of its begin, middle or end; `text` must already have < and &
 * escaped.
 */
enum svg_anchor { SVG_BEGIN, SVG_MIDDLE, SVG_END };
void svg_text(FILE *svg, double x, double y, enum svg_anchor anchor, const char *text);

/* Returns the step of a scale from 0 to `most`: 1, 2 or 5 times a power of ten. */
double svg_step(double most);

/* Horizontal bars of several parts, one below the other. */
struct svg_bars {
    const char *title, *unit;
    unsigned bars, parts;
    const char *const *bar_text;
    const char *const *part_text;
    const char *const *part_colour;
    const double *value; /* [bars][parts], not negative */
};

/* Draws them with a scale and a legend; false, with errno, on failure. */
bool svg_draw_bars(const char *path, const struct svg_bars *bars);

#endif
