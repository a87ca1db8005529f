#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Tests the judge of clock rates, on reports in the format of nextpnr 0.7, and with a stub in place
# of nextpnr. It places nothing.
set -u
. tests/check/lib.sh

tree=$work/build
out=$tree/fmax
mkdir -p "$out" "$tree/synth"
cat > "$work/fmax.def" <<'E2'
FMAX(one, frame, block, 25, 75.0, -, -)
FMAX(two, frame, block, 45, 50.0, 100, 4)
E2
echo '{}' | tee "$out/one.json" > "$out/two.json"

# size LUT4 DP16KD: sizes of the netlist; COMB is LUT4 + 2 * 10 + 6 * 5.
size() {
    printf '     CCU2C   10\n     DP16KD   %s\n     LUT4   %s\n' "$2" "$1" \
        > "$tree/synth/block.stat"
    printf '     TRELLIS_DPR16X4   5\n     TRELLIS_FF   7\n' >> "$tree/synth/block.stat"
}

# Prints a report in one line, as nextpnr does: a path over a LUT and a carry chain, then the
# clocks.
report() {
    other=
    [ -z "${2:-}" ] || other=", \"other\": {\"achieved\": $2, \"constraint\": 75}"
    tr -d '\n' <<REPORT
{"critical_paths": [{"from": "posedge \$glbnet\$clk", "path": [
{"delay": 0.5, "from": {"cell": "x", "loc": [1, 2], "port": "CLK"}, 
"to": {"cell": "u_dut.go_q_TRELLIS_FF_Q", "loc": [1, 2], "port": "Q"}, "type": "clk-to-q"}, 
{"delay": 1.5, "from": {"cell": "u_dut.go_q_TRELLIS_FF_Q", "loc": [1, 2], "port": "Q"}, 
"net": "u_dut.go_q", "to": {"cell": "u_dut.sum_CCU2C_S0\$CCU2_COMB0", "loc": [3, 2], "port": "A"}, 
"type": "routing"}, 
{"delay": 0.25, "from": {"cell": "c", "loc": [3, 2], "port": "A"}, 
"to": {"cell": "c", "loc": [3, 2], "port": "FCO"}, "type": "logic"}, 
{"delay": 0, "from": {"cell": "c", "loc": [3, 2], "port": "FCO"}, "net": "c", 
"to": {"cell": "d", "loc": [3, 2], "port": "FCI"}, "type": "routing"}, 
{"delay": 0.25, "from": {"cell": "d", "loc": [3, 2], "port": "FCI"}, 
"to": {"cell": "d", "loc": [3, 2], "port": "F"}, "type": "logic"}, 
{"delay": 2.5, "from": {"cell": "d", "loc": [3, 2], "port": "F"}, "net": "u_dut.sum_LUT4_Z_1[3]", 
"to": {"cell": "u_dut.end_q_TRELLIS_FF_Q_1", "loc": [9, 2], "port": "DI"}, "type": "routing"}, 
{"delay": 0, "from": {"cell": "e", "loc": [9, 2], "port": "DI"}, 
"to": {"cell": "u_dut.end_q_TRELLIS_FF_Q_1", "loc": [9, 2], "port": "DI"}, "type": "setup"}], 
"to": "posedge \$glbnet\$clk"}], "fmax": {"\$glbnet\$clk": {"achieved": $1, "constraint": 75}
$other}, "utilization": {"DP16KD": 
{"available": 56, "used": 0}, "TRELLIS_COMB": {"available": 24288, "used": 3374}}}
REPORT
}

# reports ROW MHz MHz MHz: writes the reports of the three seeds; none for a rate of -.
reports() {
    for seed in 1 2 3; do
        rm -f "$out/$1-$seed.report" "$out/$1-$seed.why"
    done
    row=$1 seed=0
    shift
    for rate in "$@"; do
        seed=$((seed + 1))
        [ "$rate" = - ] || report "$rate" > "$out/$row-$seed.report"
    done
}

# judge STATUS PATTERN NAME ROW...: checks exit status, verdict and a line of the output of fmax.sh
# -j.
judge() {
    want=$1 pattern=$2 name=$3
    shift 3
    B=$tree FMAX_DEF=$work/fmax.def sh hw-model/lint/fmax.sh -j "$@" > "$work/said" 2>&1
    got=$?
    [ $want = 0 ] && last="fmax: PASS" || last="fmax: FAIL"
    [ "$got" = "$want" ] && grep -qE -- "$pattern" "$work/said" &&
        [ "$(tail -n 1 "$work/said")" = "$last" ]
    verdict $? "fmax $name" "$work/said"
}

size 50 4
reports one 80.1 75.0 99
judge 0 '^one +80.10 +75.00 +99.00 +75.00 +75.0 +100 +7 +4  holds$' "takes what is fast enough" one
reports one 80.1 99 74.9999
judge 1 '^one .* 74.99 +74.99 +75.0 .*  too slow$' "is decided by the slowest seed" one
grep -qE '^ +0.50 +0.50  from go_q~$' "$work/said" &&
    grep -qE '^ +2.00 +1.50  go_q -> sum~.A$' "$work/said" &&
    grep -qE '^ +2.50 +\(carry over 1 cells\)$' "$work/said" &&
    grep -qE '^ +5.00 +3.00  sum~ -> end_q~.DI$' "$work/said" &&
    grep -qE '^ +5.00 ns, 1 levels of logic, of which wires 4.00 ns$' "$work/said"
verdict $? "fmax shows the slowest path" "$work/said"
report 80 60 > "$out/one-3.report"
judge 1 '^one .* 60.00 .*too slow$' "is decided by the slowest clock" one

reports one 80 80 -
judge 1 '^one .* - +80.00 .*no report of seed 3' "misses a report" one
reports one 80 - 80
echo "ERROR: Unable to find legal placement for all cells" > "$out/one-2.why"
judge 1 'does not fit$' "says what does not fit" one
echo "ERROR: anything else" > "$out/one-2.why"
judge 1 '  ERROR: anything else$' "says why there is no report" one

reports one 80 80 80
echo 'fmax: 80' > "$out/one-1.report"
judge 1 'no report of seed 1 that can be read' "does not take garbage" one
: > "$out/one-1.report"
judge 1 'no report of seed 1' "does not take an empty report" one
report 80 | sed 's/..$//' > "$out/one-1.report"
judge 1 'no report of seed 1' "does not take half a report" one
report 80 | sed 's/"fmax": .*, "utiliz/"fmax": {}, "utiliz/' > "$out/one-1.report"
judge 1 'no report of seed 1' "does not take a report without a clock" one

reports two 80 80 80
judge 0 '^two .* 100 +7 +4  holds$' "takes what is small enough" two
size 51 4
judge 1 'COMB above 100$' "sees too many cells" two
size 50 5
judge 1 'BRAM above 4$' "sees too many block RAMs" two
size 50 4
reports one 80 80 70
judge 1 '^two .*holds$' "fails with one of two rows" one two
judge 1 'has no row three' "knows its rows" three
rm "$tree/synth/block.stat"
judge 1 'no size' "misses the size" two
size 50 4

# ---- with a stub in place of nextpnr, which writes $work/answer and exits with $work/ends ----
cat > "$work/nextpnr" <<'E2'
#!/bin/sh
for last; do [ "${before:-}" = --report ] && file=$last; before=$last; done
here=$(dirname "$0")
echo run >> "$here/runs"
echo "$*" > "$here/arguments"
cat "$here/message" >&2
cp "$here/answer" "$file"
exit "$(cat "$here/ends")"
E2
chmod +x "$work/nextpnr"

# place STATUS ENDS MESSAGE MHz PATTERN NAME: runs a row from its netlist to the verdict.
place() {
    reports one - - -
    : > "$work/runs"
    echo "$2" > "$work/ends"
    echo "$3" > "$work/message"
    report "$4" > "$work/answer"
    B=$tree FMAX_DEF=$work/fmax.def NEXTPNR=$work/nextpnr sh hw-model/lint/fmax.sh one \
        > "$work/said" 2>&1
    [ $? = "$1" ] && grep -qE -- "$5" "$work/said" && [ "$(grep -c . "$work/runs")" = 3 ]
    verdict $? "fmax $6" "$work/said"
}
place 0 0 "" 80 '^one .*holds$' "places every seed"
B=$tree FMAX_DEF=$work/fmax.def NEXTPNR=$work/nextpnr sh hw-model/lint/fmax.sh one > "$work/said" &&
    [ "$(grep -c . "$work/runs")" = 3 ]
verdict $? "fmax places nothing twice" "$work/said"
grep -q '^--25k ' "$work/arguments"
verdict $? "fmax places for the device of the row"
place 1 1 "ERROR: Max frequency for clock 'c': 70.00 MHz (FAIL at 75.00 MHz)" 70 'too slow$' \
    "reads the report of a slow design"
place 1 1 "ERROR: no BELs remaining to implement cell type 'TRELLIS_COMB'" 80 'does not fit$' \
    "takes no report of a failed program"
place 1 139 "" 80 'nextpnr ended with 139$' "takes no report of a crashed program"

# ---- tiles kept free ----
# netlist MODULE...: writes a netlist as Yosys does, with a cell in each module.
netlist() {
    printf '{\n  "creator": "Yosys",\n  "modules": {\n'
    for module; do
        printf '    "%s": {\n      "ports": {\n      },\n      "cells": {\n' "$module"
        printf '        "cell_of_%s": {\n        }\n      }\n    },\n' "$module"
    done
    printf '  }\n}\n'
}
netlist before node behind | awk -v top=node -f hw-model/lint/fmax_spare.awk > "$work/thin"
result=$?
sed -n 's/.*"BEL": "\([^"]*\)".*/\1/p' "$work/thin" > "$work/places"
sed -n 's/^ *"\(cell_of_[a-z]*\|spare\).*/\1/p' "$work/thin" | uniq | tr '\n' ' ' > "$work/said"
[ $result = 0 ] && [ "$(cat "$work/said")" = 'cell_of_before spare cell_of_node cell_of_behind ' ] &&
    [ "$(sort -u "$work/places" | grep -c '^X[0-9]*[13579]/Y[0-9]*[13579]/SLICE[A-D].K[01]$')" = 5120 ] &&
    [ "$(grep -c . "$work/places")" = 5120 ] && ! grep -qE '/Y(13|25|37)/' "$work/places"
verdict $? "fmax keeps tiles free around the node, none where block RAM is" "$work/said"
! netlist before behind | awk -v top=node -f hw-model/lint/fmax_spare.awk > "$work/thin"
verdict $? "fmax misses the module that is placed"

# ---- without nextpnr ----
mkdir "$work/bin"
printf '#!/bin/sh\necho 1000\n' > "$work/bin/id"
chmod +x "$work/bin/id"
PATH=$work/bin:$PATH B=$tree FMAX_ROOT=$work/none NEXTPNR=no-such-program FMAX_DEF=$work/fmax.def \
    sh hw-model/lint/fmax.sh one > "$work/said" 2>&1
[ $? = 1 ] && grep -q 'needs root' "$work/said" && grep -q '^fmax: FAIL$' "$work/said"
verdict $? "fmax without nextpnr and rights says what to do" "$work/said"
finish
