#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks which products a change builds and runs: a comment rebuilds nothing, unit tests run before
# slow builds, programs run when their area has changed.
set -u
. tests/check/lib.sh
# The inner make must not inherit the flags of the outer one.
unset MAKEFLAGS MAKELEVEL MFLAGS

# ---- SystemVerilog without comments ------------------------------------------
cat > "$work/in.sv" <<'SV'
// a remark
module a; // another
  wire b /* verilator public */; /* two
lines */ wire c = "// no comment /* here";

  // verilator lint_off UNUSEDSIGNAL
  wire d /* plain */ ;
endmodule
SV
cat > "$work/want" <<'SV'
module a;
  wire b /* verilator public */;
  wire c = "// no comment /* here";
  // verilator lint_off UNUSEDSIGNAL
  wire d   ;
endmodule
SV
awk -f tests/tools/plain.awk "$work/in.sv" > "$work/got"
diff "$work/want" "$work/got" > "$work/out"
verdict $? "comments go, but those that Verilator obeys" "$work/out"

# --- products of Verilator ----------------------------------------------------
# A small tree with these macros, and a script in place of Verilator that counts its runs.
tree=$work/tree
mkdir -p "$tree/tests/tools" "$tree/fw"
cp build.mk "$tree"
cp tests/tools/plain.awk tests/tools/packages.* "$tree/tests/tools"
cp "$work/in.sv" "$tree/fw/in.sv"
cat > "$tree/verilator" <<'TOOL'
#!/bin/sh
[ "$1" = --version ] && { echo "Verilator 5.006 "; exit; }
echo run >> runs
while [ "$1" != -o ]; do shift; done
: > "$2"
TOOL
chmod +x "$tree/verilator"
cat > "$tree/Makefile" <<'MAKE'
include build.mk
$(eval $(call v_program,$(B)/top,top,fw/in.sv,,$(MORE)))
MAKE
# builds TIMES TITLE [VARIABLE=VALUE]: after one more make, Verilator has run that many times
builds() {
    (cd "$tree" && make VERILATOR=./verilator ${3:+"$3"} build/top) > "$work/out" 2>&1
    runs=$(grep -c . "$tree/runs" 2> /dev/null)
    echo "Verilator ran $runs times, not $1" >> "$work/out"
    [ "$runs" = "$1" ]
    verdict $? "$2" "$work/out"
}
later() { touch -d "+$1 seconds" "$tree/fw/in.sv"; }
builds 1 "a product of Verilator is made"
echo "// one more remark" >> "$tree/fw/in.sv" && later 10
builds 1 "a comment rebuilds nothing"
echo "# one more line" >> "$tree/build.mk"
builds 1 "a line of a makefile rebuilds nothing that Verilator made"
builds 2 "another command rebuilds" MORE=-O0
echo "wire e;" >> "$tree/fw/in.sv" && later 20
builds 3 "a line of code rebuilds" MORE=-O0
cp -rp "$tree" "$work/copy" && tree=$work/copy
builds 3 "a copy of the tree builds nothing again" MORE=-O0

# ---- order of the steps ---------------------------------------------------------
# planned GOAL...: writes the steps that make would take to $work/plan
planned() { make -n "$@" > "$work/plan" 2>&1; }
# first PATTERN: the first matching line of the plan
first() { grep -n -m 1 -e "$1" "$work/plan" | cut -d : -f 1; }
B=build
planned B="$work/none" test
units=$(first 'TEST_PART=1 sh tests/run.sh unit') built=$(first "'VERIL'")
echo "unit tests at line ${units:-none} of the plan, Verilator at ${built:-none}" > "$work/out"
[ -n "$units" ] && [ -n "$built" ] && [ "$units" -lt "$built" ]
verdict $? "unit tests run before anything of Verilator is built" "$work/out"

# left_out GOAL FILE [PATTERN]: how many matching programs the goal leaves out when only that file
# has changed, with none drawn
left_out() {
    planned B="$work/none" "$1" CHANGED="$2" DRAW="${draw:-0}"
    grep -c "${3:-.}" "$work/none/test/left-out-$1"
}
all=$(left_out test docs/abi.md) chip=$(left_out test hw-model/rtl/nic/tern_tx.sv soft_)
one=$(left_out test tests/rtl/path/tx_tb.sv rtl/path/) paths=$(left_out test docs/abi.md rtl/path/)
bench=$(left_out test hw-model/rtl/nic/tern_tx.sv rtl/path/tx) firmware=$(left_out test fw/op/quick.c soft_)
unknown=$(left_out test unknown)
echo "left out: $all; $chip of soft for a file of the chip, $bench of its benches, $firmware for firmware; of \
$paths benches $one for a file of their own; $unknown for who knows what" > "$work/out"
[ "$all" -gt 90 ] && [ "$paths" -gt 5 ] && [ "$one" = 0 ] && [ "$chip" -gt 40 ] && [ "$bench" = 0 ] &&
    [ "$firmware" = 0 ] && [ "$unknown" = 0 ]
verdict $? "programs are left out while their area has not changed, and only then" "$work/out"
[ "$(left_out test docs/abi.md '/driver_puts$')" = 0 ] && [ "$(left_out test docs/abi.md '/driver_gets$')" = 1 ]
verdict $? "a twin that is kept on rtl runs each time"
docs=$(left_out check docs/abi.md) core=$(left_out check hw-model/rtl/core/tern_core_alu.sv) c=$(left_out check fw/op/quick.c synth)
echo "make check leaves out: $docs, $core for a file of the core, $c synthesis for firmware" > "$work/out"
[ "$docs" -gt 25 ] && [ "$core" -lt 18 ] && [ "$c" = 3 ]
verdict $? "make check leaves out what has not changed" "$work/out"
# each commit draws different programs
: > "$work/nothing"
for commit in 1 2 3; do
    awk -v commit=$commit -v one_in=12 -f tests/tools/left_out.awk tests/areas.def "$work/nothing" "$work/none/test/programs" \
        > "$work/left$commit"
done
drawn=$(cat "$work"/left[123] | sort | uniq -c | awk '$1 < 3' | grep -c .)
same=$(cat "$work"/left[12] | sort | uniq -c | awk '$1 < 2' | grep -c .)
echo "three commits draw $drawn, the first two differ in $same" > "$work/out"
[ "$drawn" -gt 20 ] && [ "$same" -gt 10 ]
verdict $? "each commit draws some of what it would leave out" "$work/out"
planned B="$work/none" test CHANGED=unknown
grep -q 'rtl/path/tx_32' "$work/none/test/rtl.list" && [ ! -s "$work/none/test/left-out-test" ]
verdict $? "a twin runs where git cannot say what has changed" "$work/plan"
planned B="$work/none" test-all CHANGED=docs/abi.md && grep -q 'rtl/path/tx_32' "$work/none/test/rtl.list" &&
    planned B="$work/none" check-all CHANGED=docs/abi.md && grep -q 'formal/torus' "$work/none/test/check.list"
verdict $? "make test-all and check-all leave nothing out" "$work/plan"
# a pattern of the table that matches no file is an error
sed -n 's/^\(AREA\|OF\)([^"]*"\([^"]*\)".*"\([^"]*\)")$/\3/p; s/^AREA([^"]*"\([^"]*\)")$/\1/p' tests/areas.def | tr ' ' '\n' |
    sort -u > "$work/words"
sed -n 's/^AREA(\([a-z]*\),.*/\1/p; $s/.*/sources/p' tests/areas.def > "$work/names"
grep -vxF -f "$work/names" "$work/words" | while IFS= read -r pattern; do
    grep -q -e "^$(echo "$pattern" | sed 's/[.]/[.]/g; s/[*]/.*/g')\$" "$work/files" || echo "$pattern"
done > "$work/nowhere"
empty "$work/nowhere" "each file that the table of areas names is there"

# ---- the list of goals ----------------------------------------------------------
make help > "$work/out" 2>&1
awk 'length > 100' "$work/out" > "$work/wide"
empty "$work/wide" "the list of goals fits into 100 columns"
awk '/^Others/ { others = 1 } others' "$work/out" > "$work/others"
empty "$work/others" "each goal is in a group of the list"
finish
