/* SPDX-License-Identifier: Apache-2.0 */
/* See pins.h. */
#include "pins.h"

/* Places of the pins; a direction of RGMII has five. */
enum {
    SERIAL_IN,
    MISO,
    FIRST,
    SECOND,
    IN_CLOCK,
    IN,
    LINK_IN_CLOCK = IN + 5,
    LINK_IN,
    SERIAL_OUT = LINK_IN + 5,
    SELECT,
    CLOCK,
    MOSI,
    PHY_ON,
    OUT_CLOCK,
    OUT,
    LINK_OUT_CLOCK = OUT + 5,
    LINK_OUT
};

enum { RGMII = 31 };

uint64_t board_pins_word(const struct tern_board_pins *pins)
{
    return (uint64_t)pins->serial_in << SERIAL_IN | (uint64_t)pins->flash_miso << MISO |
           (uint64_t)pins->first << FIRST | (uint64_t)pins->second << SECOND |
           (uint64_t)pins->rgmii_in_clock << IN_CLOCK | (uint64_t)pins->rgmii_in << IN |
           (uint64_t)pins->link_in_clock << LINK_IN_CLOCK | (uint64_t)pins->link_in << LINK_IN |
           (uint64_t)pins->serial_out << SERIAL_OUT | (uint64_t)pins->flash_select << SELECT |
           (uint64_t)pins->flash_clock << CLOCK | (uint64_t)pins->flash_mosi << MOSI |
           (uint64_t)pins->phy_on << PHY_ON | (uint64_t)pins->rgmii_out_clock << OUT_CLOCK |
           (uint64_t)pins->rgmii_out << OUT | (uint64_t)pins->link_out_clock << LINK_OUT_CLOCK |
           (uint64_t)pins->link_out << LINK_OUT;
}

void board_pins_drive(struct tern_board_pins *pins, uint64_t word)
{
    pins->serial_in = word >> SERIAL_IN & 1;
    pins->flash_miso = word >> MISO & 1;
    pins->first = word >> FIRST & 1;
    pins->second = word >> SECOND & 1;
    pins->rgmii_in_clock = word >> IN_CLOCK & 1;
    pins->rgmii_in = (unsigned)(word >> IN & RGMII);
    pins->link_in_clock = word >> LINK_IN_CLOCK & 1;
    pins->link_in = (unsigned)(word >> LINK_IN & RGMII);
}
