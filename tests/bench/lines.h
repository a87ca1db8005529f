/* SPDX-License-Identifier: Apache-2.0
 *
 * Plots of lines: one y over another x.
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
    double limit;           /* a level line across, 0 for none */
    const char *limit_text;
};

/* Draws them with scales and a legend; false and errno when that fails. */
bool svg_draw_lines(const char *path, const struct svg_lines *lines);

#endif
