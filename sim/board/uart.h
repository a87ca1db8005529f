/* SPDX-License-Identifier: Apache-2.0 */
/* A USB bridge's serial line at pins, 8N1, by the cycles of the board's clock. */
#ifndef TERN_SIM_BOARD_UART_H
#define TERN_SIM_BOARD_UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "faults.h"

enum { BOARD_UART_QUEUE = 16384 };

struct board_uart {
    uint64_t sent, received; /* bytes */
    uint32_t step;           /* of a bit, in 1/65536, that pass in a cycle */
    uint32_t send_phase, receive_phase;
    unsigned send_bits, send_left, receive_bits, receive_left;
    uint8_t queue[BOARD_UART_QUEUE];
    size_t first, count;
};

void board_uart_init(struct board_uart *uart, unsigned baud, unsigned clock_hz);

size_t board_uart_room(const struct board_uart *uart);

/* Queues the bytes that come out of `faults`. */
void board_uart_queue(struct board_uart *uart, struct board_faults *faults);

/* Returns the level towards the board for the next cycle. */
bool board_uart_send(struct board_uart *uart);

/* Takes the level from the board in a cycle; returns whether it completes a byte. */
bool board_uart_receive(struct board_uart *uart, bool level, uint8_t *byte);

#endif
