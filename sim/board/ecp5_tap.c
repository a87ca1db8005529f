/* SPDX-License-Identifier: Apache-2.0 */
/* See ecp5_tap.h. Instructions: Lattice FPGA-TN-02039, and openFPGALoader, src/lattice.cpp. */
#include "ecp5_tap.h"

#include <stdlib.h>
#include <string.h>

enum state {
    RESET,
    IDLE,
    SELECT_DR,
    CAPTURE_DR,
    SHIFT_DR,
    EXIT1_DR,
    PAUSE_DR,
    EXIT2_DR,
    UPDATE_DR,
    SELECT_IR,
    CAPTURE_IR,
    SHIFT_IR,
    EXIT1_IR,
    PAUSE_IR,
    EXIT2_IR,
    UPDATE_IR
};

static const uint8_t following[][2] = {
    [RESET] = {IDLE, RESET},         [IDLE] = {IDLE, SELECT_DR},
    [SELECT_DR] = {CAPTURE_DR, SELECT_IR},
    [CAPTURE_DR] = {SHIFT_DR, EXIT1_DR},
    [SHIFT_DR] = {SHIFT_DR, EXIT1_DR}, [EXIT1_DR] = {PAUSE_DR, UPDATE_DR},
    [PAUSE_DR] = {PAUSE_DR, EXIT2_DR}, [EXIT2_DR] = {SHIFT_DR, UPDATE_DR},
    [UPDATE_DR] = {IDLE, SELECT_DR},   [SELECT_IR] = {CAPTURE_IR, RESET},
    [CAPTURE_IR] = {SHIFT_IR, EXIT1_IR},
    [SHIFT_IR] = {SHIFT_IR, EXIT1_IR}, [EXIT1_IR] = {PAUSE_IR, UPDATE_IR},
    [PAUSE_IR] = {PAUSE_IR, EXIT2_IR}, [EXIT2_IR] = {SHIFT_IR, UPDATE_IR},
    [UPDATE_IR] = {IDLE, SELECT_DR},
};

enum instruction {
    ISC_ERASE = 0x0e,
    ISC_DISABLE = 0x26,
    BACKGROUND_SPI = 0x3a,
    READ_STATUS = 0x3c,
    INIT_ADDRESS = 0x46,
    REFRESH = 0x79,
    BITSTREAM_BURST = 0x7a,
    ISC_ENABLE = 0xc6,
    READ_ID = 0xe0,
    CHECK_BUSY = 0xf0,
    BYPASS = 0xff
};

enum {
    SPI_KEY = 0x68fe,
    ERASES_SRAM = 1,
    STATUS_DONE = 1 << 8,
    STATUS_ENABLED = 1 << 9,
    STATUS_FAIL = 1 << 13,
    STATUS_ERROR = 23, /* lowest bit of the code */
    BURST_ROOM = 1 << 16
};

void ecp5_tap_init(struct ecp5_tap *tap, const struct ecp5_device *device,
                   struct board_flash *flash)
{
    memset(tap, 0, sizeof *tap);
    tap->device = device;
    tap->flash = flash;
    tap->state = RESET;
    tap->ir = READ_ID;
}

void ecp5_tap_fini(struct ecp5_tap *tap)
{
    free(tap->burst);
    tap->burst = NULL;
}

static void configure(struct ecp5_tap *tap, const uint8_t *bytes, size_t count, unsigned *good)
{
    tap->error = ecp5_configure(tap->device, bytes, count);
    tap->failed = tap->error != ECP5_NONE;
    tap->done = !tap->failed;
    *good += tap->done;
}

void ecp5_tap_power_up(struct ecp5_tap *tap)
{
    tap->enabled = tap->spi = false;
    configure(tap, tap->flash->bytes, tap->flash->size, &tap->reloads);
}

/* ---- the burst of a bitstream ---- */

static void burst_bit(struct ecp5_tap *tap, bool bit)
{
    size_t byte = tap->burst_bits / 8;

    if (byte == tap->burst_room) {
        size_t room = tap->burst_room > 0 ? 2 * tap->burst_room : BURST_ROOM;
        uint8_t *more = realloc(tap->burst, room);

        if (more == NULL)
            abort();
        memset(more + tap->burst_room, 0, room - tap->burst_room);
        tap->burst = more;
        tap->burst_room = room;
    }
    if (tap->burst_bits % 8 == 0)
        tap->burst[byte] = 0;
    tap->burst[byte] |= (uint8_t)(bit << (7 - tap->burst_bits % 8));
    tap->burst_bits++;
}

static void end_burst(struct ecp5_tap *tap)
{
    if (!tap->enabled || !tap->addressed) {
        tap->failed = true;
        return;
    }
    tap->addressed = false;
    configure(tap, tap->burst, tap->burst_bits / 8, &tap->loads);
}

/* ---- registers ---- */

static uint32_t status(const struct ecp5_tap *tap)
{
    return (tap->done ? STATUS_DONE : 0) | (tap->enabled ? STATUS_ENABLED : 0) |
           (tap->failed ? STATUS_FAIL : 0) | (uint32_t)tap->error << STATUS_ERROR;
}

static void capture(struct ecp5_tap *tap)
{
    tap->dr = 0;
    tap->dr_bits = 8;
    switch (tap->ir) {
    case READ_ID:
        tap->dr = tap->device->idcode;
        tap->dr_bits = 32;
        break;
    case READ_STATUS:
        tap->dr = status(tap);
        tap->dr_bits = 32;
        break;
    case BACKGROUND_SPI:
        tap->dr_bits = 16;
        break;
    case CHECK_BUSY: /* never: all is done at once */
    case ISC_ENABLE:
    case ISC_ERASE:
        break;
    default:
        tap->dr_bits = 1;
    }
}

static bool shift_dr(struct ecp5_tap *tap, bool tdi)
{
    bool tdo = tap->dr & 1;

    if (tap->spi) {
        tdo = tap->flash->miso;
        board_flash_step(tap->flash, true, true, tdi);
        board_flash_step(tap->flash, true, false, tdi);
    } else if (tap->ir == BITSTREAM_BURST) {
        burst_bit(tap, tdi);
    } else {
        tap->dr = tap->dr >> 1 | (uint64_t)tdi << (tap->dr_bits - 1);
    }
    return tdo;
}

static void update_dr(struct ecp5_tap *tap)
{
    switch (tap->ir) {
    case BACKGROUND_SPI:
        tap->spi = tap->spi || (!tap->done && tap->dr == SPI_KEY);
        break;
    case ISC_ENABLE:
        tap->enabled = true;
        tap->failed = false;
        break;
    case ISC_ERASE:
        tap->failed = !tap->enabled;
        if (tap->enabled && (tap->dr & ERASES_SRAM) != 0) {
            tap->done = false;
            tap->error = ECP5_NONE;
        }
        break;
    case BITSTREAM_BURST:
        end_burst(tap);
        break;
    default:
        break;
    }
}

static void update_ir(struct ecp5_tap *tap)
{
    tap->ir = tap->ir_shift;
    tap->spi = false;
    switch (tap->ir) {
    case ISC_DISABLE:
        tap->enabled = false;
        break;
    case INIT_ADDRESS:
        tap->addressed = tap->enabled;
        break;
    case BITSTREAM_BURST:
        tap->burst_bits = 0;
        break;
    case REFRESH:
        ecp5_tap_power_up(tap);
        break;
    default:
        break;
    }
}

bool ecp5_tap_step(struct ecp5_tap *tap, bool tms, bool tdi)
{
    bool tdo = true;

    if (tap->state == SHIFT_DR) {
        tdo = shift_dr(tap, tdi);
    } else if (tap->state == SHIFT_IR) {
        tdo = tap->ir_shift & 1;
        tap->ir_shift = (uint8_t)(tap->ir_shift >> 1 | tdi << 7);
    }
    tap->state = following[tap->state][tms];
    switch (tap->state) {
    case RESET:
        tap->ir = READ_ID;
        tap->spi = false;
        break;
    case CAPTURE_DR:
        capture(tap);
        break;
    case EXIT1_DR:
        board_flash_step(tap->flash, false, false, false);
        break;
    case UPDATE_DR:
        update_dr(tap);
        break;
    case CAPTURE_IR:
        tap->ir_shift = 1;
        break;
    case UPDATE_IR:
        update_ir(tap);
        break;
    default:
        break;
    }
    return tdo;
}
