# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f size.awk NAME.stat
#
# Prints "COMB FF BRAM MULT" from Yosys' statistics of an ECP5 netlist. COMB = LUT4 + 2 * CCU2C + 6
# * TRELLIS_DPR16X4, the logic cells occupied.
NF == 2 && $2 ~ /^[0-9]+$/ { cells[$1] = $2 }

END {
    print cells["LUT4"] + 2 * cells["CCU2C"] + 6 * cells["TRELLIS_DPR16X4"],
        cells["TRELLIS_FF"] + 0, cells["DP16KD"] + cells["PDPW16KD"], cells["MULT18X18D"] + 0
}
