/* SPDX-License-Identifier: Apache-2.0 */
/* See uart.h. */
#include "uart.h"

#include <string.h>

enum { BIT = 65536, FRAME_BITS = 10 };

void board_uart_init(struct board_uart *uart, unsigned baud, unsigned clock_hz)
{
    memset(uart, 0, sizeof *uart);
    uart->step = (uint32_t)((uint64_t)baud * BIT / clock_hz);
}

size_t board_uart_room(const struct board_uart *uart)
{
    return sizeof uart->queue - uart->count;
}

void board_uart_queue(struct board_uart *uart, struct board_faults *faults)
{
    uint8_t bytes[BOARD_UART_QUEUE];
    size_t count = board_faults_take(faults, bytes, board_uart_room(uart));

    for (size_t i = 0; i < count; i++)
        uart->queue[(uart->first + uart->count++) % sizeof uart->queue] = bytes[i];
}

static void send_begin(struct board_uart *uart)
{
    uart->send_bits = (unsigned)uart->queue[uart->first] << 1 | 1u << (FRAME_BITS - 1);
    uart->send_left = FRAME_BITS;
    uart->first = (uart->first + 1) % sizeof uart->queue;
    uart->count--;
    uart->sent++;
}

bool board_uart_send(struct board_uart *uart)
{
    if (uart->send_left == 0) {
        if (uart->count == 0)
            return true;
        send_begin(uart);
    }
    uart->send_phase += uart->step;
    if (uart->send_phase >= BIT) {
        bool level = uart->send_bits & 1;

        uart->send_phase -= BIT;
        uart->send_bits >>= 1;
        uart->send_left--;
        return level;
    }
    return uart->send_bits & 1;
}

bool board_uart_receive(struct board_uart *uart, bool level, uint8_t *byte)
{
    if (uart->receive_left == 0) {
        if (level)
            return false;
        uart->receive_left = FRAME_BITS;
        uart->receive_phase = BIT / 2;
    }
    uart->receive_phase += uart->step;
    if (uart->receive_phase < BIT)
        return false;
    uart->receive_phase -= BIT;
    uart->receive_bits = uart->receive_bits >> 1 | (unsigned)level << (FRAME_BITS - 1);
    if (--uart->receive_left > 0)
        return false;
    *byte = (uint8_t)(uart->receive_bits >> 1);
    uart->received++;
    return level; /* the stop bit */
}
