/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern-board-BOARD: the verilated top of a board, its serial pins at a pseudo-terminal and a flash
 * at its SPI pins.
 *
 * Prints the terminal's name, then runs until SIGINT or SIGTERM. Faults of the line, for tests,
 * concern whole frames: of a thousand, so many have a bit flipped, are lost, or come twice.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "exits.h"
#include "faults.h"
#include "spi_flash.h"
#include "tern_board.h"
#include "uart.h"

enum {
    SLICE_CYCLES = 2000,   /* between two looks at the terminal */
    IDLE_AFTER = 3000000,  /* cycles without a byte */
    IDLE_WAIT_MS = 10,
    OUT_BYTES = 65536
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

struct bench {
    const char *firmware, *link;
    struct tern_board *board;
    struct tern_board_pins pins;
    struct board_flash flash;
    struct board_uart uart;
    struct board_faults down, up; /* to the board; to the host */
    unsigned flip, lose, repeat;
    uint64_t seed, cycle, quiet_since;
    int fd, slave;
    uint8_t out[OUT_BYTES];
    size_t out_bytes;
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "tern-board-%s: %s%s%s\n", tern_board_name(), what, why != NULL ? ": " : "",
            why != NULL ? why : "");
    return false;
}

static const struct argp_option options[] = {
    {"firmware", 'f', "FILE", 0, "image of the firmware, for its place in the flash", 0},
    {"link", 'l', "PATH", 0, "make a symbolic link to the terminal there", 0},
    {"flip", 'F', "N", 0, "of 1000 frames, flip a bit of N", 0},
    {"lose", 'L', "N", 0, "of 1000 frames, lose N", 0},
    {"repeat", 'R', "N", 0, "of 1000 frames, repeat N", 0},
    {"seed", 's', "N", 0, "of the faults", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct bench *bench = state->input;

    switch (key) {
    case 'f':
        bench->firmware = text;
        break;
    case 'l':
        bench->link = text;
        break;
    case 'F':
        bench->flip = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'L':
        bench->lose = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'R':
        bench->repeat = (unsigned)strtoul(text, NULL, 10);
        break;
    case 's':
        bench->seed = strtoull(text, NULL, 10);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- start ---- */

static bool open_terminal(struct bench *bench)
{
    struct termios mode;
    const char *name;

    bench->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (bench->fd < 0 || grantpt(bench->fd) != 0 || unlockpt(bench->fd) != 0)
        return complain("no pseudo-terminal", strerror(errno));
    name = ptsname(bench->fd);
    /* Held open, so that the terminal outlives its user; raw, so that it changes no byte. */
    bench->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (bench->slave < 0 || tcgetattr(bench->slave, &mode) != 0)
        return complain(name, strerror(errno));
    cfmakeraw(&mode);
    tcsetattr(bench->slave, TCSANOW, &mode);
    if (bench->link != NULL) {
        unlink(bench->link);
        if (symlink(name, bench->link) != 0)
            return complain(bench->link, strerror(errno));
    }
    printf("ready: %s, its serial line at %s\n", tern_board_name(), name);
    return fflush(stdout) == 0;
}

static bool start(struct bench *bench)
{
    if (!board_flash_init(&bench->flash))
        return complain("out of memory", NULL);
    if (bench->firmware != NULL &&
        !board_flash_load(&bench->flash, TERN_BOARD_FLASH_BASE, bench->firmware))
        return complain(bench->firmware, strerror(errno));
    bench->board = tern_board_new();
    if (bench->board == NULL)
        return complain("out of memory", NULL);
    board_uart_init(&bench->uart, TERN_BOARD_BAUD, TERN_BOARD_CLOCK_HZ);
    board_faults_init(&bench->down, bench->seed, bench->flip, bench->lose, bench->repeat);
    board_faults_init(&bench->up, bench->seed + 1, bench->flip, bench->lose, bench->repeat);
    return open_terminal(bench);
}

/* ---- run ---- */

static void step(struct bench *bench)
{
    uint8_t byte;

    bench->pins.serial_in = board_uart_send(&bench->uart);
    bench->pins.flash_miso = board_flash_step(&bench->flash, bench->pins.flash_select,
                                              bench->pins.flash_clock, bench->pins.flash_mosi);
    tern_board_step(bench->board, &bench->pins);
    bench->cycle++;
    if (!board_uart_receive(&bench->uart, bench->pins.serial_out, &byte))
        return;
    bench->quiet_since = bench->cycle;
    board_faults_byte(&bench->up, byte);
}

static void take_bytes(struct bench *bench, int timeout_ms)
{
    struct pollfd fd = {.fd = bench->fd, .events = POLLIN};
    uint8_t bytes[512];
    ssize_t count = 0;

    if (board_uart_room(&bench->uart) < sizeof bytes)
        return;
    if (timeout_ms > 0)
        poll(&fd, 1, timeout_ms);
    if (board_faults_room(&bench->down) >= sizeof bytes)
        count = read(bench->fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++)
        board_faults_byte(&bench->down, bytes[i]);
    if (count > 0)
        bench->quiet_since = bench->cycle;
    board_uart_queue(&bench->uart, &bench->down);
}

static void give_bytes(struct bench *bench)
{
    ssize_t sent;

    bench->out_bytes += board_faults_take(&bench->up, bench->out + bench->out_bytes,
                                          sizeof bench->out - bench->out_bytes);
    if (bench->out_bytes == 0)
        return;
    sent = write(bench->fd, bench->out, bench->out_bytes);
    if (sent <= 0)
        return;
    bench->out_bytes -= (size_t)sent;
    memmove(bench->out, bench->out + sent, bench->out_bytes);
}

static void run(struct bench *bench)
{
    while (!stop) {
        bool idle = bench->cycle - bench->quiet_since > IDLE_AFTER;

        take_bytes(bench, idle ? IDLE_WAIT_MS : 0);
        for (unsigned i = 0; i < SLICE_CYCLES; i++)
            step(bench);
        give_bytes(bench);
    }
}

int main(int argc, char **argv)
{
    static struct bench bench = {.fd = -1, .slave = -1, .seed = 1};
    static const struct argp argp = {options, parse, NULL, "Runs a simulated board.", NULL, NULL,
                                     NULL};
    struct sigaction action = {.sa_handler = on_signal};
    bool good;

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &bench);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    good = start(&bench);
    if (good) {
        run(&bench);
        printf("board: cycles %llu to the board %llu bytes to the host %llu bytes faults %llu\n",
               (unsigned long long)bench.cycle, (unsigned long long)bench.uart.sent,
               (unsigned long long)bench.uart.received,
               (unsigned long long)(bench.down.faults + bench.up.faults));
    }
    if (bench.link != NULL)
        unlink(bench.link);
    tern_board_free(bench.board);
    board_flash_fini(&bench.flash);
    return good ? EXIT_DONE : EXIT_BAD;
}
