/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A netlist of a board's whole top gets the pins that its RTL got, step by step, and must answer
 * alike: reads a record of `tern-board-BOARD --record` from the standard input (pins.h).
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "pins.h"

enum { STEPS = 4096, SHOWN = 6 };

static uint64_t record[STEPS];

int main(void)
{
    struct tern_board *board = tern_board_new();
    struct tern_board_pins pins = {0};
    uint64_t steps = 0, different = 0;
    size_t count;

    if (board == NULL) {
        printf("Bail out! no memory\n");
        return EXIT_FAILURE;
    }
    while ((count = fread(record, sizeof *record, STEPS, stdin)) > 0)
        for (size_t i = 0; i < count; i++, steps++) {
            board_pins_drive(&pins, record[i]);
            tern_board_step(board, &pins);
            if (board_pins_word(&pins) == record[i])
                continue;
            if (different++ < SHOWN)
                printf("# step %" PRIu64 ": RTL %09" PRIx64 ", netlist %09" PRIx64 "\n", steps,
                       record[i], board_pins_word(&pins));
        }
    printf("steps %" PRIu64 " different %" PRIu64 "\n", steps, different);
    tern_board_free(board);
    return steps > 0 && different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
