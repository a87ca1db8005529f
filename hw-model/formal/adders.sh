#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves that the adders mapped to carry cells of ECP5 equal their plain RTL. Then breaks a cell of
# each and expects the proof to fail. Prints TAP. Run from the project root.
set -u

lib=hw-model/rtl/lib
out=${B:-build}/formal/adders
mkdir -p "$out"
count=0 failed=0

# equal SOURCE TOP PARAMETERS: 0 the cells of SOURCE equal the plain TOP, 1 they do not, 2 no
# answer.
equal() {
    ${YOSYS:-yosys} -q -l "$out/log" -p "
        read_verilog -sv $lib/$2.sv; chparam $3 $2; prep -flatten -top $2; rename $2 plain;
        write_verilog -noattr $out/plain.v; design -reset;
        read_verilog -sv -DTERN_ECP5 $1; read_verilog -sv +/ecp5/cells_sim.v;
        chparam $3 $2; prep -flatten -top $2; rename $2 cells;
        read_verilog $out/plain.v; miter -equiv -flatten plain cells both; hierarchy -top both;
        sat -verify -prove trigger 0 both" > "$out/out" 2>&1 && return 0
    grep -q 'proof did fail' "$out/log" && return 1
    return 2
}

# verdict NAME WANTED GOT
verdict() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 5 "$out/out" | sed 's/^/# /'
        failed=1
    fi
}

# adder NAME PARAMETERS BROKEN: proves the adder, and refutes it with one bit of its table changed.
adder() {
    equal "$lib/$1.sv" "$1" "$2"
    verdict "$1 ($2)" 0 $?
    sed "$3" "$lib/$1.sv" > "$out/broken.sv"
    cmp -s "$lib/$1.sv" "$out/broken.sv" && { verdict "$1 broken" 1 3; return; }
    equal "$out/broken.sv" "$1" "$2"
    verdict "$1 ($2), one bit of the cell changed, is refuted" 1 $?
}

adder tern_addsub '-set Width 32' 's/96aa/96ab/'
adder tern_addless '-set Width 64' 's/96aa/96ab/'
adder tern_addsel '-set Width 64 -set Subtract 1' 's/9a95/9a94/'
adder tern_addsel '-set Width 32 -set Subtract 0' 's/656a/756a/'
adder tern_merge '-set Width 32' 's/78b8/78b9/'
adder tern_unlike '-set Width 32' 's/9f0f/9e0f/'
adder tern_countdown '-set Width 32' 's/d102/d100/'
echo "1..$count"
exit $failed
