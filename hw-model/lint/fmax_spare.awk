# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -v top=MODULE -f fmax_spare.awk NETLIST.json
#
# Keeps every second tile of every second row of an LFE5U-25F free (a fifth of all): cells without
# pins and wires occupy them, with locations as nextpnr 0.7 reads them. Its placer fills half of the
# tiles it uses to the last LUT, while others stay empty; full areas then lack wires. With free
# tiles between them, cells spread over the whole device.
#
# Rows 13, 25 and 37 are block RAM and multipliers.

BEGIN {
    first_row = 3; last_row = 47
    first_column = 5; last_column = 67
}

function is_logic(row) {
    return row != 13 && row != 25 && row != 37
}

function spare(row, column, slice, lut) {
    printf "        \"spare_%d_%d_%s%d\": {\n", column, row, slice, lut
    printf "          \"hide_name\": 0, \"type\": \"LUT4\", \"parameters\": { \"INIT\": \"0000000000000000\" },\n"
    printf "          \"attributes\": { \"BEL\": \"X%d/Y%d/SLICE%s.K%d\" },\n", column, row, slice, lut
    print "          \"port_directions\": { }, \"connections\": { }"
    print "        },"
}

function spare_tiles(row, column, slice) {
    for (row = first_row; row <= last_row; row += 2)
        for (column = first_column; is_logic(row) && column <= last_column; column += 2)
            for (slice = 1; slice <= 4; slice++) {
                spare(row, column, substr("ABCD", slice, 1), 0)
                spare(row, column, substr("ABCD", slice, 1), 1)
            }
}

{ print }
/^    "/ { in_top = $1 == "\"" top "\":" }
in_top && /^      "cells": \{$/ { spare_tiles(); done = 1 }
END { exit !done }
