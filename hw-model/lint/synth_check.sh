#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: synth_check.sh [-n] NAME TOP SOURCE...
#
# Synthesises TOP for ECP5 and compares its size with the row BUDGET(NAME, ...) of
# hw-model/budget.def. Prints TAP; -n omits the comparison. Run from the project root.
#
# Output in build/synth: NAME.json (for place and route), NAME.v (netlist of ECP5 cells) and
# NAME.stat. An up-to-date NAME.json is reused.
#
# Environment: SYNTH_PARAMS  parameters of TOP, as in "-set DataW 32"
#              SYNTH_FLAGS   more options for synth_ecp5
#
# size.awk counts COMB, flip-flops and block RAM, control_sets.awk control sets; assertions and
# their logic are left out. A size above the budget fails; 2 % below it, a tighter row is asked for;
# a limit of - only reports the figure. LUTs with more than four inputs are not used (-nowidelut):
# with them the core takes a fifth more cells.
set -u

compare=1
if [ "${1:-}" = -n ]; then
    compare=0
    shift
fi
[ $# -ge 3 ] || { echo "usage: synth_check.sh [-n] NAME TOP SOURCE..." >&2; exit 2; }
name=$1 top=$2
shift 2

out=${B:-build}/synth
budget=hw-model/budget.def
mkdir -p "$out"

is_current() {
    [ -s "$out/$name.json" ] && [ -s "$out/$name.stat" ] && [ -s "$out/$name.v" ] || return 1
    [ -z "$(find "$@" "${0%/*}" -newer "$out/$name.json")" ]
}

# In the node and the boards, comparisons with constants and short sums become LUTs (constants.v): on
# carry cells the node takes 200 COMB more. The core alone is built without this, as for the
# measurement of its clock rate.
with_constants() {
    echo "$synth -run begin:coarse;
        proc; flatten; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce;
        techmap -map ${0%/*}/constants.v t:\$lt t:\$le t:\$gt t:\$ge; opt_clean;
        $synth -run coarse:map_gates;
        techmap -map ${0%/*}/constants.v t:\$alu; opt_clean;
        $synth -run map_gates:map_ffs; opt_clean; $few_controls;"
}

# The flip-flops of a slice share enable and reset; those of a tile two resets. Enables of single
# flip-flops, and resets of fewer than 16, become logic: a rare reset keeps slices half empty and
# wires long (docs/decisions/0063).
few_controls="dfflegalize -mince 2 -minsrst 16 \
-cell \$_DFF_?_ 01 -cell \$_DFF_?P?_ r -cell \$_SDFF_?P?_ r \
-cell \$_DFFE_??_ 01 -cell \$_DFFE_?P??_ r -cell \$_SDFFE_?P??_ r"

# Undeclared names and multiple drivers are errors here, though only warnings in Yosys.
#
# LUT mapping is that of synth_ecp5 -abc9 with a more thorough script and a wire delay of 0.9 ns, as
# after placement: with the default 0.3 ns, chains of LUTs seem short.
synthesise() {
    params=
    [ -z "${SYNTH_PARAMS:-}" ] || params="chparam ${SYNTH_PARAMS} $top;"
    synth="synth_ecp5 -abc9 -nowidelut ${SYNTH_FLAGS:-} -top $top"
    coarse="$synth -run begin:map_ffs;"
    case $name in
    node* | board_*) coarse=$(with_constants) ;;
    esac
    "${YOSYS:-yosys}" -q -l "$out/$name.log" -e 'implicitly declared|conflicting drivers' -p "
        read_verilog -lib -specify ${0%/*}/late.v;
        read_verilog -sv -noassert -DSYNTHESIS -DTERN_ECP5 $*;
        $params
        $coarse
        $synth -run map_ffs:map_luts;
        techmap -map +/ecp5/latches_map.v;
        scratchpad -copy abc9.script.flow3 abc9.script;
        abc9 -maxlut 4 -W 900;
        techmap -map ${0%/*}/late_map.v;
        clean;
        $synth -run map_cells:;
        select -assert-none t:\$_DLATCH*;
        tee -q -o $out/$name.stat stat;
        write_verilog -noattr $out/$name.v;
        write_json $out/$name.json.new" > "$out/$name.out" 2>&1 &&
        mv "$out/$name.json.new" "$out/$name.json"
}

# budgeted COLUMN: 1 COMB, 2 FF, 3 block RAM, 4 control sets.
budgeted() {
    sed -n "s/^BUDGET($name, *\([-0-9]*\), *\([-0-9]*\), *\([-0-9]*\), *\([-0-9]*\)).*/\\$1/p" "$budget"
}

# judge NUMBER WHAT MEASURED LIMIT
judge() {
    if [ -z "$4" ]; then
        echo "not ok $1 - synth_${name}_$2"
        echo "# $budget has no row BUDGET($name, $comb, $ff, $bram, $sets)"
        failed=1
    elif [ "$4" = - ]; then
        echo "ok $1 - synth_${name}_$2"
        echo "# $2 $3 is reported, not limited"
    elif [ "$3" -gt "$4" ]; then
        echo "not ok $1 - synth_${name}_$2"
        echo "# $2 $3 is above its budget $4"
        failed=1
    else
        echo "ok $1 - synth_${name}_$2"
        [ $(($3 * 100)) -ge $(($4 * 98)) ] ||
            echo "# $2 $3 is 2 % and more below its budget $4: tighten the row in $budget"
    fi
}

if ! is_current "$@" && ! synthesise "$@"; then
    cat "$out/$name.out" >&2
    echo "not ok 1 - synth_${name}"
    echo "1..1"
    exit 1
fi

# shellcheck disable=SC2046 # four words
set -- $(awk -f "${0%/*}/size.awk" "$out/$name.stat")
comb=$1 ff=$2 bram=$3 mult=$4
sets=$(awk -f "${0%/*}/control_sets.awk" "$out/$name.v")
echo "# synth $name comb=$comb ff=$ff bram=$bram mult=$mult control_sets=$sets"
[ "$name" != node ] || echo "# evidence A6.1 comb=$comb ff=$ff bram=$bram control_sets=$sets"
[ $compare = 1 ] || exit 0

failed=0
judge 1 comb "$comb" "$(budgeted 1)"
judge 2 ff "$ff" "$(budgeted 2)"
judge 3 bram "$bram" "$(budgeted 3)"
judge 4 control_sets "$sets" "$(budgeted 4)"
echo "1..4"
exit $failed
