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
    double most_x, most_y;
};

static double across(const struct frame *frame, double x)
{
    return LEFT + x / frame->most_x * (WIDTH - LEFT - RIGHT);
}

static double up(const struct frame *frame, double y)
{
    return HEIGHT - BOTTOM - y / frame->most_y * (HEIGHT - TOP - BOTTOM);
}

static void draw_scales(const struct frame *frame, const struct svg_lines *lines)
{
    double step_x = svg_step(frame->most_x), step_y = svg_step(frame->most_y);
    char text[32];

    for (double x = 0; x <= frame->most_x * 1.0001; x += step_x) {
        svg_box(frame->svg, across(frame, x), TOP, 1, HEIGHT - TOP - BOTTOM, "#dddddd");
        snprintf(text, sizeof(text), "%g", x);
        svg_text(frame->svg, across(frame, x), HEIGHT - BOTTOM + 18, SVG_MIDDLE, text);
    }
    for (double y = 0; y <= frame->most_y * 1.0001; y += step_y) {
        svg_box(frame->svg, LEFT, up(frame, y), WIDTH - LEFT - RIGHT, 1, "#dddddd");
        snprintf(text, sizeof(text), "%g", y);
        svg_text(frame->svg, LEFT - 8, up(frame, y) + 4, SVG_END, text);
    }
    svg_text(frame->svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 18, SVG_MIDDLE, lines->x_unit);
    svg_text(frame->svg, LEFT, TOP - 10, SVG_MIDDLE, lines->y_unit);
}

static void draw_line(const struct frame *frame, const struct svg_lines *lines, unsigned line)
{
    const double *x = lines->x + line * lines->points, *y = lines->y + line * lines->points;

    fprintf(frame->svg, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"",
            lines->colour[line]);
    for (unsigned i = 0; i < lines->points; i++)
        fprintf(frame->svg, "%.1f,%.1f ", across(frame, x[i]), up(frame, y[i]));
    fputs("\"/>\n", frame->svg);
    svg_box(frame->svg, WIDTH - RIGHT + 16, TOP + 22.0 * line, 13, 13, lines->colour[line]);
    svg_text(frame->svg, WIDTH - RIGHT + 36, TOP + 22.0 * line + 11, SVG_BEGIN, lines->text[line]);
}

bool svg_draw_lines(const char *path, const struct svg_lines *lines)
{
    struct frame frame = { .svg = svg_open(path, WIDTH, HEIGHT), .most_y = lines->limit * 1.05 };

    if (!frame.svg)
        return false;
    for (unsigned i = 0; i < lines->lines * lines->points; i++) {
        frame.most_x = fmax(frame.most_x, lines->x[i]);
        frame.most_y = fmax(frame.most_y, lines->y[i]);
    }
    if (frame.most_x <= 0)
        frame.most_x = 1;
    if (frame.most_y <= 0)
        frame.most_y = 1;
    svg_text(frame.svg, WIDTH / 2.0, 24, SVG_MIDDLE, lines->title);
    draw_scales(&frame, lines);
    for (unsigned line = 0; line < lines->lines; line++)
        draw_line(&frame, lines, line);
    if (lines->limit > 0) {
        svg_box(frame.svg, LEFT, up(&frame, lines->limit), WIDTH - LEFT - RIGHT, 2, "#000000");
        svg_text(frame.svg, WIDTH - RIGHT - 8, up(&frame, lines->limit) - 6, SVG_END,
                 lines->limit_text);
    }
    return svg_close(frame.svg);
}
