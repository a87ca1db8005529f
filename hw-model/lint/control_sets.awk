# SPDX-License-Identifier: Apache-2.0
#
# usage: awk -f control_sets.awk NAME.v
#
# Counts the control sets of an ECP5 netlist: how many different combinations of clock, enable and reset its
# flip-flops use. The flip-flops of a slice share one, so routing suffers from many.
/^ *TRELLIS_FF +#\(/ || /^ *TRELLIS_FF +[^#]/ { inside = 1; set = "" }

inside && match($0, /\.(CLK|CE|LSR|CLKMUX|CEMUX|LSRMUX|SRMODE)\(.*\)/) { set = set substr($0, RSTART, RLENGTH) " " }

inside && /\);/ {
    if (!(set in seen)) {
        seen[set] = 1
        count++
    }
    inside = 0
}

END { print count + 0 }
