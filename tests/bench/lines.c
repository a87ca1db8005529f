/* SPDX-License-Identifier: Apache-2.0 */
#include "lines.h"

#include <math.h>

enum {
    WIDTH = 860,
    HEIGHT = 460,
    LEFT = 70,
    RIGHT = 150, /* room for the legend */
    TOP = 50,
    BOTTOM = 60
};

struct frame {
    FILE *svg;
    double top; /* of the plot in the drawing */
    double most_x, most_y;
    bool log_x, log_y;
};

/* A share of the whole scale, 0 to 1. */
static double share(double value, double most, bool logarithmic)
{
    return logarithmic ? log2(value) / log2(most) : value / most;
}

static double across(const struct frame *frame, double x)
{
    return LEFT + share(x, frame->most_x, frame->log_x) * (WIDTH - LEFT - RIGHT);
}

static double up(const struct frame *frame, double y)
{
    return frame->top + HEIGHT - BOTTOM -
           share(y, frame->most_y, frame->log_y) * (HEIGHT - TOP - BOTTOM);
}

/* The mark after `at`: `step` further, or so many times as far. */
static double next_mark(double at, double step, bool logarithmic)
{
    return logarithmic ? at * step : at + step;
}

static void draw_scales(const struct frame *frame, const struct svg_lines *lines)
{
    double step_x = frame->log_x ? 2 : svg_step(frame->most_x);
    double step_y = frame->log_y ? 10 : svg_step(frame->most_y);
    double bottom = frame->top + HEIGHT - BOTTOM;
    char text[32];

    for (double x = frame->log_x; x <= frame->most_x * 1.0001;
         x = next_mark(x, step_x, frame->log_x)) {
        svg_box(frame->svg, across(frame, x), frame->top + TOP, 1, HEIGHT - TOP - BOTTOM,
                "#dddddd");
        snprintf(text, sizeof(text), "%g", x);
        svg_text(frame->svg, across(frame, x), bottom + 18, SVG_MIDDLE, text);
    }
    for (double y = frame->log_y; y <= frame->most_y * 1.0001;
         y = next_mark(y, step_y, frame->log_y)) {
        svg_box(frame->svg, LEFT, up(frame, y), WIDTH - LEFT - RIGHT, 1, "#dddddd");
        snprintf(text, sizeof(text), "%g", y);
        svg_text(frame->svg, LEFT - 8, up(frame, y) + 4, SVG_END, text);
    }
    svg_text(frame->svg, (LEFT + WIDTH - RIGHT) / 2.0, bottom + 42, SVG_MIDDLE, lines->x_unit);
    svg_text(frame->svg, LEFT, frame->top + TOP - 10, SVG_MIDDLE, lines->y_unit);
}

static void draw_line(const struct frame *frame, const struct svg_lines *lines, unsigned line)
{
    const double *x = lines->x + line * lines->points, *y = lines->y + line * lines->points;
    double legend = frame->top + TOP + 22.0 * line;

    fprintf(frame->svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
            lines->colour[line]);
    for (unsigned i = 0; i < lines->points; i++)
        fprintf(frame->svg, "%.1f,%.1f ", across(frame, x[i]), up(frame, y[i]));
    fputs("\"/>\n", frame->svg);
    svg_box(frame->svg, WIDTH - RIGHT + 16, legend, 13, 13, lines->colour[line]);
    svg_text(frame->svg, WIDTH - RIGHT + 36, legend + 11, SVG_BEGIN, lines->text[line]);
}

static void draw_plot(FILE *svg, double top, const struct svg_lines *lines)
{
    struct frame frame = { .svg = svg, .top = top, .most_y = lines->limit * 1.05,
                           .log_x = lines->log_x, .log_y = lines->log_y };

    for (unsigned i = 0; i < lines->lines * lines->points; i++) {
        frame.most_x = fmax(frame.most_x, lines->x[i]);
        frame.most_y = fmax(frame.most_y, lines->y[i]);
    }
    frame.most_x = fmax(frame.most_x, frame.log_x ? 2 : 0);
    frame.most_y = fmax(frame.most_y, frame.log_y ? 2 : 0);
    if (frame.most_x <= 0)
        frame.most_x = 1;
    if (frame.most_y <= 0)
        frame.most_y = 1;
    svg_text(svg, WIDTH / 2.0, top + 24, SVG_MIDDLE, lines->title);
    draw_scales(&frame, lines);
    for (unsigned line = 0; line < lines->lines; line++)
        draw_line(&frame, lines, line);
    if (lines->limit > 0) {
        svg_box(svg, LEFT, up(&frame, lines->limit), WIDTH - LEFT - RIGHT, 2, "#000000");
        svg_text(svg, WIDTH - RIGHT - 8, up(&frame, lines->limit) - 6, SVG_END,
                 lines->limit_text);
    }
}

bool svg_draw_plots(const char *path, const struct svg_lines *plots, unsigned count)
{
    FILE *svg = svg_open(path, WIDTH, (int)count * HEIGHT);

    if (!svg)
        return false;
    for (unsigned i = 0; i < count; i++)
        draw_plot(svg, (double)i * HEIGHT, &plots[i]);
    return svg_close(svg);
}

bool svg_draw_lines(const char *path, const struct svg_lines *lines)
{
    return svg_draw_plots(path, lines, 1);
}
