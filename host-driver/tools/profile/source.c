/* SPDX-License-Identifier: Apache-2.0 */
/* See source.h. */
#include "source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns line `number` of the file, without its indentation, in *buffer. */
static const char *read_line(FILE *file, int number, char **buffer, size_t *room)
{
    const char *text = NULL;

    while (number-- > 0) {
        if (getline(buffer, room, file) < 0)
            return NULL;
        text = *buffer;
    }
    while (text != NULL && isspace((unsigned char)*text))
        text++;
    return text;
}

/* Prints text; each byte that is not one column of text becomes a blank. */
static void print_text(const char *text, unsigned room)
{
    size_t length = strcspn(text, "\r\n");

    for (size_t i = 0; i < length && i < room; i++)
        putchar(isprint((unsigned char)text[i]) ? text[i] : ' ');
}

void source_print(const struct program_file *file, int line, unsigned indent, unsigned columns)
{
    FILE *source = fopen(file->path, "r");
    char *buffer = NULL;
    const char *text = NULL;
    size_t room = 0;

    if (source == NULL)
        source = fopen(file->name, "r");
    if (source == NULL)
        return;
    text = read_line(source, line, &buffer, &room);
    if (text != NULL && *text != 0) {
        printf("%*s", (int)indent, "");
        print_text(text, columns > indent ? columns - indent : 0);
        putchar('\n');
    }
    free(buffer);
    fclose(source);
}
