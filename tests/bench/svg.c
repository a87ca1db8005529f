/* SPDX-License-Identifier: Apache-2.0 */
#include "svg.h"

#include <math.h>

enum {
    WIDTH = 860,
    LEFT = 130,  /* room for the names of bars */
    RIGHT = 70,  /* and for their sums */
    TOP = 50,
    BAR = 22,
    GAP = 10,
    LEGEND_COLUMN = 180,
    LEGEND_COLUMNS = 4,
    LEGEND_LINE = 20,
};

FILE *svg_open(const char *path, int width, int height)
{
    FILE *svg = fopen(path, "w");

    if (!svg)
        return NULL;
    fprintf(svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "font-family=\"sans-serif\" font-size=\"13\">\n",
            width, height);
    svg_box(svg, 0, 0, width, height, "white");
    return svg;
}

bool svg_close(FILE *svg)
{
    bool good;

    fputs("</svg>\n", svg);
    good = !ferror(svg);
    return fclose(svg) == 0 && good;
}

void svg_box(FILE *svg, double x, double y, double width, double height, const char *colour)
{
    fprintf(svg, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y,
            width, height, colour);
}

void svg_text(FILE *svg, double x, double y, enum svg_anchor anchor, const char *text)
{
    static const char *const anchors[] = { "start", "middle", "end" };

    fprintf(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchors[anchor]);
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", svg);
        else if (*text == '&')
            fputs("&amp;", svg);
        else
            fputc(*text, svg);
    }
    fputs("</text>\n", svg);
}

/* ---- bars ---- */

static double sum_of(const struct svg_bars *bars, unsigned bar)
{
    double sum = 0;

    for (unsigned i = 0; i < bars->parts; i++)
        sum += bars->value[bar * bars->parts + i];
    return sum;
}

/* Returns the step of an axis up to `most`: 1, 2 or 5 times a power of ten, at most six steps. */
double svg_step(double most)
{
    double power = pow(10, floor(log10(most / 5)));

    for (int factor = 1; factor <= 5; factor += factor == 1 ? 1 : 3)
        if (most / (power * factor) <= 6)
            return power * factor;
    return power * 10;
}

static void draw_scale(FILE *svg, const struct svg_bars *bars, double most, double bottom)
{
    double step = svg_step(most);
    char text[64];

    for (double at = 0; at <= most * 1.0001; at += step) {
        double x = LEFT + at / most * (WIDTH - LEFT - RIGHT);

        svg_box(svg, x, TOP - 8, 1, bottom - TOP + 8, "#cccccc");
        snprintf(text, sizeof(text), "%g", at);
        svg_text(svg, x, bottom + 16, SVG_MIDDLE, text);
    }
    svg_text(svg, WIDTH - RIGHT, bottom + 34, SVG_END, bars->unit);
}

static void draw_bar(FILE *svg, const struct svg_bars *bars, unsigned bar, double most)
{
    double y = TOP + bar * (BAR + GAP), x = LEFT;
    char text[32];

    svg_text(svg, LEFT - 8, y + 16, SVG_END, bars->bar_text[bar]);
    for (unsigned i = 0; i < bars->parts; i++) {
        double width = bars->value[bar * bars->parts + i] / most * (WIDTH - LEFT - RIGHT);

        if (width > 0)
            svg_box(svg, x, y, width, BAR, bars->part_colour[i]);
        x += width;
    }
    snprintf(text, sizeof(text), "%.3g", sum_of(bars, bar));
    svg_text(svg, x + 6, y + 16, SVG_BEGIN, text);
}

static void draw_legend(FILE *svg, const struct svg_bars *bars, double top)
{
    for (unsigned i = 0; i < bars->parts; i++) {
        double x = 40 + i % LEGEND_COLUMNS * LEGEND_COLUMN;
        double y = top + i / LEGEND_COLUMNS * LEGEND_LINE;

        svg_box(svg, x, y - 11, 13, 13, bars->part_colour[i]);
        svg_text(svg, x + 20, y, SVG_BEGIN, bars->part_text[i]);
    }
}

bool svg_draw_bars(const char *path, const struct svg_bars *bars)
{
    unsigned legend_lines = (bars->parts + LEGEND_COLUMNS - 1) / LEGEND_COLUMNS;
    double bottom = TOP + bars->bars * (BAR + GAP), most = 0;
    FILE *svg = svg_open(path, WIDTH, (int)bottom + 60 + (int)legend_lines * LEGEND_LINE);

    if (!svg)
        return false;
    for (unsigned i = 0; i < bars->bars; i++)
        most = fmax(most, sum_of(bars, i));
    if (most <= 0)
        most = 1;
    svg_text(svg, WIDTH / 2.0, 24, SVG_MIDDLE, bars->title);
    draw_scale(svg, bars, most, bottom);
    for (unsigned i = 0; i < bars->bars; i++)
        draw_bar(svg, bars, i, most);
    draw_legend(svg, bars, bottom + 60);
    return svg_close(svg);
}
