/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern-board-BOARD: the verilated top of a board, its host link at a pseudo-terminal or a socket,
 * and a flash at its SPI pins.
 *
 * Prints where the line is, then runs until SIGINT or SIGTERM. Faults of the line, for tests,
 * concern whole frames: of a thousand, so many have a bit flipped, are lost, come twice, or are
 * overtaken. SIGUSR1 cuts the cable to the other board of a pair, SIGUSR2 mends it.
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exits.h"
#include "line.h"
#include "pins.h"
#include "spi_flash.h"
#include "tern_board.h"

enum {
    IDLE_AFTER = 30000, /* slices without a byte */
    IDLE_WAIT_MS = 10
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    if (number == SIGUSR1 || number == SIGUSR2)
        board_line_cut(number == SIGUSR1);
    else
        stop = 1;
}

static void handle_signals(int flags)
{
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);
}

struct bench {
    const char *contents, *firmware, *update, *record;
    FILE *out; /* the record of all pins; NULL: not wanted */
    struct board_line_options line;
    struct tern_board *board;
    struct tern_board_pins pins;
    struct board_flash flash;
    int prompt_ms;
    uint64_t steps;
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "tern-board-%s: %s%s%s\n", tern_board_name(), what, why != NULL ? ": " : "",
            why != NULL ? why : "");
    return false;
}

static const struct argp_option options[] = {
    {"firmware", 'f', "FILE", 0, "image of the firmware, for its place in the flash", 0},
    {"update", 'u', "FILE", 0, "image of the firmware, for its second place", 0},
    {"flash", 'c', "FILE", 0, "contents of the flash, before the images", 0},
    {"link", 'l', "PATH", 0,
     "make a symbolic link to the terminal there, or the socket; or an interface", 0},
    {"flip", 'F', "N", 0, "of 1000 frames, flip a bit of N", 0},
    {"lose", 'L', "N", 0, "of 1000 frames, lose N", 0},
    {"repeat", 'R', "N", 0, "of 1000 frames, repeat N", 0},
    {"swap", 'S', "N", 0, "of 1000 frames of Ethernet, let N be overtaken by the next one", 0},
    {"seed", 's', "N", 0, "of the faults", 0},
    {"first", '1', "PATH", 0, "node 0 of a pair; the socket PATH is the cable to the other board",
     0},
    {"second", '2', "PATH", 0, "node 1 of a pair", 0},
    {"record", 'r', "FILE", 0, "write the pins of each step there (pins.h)", 0},
    {"prompt", 'p', "MS", 0,
     "stop the board's time while the host has accesses to answer, up to MS for each", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct bench *bench = state->input;

    switch (key) {
    case 'f':
        bench->firmware = text;
        break;
    case 'u':
        bench->update = text;
        break;
    case 'c':
        bench->contents = text;
        break;
    case 'l':
        bench->line.path = text;
        break;
    case 'F':
        bench->line.flip = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'L':
        bench->line.lose = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'R':
        bench->line.repeat = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'S':
        bench->line.swap = (unsigned)strtoul(text, NULL, 10);
        break;
    case 's':
        bench->line.seed = strtoull(text, NULL, 10);
        break;
    case '1':
    case '2':
        bench->line.cable = text;
        bench->line.second = key == '2';
        break;
    case 'r':
        bench->record = text;
        break;
    case 'p':
        bench->prompt_ms = atoi(text);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static bool start(struct bench *bench)
{
    if (!board_flash_init(&bench->flash, BOARD_FLASH_BYTES, BOARD_FLASH_ID))
        return complain("out of memory", NULL);
    if (bench->contents != NULL && !board_flash_load(&bench->flash, 0, bench->contents))
        return complain(bench->contents, strerror(errno));
    if (bench->firmware != NULL &&
        !board_flash_load(&bench->flash, TERN_BOARD_FLASH_BASE, bench->firmware))
        return complain(bench->firmware, strerror(errno));
    if (bench->update != NULL &&
        !board_flash_load(&bench->flash, TERN_BOARD_FLASH_BASE + TERN_BOARD_SLOT_BYTES,
                          bench->update))
        return complain(bench->update, strerror(errno));
    bench->pins.first = bench->line.cable != NULL && !bench->line.second;
    bench->pins.second = bench->line.cable != NULL && bench->line.second;
    bench->board = tern_board_new();
    if (bench->board == NULL)
        return complain("out of memory", NULL);
    if (bench->record != NULL && (bench->out = fopen(bench->record, "wb")) == NULL)
        return complain(bench->record, strerror(errno));
    return board_line_open(&bench->line) || complain("the host's line", strerror(errno));
}

static void note_pins(const struct bench *bench)
{
    uint64_t word = board_pins_word(&bench->pins);

    fwrite(&word, sizeof word, 1, bench->out); /* an error shows when it is closed */
}

/* Runs a step; returns whether the board sends. */
static bool step(struct bench *bench)
{
    board_line_drive(&bench->pins);
    bench->pins.flash_miso = board_flash_step(&bench->flash, bench->pins.flash_select,
                                              bench->pins.flash_clock, bench->pins.flash_mosi);
    tern_board_step(bench->board, &bench->pins);
    if (bench->out != NULL)
        note_pins(bench);
    bench->steps++;
    return board_line_sense(&bench->pins);
}

/* Takes what has come; waits for answers if wanted. Returns whether anything has come. */
static bool take_input(const struct bench *bench, bool quiet)
{
    bool heard = board_line_input(quiet ? IDLE_WAIT_MS : 0);
    unsigned owed = board_line_owed(), before = owed + 1;

    while (bench->prompt_ms > 0 && owed > 0 && owed < before && !stop) {
        before = owed;
        heard |= board_line_input(bench->prompt_ms);
        owed = board_line_owed();
    }
    return heard;
}

static void run(struct bench *bench)
{
    unsigned quiet = 0;

    while (!stop) {
        bool heard = take_input(bench, quiet > IDLE_AFTER);
        bool sent = false;

        for (unsigned i = 0; i < board_line_slice; i++)
            sent |= step(bench);
        board_line_output();
        quiet = heard || sent ? 0 : quiet + 1;
    }
}

int main(int argc, char **argv)
{
    static struct bench bench = {.line.seed = 1};
    static const struct argp argp = {options, parse, NULL, "Runs a simulated board.", NULL, NULL,
                                     NULL};
    bool good;

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &bench);
    handle_signals(0);
    good = start(&bench);
    if (good) {
        /* Without SA_RESTART a signal would interrupt a write, and bytes of the record be lost. */
        handle_signals(SA_RESTART);
        run(&bench);
        printf("board: steps %llu", (unsigned long long)bench.steps);
        board_line_counts();
    }
    if (bench.out != NULL && (ferror(bench.out) | fclose(bench.out)) != 0)
        good = complain(bench.record, "the record is not whole");
    board_line_close();
    tern_board_free(bench.board);
    board_flash_fini(&bench.flash);
    return good ? EXIT_DONE : EXIT_BAD;
}
