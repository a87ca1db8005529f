#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: core.sh [quick | all | mutants] [CHECK...]
#
# Proves the checks of hw-model/formal/core about the soft core by bounded model checking. Yosys
# makes one step of the core in an arbitrary environment, yosys-abc unrolls the steps from reset, z3
# decides. docs/verification.md lists the proved properties. `quick` (the default) proves the cheap
# checks to fewer steps, `all` all of them. `mutants` breaks the core, at least once for each check,
# and expects the check to fail. Prints TAP. Run from the project root.
set -u

here=hw-model/formal/core
rtl=hw-model/rtl/core
lib="hw-model/rtl/lib/tern_addsub.sv"
out=${B:-build}/formal/core
number=0
failed=0
mkdir -p "$out"

# row CHECK: reads its line of checks.def into variables.
row() {
    line=$(sed 's/ //g' $here/checks.def | grep "^$1|") || {
        echo "core.sh: no check named $1" >&2
        exit 2
    }
    IFS='|' read -r name index asserts assumes cuts quick z3 abc <<LINE
$line
LINE
}

# pieces RTL: sets `sources`, with replacements, and Yosys commands before and after flattening.
pieces() {
    sources=$(find "$1" -name "*.sv" | grep -v "_pkg\.sv$\|_bench\.sv$\|_debug\.sv$" | sort)
    before='' after='' units=''
    for what in $(echo "$cuts" | tr , ' '); do
        case $what in
        muldiv) units="$units mul div" ;;
        watch)
            units="$units regfile"
            after="connect -set dut.u_operands.u_regfile.first watched_reg;"
            after="$after connect -set dut.u_operands.u_regfile.second other_reg;"
            ;;
        *) before="$before cutpoint tern_core/t:tern_core_$what;" ;;
        esac
    done
    for unit in $units; do
        sources=$(echo "$sources" |
            sed "s|^.*/tern_core_$unit\.sv\$|$here/cut/tern_core_$unit.sv|")
    done
    sources=$(echo "$sources" | tr '\n' ' ')
}

# model RTL OUT: writes one step of the core and the check as OUT.aig. The model must contain
# exactly the expected assertions and assumptions, because some tools drop them silently.
model() {
    if [ "$index" = unit ]; then
        read_in="read_verilog -sv $lib $1/tern_core_$name.sv;
            read_verilog -sv -formal $here/unit_$name.sv;
            hierarchy -top unit_$name; proc; flatten;"
    else
        pieces "$1"
        proof=$(echo $here/core_spec_pkg.sv $here/core_spec_[!p]*.sv $here/core_check_*.sv)
        read_in="read_verilog -sv -DTERN_RVFI $1/tern_core_pkg.sv $lib $sources;
            read_verilog -sv -formal $proof $here/core_proof.sv;
            hierarchy -top core_proof -chparam Check $index; proc; $before flatten; $after"
    fi
    ${YOSYS:-yosys} -q -e "implicitly declared" -l "$2.log" -p "$read_in
        opt_clean; async2sync; dffunmap; memory -nomap; memory_map; opt -full;
        techmap; opt -fast; dffunmap; simplemap; setundef -undriven -anyseq;
        abc -g AND -fast; opt_clean; write_aiger -zinit -map $2.map $2.aig
        " > "$2.out" 2>&1 || return 2
    counted=$(head -n 1 "$2.aig" | cut -d ' ' -f 7,8)
    [ "$counted" = "$asserts $assumes" ] && return 0
    echo "the model has $counted assertions and assumptions, not $asserts $assumes" >> "$2.out"
    return 2
}

# by_z3 OUT STEPS: 0 proved, 1 refuted, 2 the tools failed.
by_z3() {
    rm -f "$1.cnf"
    ${YOSYS_ABC:-yosys-abc} -q "read_aiger $1.aig; fold; frames -i -F $2; orpos; write_cnf $1.cnf" \
        >> "$1.out" 2>&1
    [ -s "$1.cnf" ] || return 2
    case $(${Z3:-z3} -dimacs "$1.cnf" 2>> "$1.out" | head -n 1) in
    's UNSATISFIABLE') return 0 ;;
    's SATISFIABLE') return 1 ;;
    esac
    return 2
}

# by_abc OUT STEPS: the same with the solvers of yosys-abc; `any` asks for a proof without bound.
by_abc() {
    solve="bmc3 -F $2"
    proved="^No output asserted in $2 frames"
    [ "$2" != any ] || solve=pdr proved='^Property proved'
    ${YOSYS_ABC:-yosys-abc} -c "read_aiger $1.aig; fold; $solve" > "$1.abc" 2>&1
    cat "$1.abc" >> "$1.out"
    grep -q "$proved" "$1.abc" && return 0
    grep -q 'was asserted in frame' "$1.abc" && return 1
    return 2
}

# verdict NAME WANTED GOT OUT
verdict() {
    number=$((number + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $number - $1"
        return
    fi
    echo "not ok $number - $1"
    failed=1
    case $3 in
    0) echo "# no counterexample" ;;
    1) echo "# there is a counterexample; build/formal keeps the model" ;;
    *) tail -n 5 "$4.out" | sed 's/^/# /' ;;
    esac
}

# prove CHECK: with both solvers.
prove() {
    row "$1"
    model $rtl "$out/$1" || {
        verdict "core_$1_has_its_model" 0 2 "$out/$1"
        return
    }
    if [ "$z3" != 0 ]; then
        by_z3 "$out/$1" "$z3"
        verdict "core_$1_holds_for_${z3}_steps_by_z3" 0 $? "$out/$1"
    fi
    by_abc "$out/$1" "$abc"
    verdict "core_$1_holds_for_${abc}_steps_by_abc" 0 $? "$out/$1"
}

# prove_quickly CHECK
prove_quickly() {
    row "$1"
    [ "$quick" = 0 ] && return
    model $rtl "$out/$1" && by_abc "$out/$1" "$quick"
    verdict "core_$1_holds_for_${quick}_steps" 0 $? "$out/$1"
}

# mutant CHECK NAME PART OLD NEW
mutant() {
    row "$1"
    rm -rf "${out:?}/$2"
    mkdir -p "$out/$2"
    cp $rtl/*.sv "$out/$2/"
    if printf '%s\n%s\n' "$4" "$5" |
        sh tests/sabotage/change.sh "$out/$2/tern_core${3:+_$3}.sv" 2> "$out/$2.out"; then
        model "$out/$2" "$out/$2" && by_abc "$out/$2" "$abc"
        verdict "core_$1_refuses_$2" 1 $? "$out/$2"
    else
        echo "there is no place for this change: $4" >> "$out/$2.out"
        verdict "core_$1_refuses_$2" 1 2 "$out/$2"
    fi
}

# mutants_of CHECK
mutants_of() {
    grep -v '^#\|^$' $here/mutants.def > "$out/mutants.list"
    while read -r check name part && IFS= read -r old && IFS= read -r new; do
        [ "$1" != "$check" ] || mutant "$check" "$name" "$part" "$old" "$new"
    done < "$out/mutants.list"
}

# for_each FUNCTION CHECK...: every check when none is named.
for_each() {
    action=$1
    shift
    [ $# -gt 0 ] || set -- $(sed -n 's/^\([a-z]*\) *|.*/\1/p' $here/checks.def)
    for check in "$@"; do $action "$check"; done
}

mode=${1:-quick}
[ $# -eq 0 ] || shift
case $mode in
quick) for_each prove_quickly "$@" ;;
all) for_each prove "$@" ;;
mutants) for_each mutants_of "$@" ;;
*)
    echo "usage: core.sh [quick | all | mutants] [CHECK...]" >&2
    exit 2
    ;;
esac
[ "$mode$failed" != quick0 ] || echo "# evidence B3.6 proved=$number"
echo "1..$number"
exit $failed
