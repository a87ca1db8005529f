/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JTAG port of an ECP5, with the flash that it configures itself from.
 *
 * Instructions: those with which a program loads a bitstream into the device, erases it, lets it
 * read its flash anew, and reaches the flash. All others do nothing here.
 */
#ifndef TERN_SIM_BOARD_ECP5_TAP_H
#define TERN_SIM_BOARD_ECP5_TAP_H

#include <stdbool.h>

#include "ecp5_bits.h"
#include "spi_flash.h"

struct ecp5_tap {
    const struct ecp5_device *device;
    struct board_flash *flash;
    uint8_t state, ir, ir_shift;
    uint64_t dr;
    unsigned dr_bits;
    bool enabled;   /* to be configured by JTAG */
    bool addressed; /* the first frame comes next */
    bool done, failed;
    bool spi;       /* data go to the flash */
    enum ecp5_error error; /* of the last configuration */
    uint8_t *burst; /* a bitstream by JTAG */
    size_t burst_bits, burst_room; /* bytes of room */
    unsigned loads, reloads;       /* configurations by JTAG, from flash, that have ended well */
};

void ecp5_tap_init(struct ecp5_tap *tap, const struct ecp5_device *device,
                   struct board_flash *flash);
void ecp5_tap_fini(struct ecp5_tap *tap);

/* Configures the device from its flash, as at power-up. */
void ecp5_tap_power_up(struct ecp5_tap *tap);

/* Takes a cycle of TCK; returns TDO as it was at the rising edge. */
bool ecp5_tap_step(struct ecp5_tap *tap, bool tms, bool tdi);

#endif
