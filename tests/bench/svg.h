/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes plots: boxes, lines of text, and bars made of them.
 */
#ifndef TERN_BENCH_SVG_H
#define TERN_BENCH_SVG_H

#include <stdbool.h>
#include <stdio.h>

/* A drawing of `width` by `height` points on white; NULL and errno when it cannot be made. */
FILE *svg_open(const char *path, int width, int height);

/* False when something could not be written. */
bool svg_close(FILE *svg);

void svg_box(FILE *svg, double x, double y, double width, double height, const char *colour);

/* `x` is the text's begin, middle or end; `text` is printed as it is, with < and & as names. */
enum svg_anchor { SVG_BEGIN, SVG_MIDDLE, SVG_END };
void svg_text(FILE *svg, double x, double y, enum svg_anchor anchor, const char *text);

/* Step of a scale from 0 to `most`: 1, 2 or 5 times a power of ten. */
double svg_step(double most);

/* Bars that lie on top of each other, one below the other, each of several parts. */
struct svg_bars {
    const char *title, *unit;
    unsigned bars, parts;
    const char *const *bar_text;
    const char *const *part_text;
    const char *const *part_colour;
    const double *value; /* [bars][parts], not negative */
};

/* Draws them with a scale and a legend; false and errno when that fails. */
bool svg_draw_bars(const char *path, const struct svg_bars *bars);

#endif
