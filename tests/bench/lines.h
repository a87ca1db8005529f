/* SPDX-License-Identifier: Apache-2.0
 *
 * Line plots of several values y over x.
 */
#ifndef TERN_BENCH_LINES_H
#define TERN_BENCH_LINES_H

#include "svg.h"

struct svg_lines {
    const char *title, *x_unit, *y_unit;
    unsigned lines, points;
    const char *const *text;
    const char *const *colour;
    const double *x, *y;    /* [lines][points], not negative, x growing */
    bool log_x, log_y;      /* a logarithmic scale; every value is 1 or more */
    double limit;           /* a horizontal line; 0: none */
    const char *limit_text;
};

/* Draws them with scales and a legend; false, with errno, on failure. */
bool svg_draw_lines(const char *path, const struct svg_lines *lines);

/* The same of several plots in one drawing, one below the other. */
bool svg_draw_plots(const char *path, const struct svg_lines *plots, unsigned count);

#endif
