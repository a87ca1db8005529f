#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: netlist_read.sh OUT.v TOP SOURCE...
#
# Writes TOP as Yosys reads it: the sources converted to processes and flattened as for synthesis,
# but not mapped. Its simulation reveals where Yosys and Verilator interpret the sources
# differently. Cells named in the sources (CCU2C, those of boards) stay; the delay hints of tern_late
# are wires.
#
# Environment: SYNTH_PARAMS  parameters of TOP, as in "-set DataW 32"
set -u

out=$1 top=$2
shift 2
params=
[ -z "${SYNTH_PARAMS:-}" ] || params="chparam ${SYNTH_PARAMS} $top;"
mkdir -p "${out%/*}"
"${YOSYS:-yosys}" -q -l "$out.log" -e 'implicitly declared|conflicting drivers' -p "
    read_verilog -lib +/ecp5/cells_sim.v +/ecp5/cells_bb.v;
    read_verilog -lib -specify ${0%/*}/late.v;
    read_verilog -sv -noassert -DSYNTHESIS -DTERN_ECP5 $*;
    $params
    hierarchy -check -top $top;
    proc; flatten; techmap -map ${0%/*}/late_map.v; opt_clean;
    rename -top $top;
    write_verilog -noattr $out.new" > "$out.out" 2>&1 || { cat "$out.out" >&2; exit 1; }
mv "$out.new" "$out"
