/* SPDX-License-Identifier: Apache-2.0 */
/* Fill and CRC on the core, timed like the parts of the mix. */
#include "count.h"
#include "mix.h"

static uint8_t buffer[CRC_BYTES];

int main(void)
{
    struct count begin[3], end[3];
    uint32_t sum[3];

    begin[0] = count_now();
    crc_fill(buffer, CRC_BYTES, MIX_SEED);
    end[0] = count_now();
    begin[1] = count_now();
    sum[1] = crc_branch(buffer, CRC_BYTES);
    end[1] = count_now();
    begin[2] = count_now();
    sum[2] = crc_mask(buffer, CRC_BYTES);
    end[2] = count_now();
    sum[0] = buffer[CRC_BYTES - 1];
    count_print("fill", begin[0], end[0], sum[0]);
    count_print("branch", begin[1], end[1], sum[1]);
    count_print("mask", begin[2], end[2], sum[2]);
    return 0;
}
