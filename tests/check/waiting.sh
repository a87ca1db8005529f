#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks which products a change builds and runs: a comment rebuilds nothing, unit tests run before what takes
# long to build, twins run when their area has changed.
set -u
. tests/check/lib.sh
# Not what the make above was told.
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

# ---- what Verilator makes -----------------------------------------------------
# A small tree with these macros, and in the place of Verilator a script that counts.
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
# builds TIMES TITLE [VARIABLE=VALUE]: one more make brings the runs of Verilator to that number
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

# ---- the order of things ---------------------------------------------------------
# planned GOAL...: what make would do
planned() { make -n "$@" > "$work/plan" 2>&1; }
# first PATTERN: the line of the plan with that
first() { grep -n -m 1 -e "$1" "$work/plan" | cut -d : -f 1; }
B=build
planned B="$work/none" test
units=$(first 'TEST_PART=1 sh tests/run.sh unit') built=$(first "'VERIL'")
echo "unit tests at line ${units:-none} of the plan, Verilator at ${built:-none}" > "$work/out"
[ -n "$units" ] && [ -n "$built" ] && [ "$units" -lt "$built" ]
verdict $? "unit tests run before anything of Verilator is built" "$work/out"

# left_out FILE: how many twins `make test` leaves out when that file alone has changed
left_out() {
    planned B="$work/none" test CHANGED="$1"
    sed -n 's/.* || echo "\([0-9]*\) twins .*/\1/p' "$work/plan"
}
all=$(left_out docs/abi.md) chip=$(left_out hw-model/rtl/nic/tern_tx.sv) one=$(left_out tests/rtl/path/tx_tb.sv)
unknown=$(left_out unknown)
echo "left out: $all, $chip for a file of the chip, $one for a bench, $unknown for who knows what" > "$work/out"
[ "$all" -gt 30 ] && [ "$one" = $((all - 1)) ] && [ "$chip" -lt 12 ] && [ "$unknown" = 0 ]
verdict $? "twins are left out while their area has not changed, and only then" "$work/out"
grep -q 'rtl/path/tx_32' "$work/plan"
verdict $? "a twin runs where git cannot say what has changed" "$work/plan"
planned B="$work/none" test-all CHANGED=docs/abi.md
grep -q 'rtl/path/tx_32' "$work/plan" && ! grep -q 'left out;' "$work/plan"
verdict $? "make test-all leaves no twin out" "$work/plan"

# ---- the list of goals ----------------------------------------------------------
make help > "$work/out" 2>&1
awk 'length > 100' "$work/out" > "$work/wide"
empty "$work/wide" "the list of goals fits into 100 columns"
awk '/^Others/ { others = 1 } others' "$work/out" > "$work/others"
empty "$work/others" "each goal is in a group of the list"
finish
