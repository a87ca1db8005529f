#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: fmax_wrap.sh NAME HARNESS TOP NETLIST.json [PARAMETER OF THE HARNESS=VALUE]
#
# Puts the flip-flops of tern_fmax_HARNESS around the netlist of TOP: build/fmax/NAME.json, for
# place and route. TOP is unchanged, so the timed netlist is the one checked against the size
# budget.
set -eu

name=$1 top=$3 netlist=$4 param=${5:-}
out=${B:-build}/fmax
rtl=hw-model/rtl
harness=tern_fmax_$2
mkdir -p "$out"
[ -z "$param" ] || param="chparam -set ${param%=*} ${param#*=} $harness;"

# Netlists contain Yosys' cell library; remove it before it is read again.
"${YOSYS:-yosys}" -q -l "$out/$name.log" -e 'implicitly declared|conflicting drivers' -p "
    read_json $netlist;
    rename -top tern_fmax_dut;
    delete =* =tern_fmax_dut %d;
    rename tern_fmax_dut $top;
    blackbox $top;
    read_verilog -sv $rtl/abi/tern_abi_pkg.sv $rtl/fmax/tern_fmax_pins.sv $rtl/fmax/$harness.sv;
    $param
    synth_ecp5 -abc9 -nowidelut -top $harness;
    delete =* =$harness %d;
    setattr -mod -unset top $harness;
    read_json $netlist;
    rename -top tern_fmax_dut;
    rename tern_fmax_dut $top;
    hierarchy -top $harness;
    flatten;
    chformal -remove;
    opt_clean -purge;
    select -assert-none t:$top;
    write_json $out/$name.json.new" > "$out/$name.out" 2>&1 || {
    cat "$out/$name.out" >&2
    exit 1
}
# The lean node fills so much of its device that its placement must be thinned out.
if [ "$name" = node ]; then
    awk -v top="$harness" -f "${0%/*}/fmax_spare.awk" "$out/$name.json.new" > "$out/$name.json.thin"
    mv "$out/$name.json.thin" "$out/$name.json.new"
fi
mv "$out/$name.json.new" "$out/$name.json"
