# SPDX-License-Identifier: Apache-2.0
#
# Proofs of small blocks by yosys-abc. A script sets `out` (a folder) and sources this file; before
# model, it sets `asserts` to the expected "assertions assumptions". Prints TAP.
count=0 failed=0
mkdir -p "$out"

# model TOP PARAMETERS NAME SOURCE...: writes one step of the block and its harness as
# $out/NAME.aig.
model() {
    top=$1 parameters=$2 name=$out/$3
    shift 3
    read=
    for source; do
        case $source in
        *_pkg.sv) read="$read read_verilog -sv $source;" ;;
        *_proof.sv) read="$read read_verilog -sv -formal $source;" ;;
        *) read="$read read_verilog -sv -noassert $source;" ;;
        esac
    done
    ${YOSYS:-yosys} -q -e "implicitly declared" -l "$name.log" -p "
        $read hierarchy -top $top $parameters; proc; flatten; opt_clean; async2sync; dffunmap;
        memory -nomap; memory_map; opt -full; techmap; opt -fast; dffunmap; simplemap;
        setundef -undriven -anyseq; abc -g AND -fast; opt_clean; write_aiger -zinit $name.aig
        " > "$name.out" 2>&1 || return 2
    counted=$(head -n 1 "$name.aig" | cut -d ' ' -f 7,8)
    [ "$counted" = "$asserts" ] && return 0
    echo "the model has $counted assertions and assumptions" >> "$name.out"
    return 2
}

# search NAME COMMAND: 0 the assertions hold, 1 one is refuted, 2 the tool failed.
search() {
    ${YOSYS_ABC:-yosys-abc} -c "read_aiger $out/$1.aig; fold; $2" > "$out/$1.abc" 2>&1
    cat "$out/$1.abc" >> "$out/$1.out"
    grep -q '^Property proved\|^No output asserted in' "$out/$1.abc" && return 0
    grep -q 'was asserted in frame' "$out/$1.abc" && return 1
    return 2
}

# verdict TEXT WANTED GOT NAME
verdict() {
    count=$((count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $count - $1"
    else
        echo "not ok $count - $1"
        tail -n 5 "$out/$4.out" | sed 's/^/# /'
        failed=1
    fi
}

# changed SOURCE SED NAME: writes SOURCE with a fault as $out/NAME.sv; 3 if sed changes nothing.
changed() {
    sed "$2" "$1" > "$out/$3.sv"
    ! cmp -s "$1" "$out/$3.sv" && return 0
    echo "the mutation changes nothing" > "$out/$3.out"
    return 3
}

finish() {
    echo "1..$count"
    exit $failed
}
