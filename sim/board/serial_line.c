/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See line.h: a serial line at a pseudo-terminal.
 *
 * Faults concern whole frames; no frame overtakes another on a serial line.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "faults.h"
#include "line.h"
#include "uart.h"

enum { OUT_BYTES = 65536, PIECE_BYTES = 512 };

const unsigned board_line_slice = 2000;

static struct {
    const char *link;
    struct board_uart uart;
    struct board_faults down, up; /* to the board; to the host */
    int fd, slave;
    uint8_t out[OUT_BYTES];
    size_t out_bytes;
} line = {.fd = -1, .slave = -1};

static bool open_terminal(void)
{
    struct termios mode;
    const char *name;

    line.fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (line.fd < 0 || grantpt(line.fd) != 0 || unlockpt(line.fd) != 0)
        return false;
    name = ptsname(line.fd);
    /* Held open, so that the terminal outlives its user; raw, so that it changes no byte. */
    line.slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (line.slave < 0 || tcgetattr(line.slave, &mode) != 0)
        return false;
    cfmakeraw(&mode);
    tcsetattr(line.slave, TCSANOW, &mode);
    if (line.link != NULL) {
        unlink(line.link);
        if (symlink(name, line.link) != 0)
            return false;
    }
    printf("ready: %s, its serial line at %s\n", tern_board_name(), name);
    return fflush(stdout) == 0;
}

bool board_line_open(const struct board_line_options *options)
{
    if (options->cable != NULL) {
        errno = EOPNOTSUPP; /* no second PHY */
        return false;
    }
    line.link = options->path;
    board_uart_init(&line.uart, TERN_BOARD_BAUD, TERN_BOARD_CLOCK_HZ);
    board_faults_init(&line.down, options->seed, options->flip, options->lose, options->repeat);
    board_faults_init(&line.up, options->seed + 1, options->flip, options->lose, options->repeat);
    return open_terminal();
}

void board_line_cut(bool cut)
{
    (void)cut;
}

void board_line_close(void)
{
    if (line.link != NULL)
        unlink(line.link);
}

bool board_line_input(int wait_ms)
{
    struct pollfd fd = {.fd = line.fd, .events = POLLIN};
    uint8_t bytes[PIECE_BYTES];
    ssize_t count = 0;

    if (board_uart_room(&line.uart) < sizeof bytes)
        return true;
    if (wait_ms > 0)
        poll(&fd, 1, wait_ms);
    if (board_faults_room(&line.down) >= sizeof bytes)
        count = read(line.fd, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++)
        board_faults_byte(&line.down, bytes[i]);
    board_uart_queue(&line.uart, &line.down);
    return count > 0;
}

void board_line_output(void)
{
    ssize_t sent;

    line.out_bytes +=
        board_faults_take(&line.up, line.out + line.out_bytes, sizeof line.out - line.out_bytes);
    if (line.out_bytes == 0)
        return;
    sent = write(line.fd, line.out, line.out_bytes);
    if (sent <= 0)
        return;
    line.out_bytes -= (size_t)sent;
    memmove(line.out, line.out + sent, line.out_bytes);
}

unsigned board_line_owed(void)
{
    return 0;
}

void board_line_drive(struct tern_board_pins *pins)
{
    pins->serial_in = board_uart_send(&line.uart);
}

bool board_line_sense(const struct tern_board_pins *pins)
{
    uint8_t byte;

    if (!board_uart_receive(&line.uart, pins->serial_out, &byte))
        return false;
    board_faults_byte(&line.up, byte);
    return true;
}

void board_line_counts(void)
{
    printf(" to the board %llu bytes to the host %llu bytes faults %llu\n",
           (unsigned long long)line.uart.sent, (unsigned long long)line.uart.received,
           (unsigned long long)line.down.faults + line.up.faults);
}
