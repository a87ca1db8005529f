#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: mutants.sh all|quick|NAME...
#
# Builds the core once for each fault of mutants.def, on the lock-step bench, and checks that the
# random programs find the fault or, if they do not, the directed ones.
#
# TAP on stdout, with the table as comments; run from the project root by make, which names the
# core's sources in CORE_SOURCES and the archive of the golden model in LOCKSTEP_LIB.  JOBS
# mutants are tried at a time.
set -u

B=${B:-build}
work=$B/mutants
here=tests/core/mutants
table=${MUTANTS_TABLE:-$here/mutants.def}
bench=tests/core/golden/lockstep_bench.sv
jobs=${JOBS:-2}
limit_s=600 # a limit that only a run that finds nothing reaches
instructions=2000000
: "${CORE_SOURCES:?}" "${LOCKSTEP_LIB:?}"

# Prints the wanted rows as area<TAB>name<TAB>file<TAB>old<TAB>new.
rows() {
    awk -v want=" $* " '
        /^MUTANT\(/ { row = "" }
        { row = row $0 }
        /^MUTANT\(/, /\)$/ {
            if (row !~ /\)$/ || split(row, q, "\"") != 9) next
            area = q[1]
            gsub(/^MUTANT\(|[, ]/, "", area)
            if (want == " all " || (want == " quick " && q[9] ~ /1/) || index(want, " " q[2] " "))
                print area "\t" q[2] "\t" q[4] "\t" q[6] "\t" q[8]
        }' "$table"
}

# mutate FILE OLD NEW: OLD must occur in one line of FILE.
mutate() {
    [ "$(grep -cF -e "$2" "$1")" = 1 ] || return 1
    printf '%s\n%s\n' "$2" "$3" | sh tests/sabotage/change.sh "$1"
}

# bench_of PLACE TOP PROGRAM SOURCE...: builds a bench with the mutated core, with the cheapest
# options.
bench_of() {
    place=$1 top=$2 program=$3
    shift 3
    mkdir -p "$place/$top"
    {
        "${VERILATOR:-verilator}" --cc -sv --default-language 1800-2017 --assert -O3 \
            --x-assign fast --x-initial fast -Wno-fatal -Wno-lint -Wno-style --exe --main --timing \
            -DTERN_RVFI --top-module "$top" -Mdir "$place/$top" -o "$(pwd)/$program" "$@" &&
            cp "$work"/runtime/* "$place/$top/" &&
            env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$place/$top" -f "V$top.mk" \
                OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0
    } > "$place/$top.log" 2>&1
}

# Prints the sources of the core, with those below hw-model/rtl/core taken from PLACE.
sources_in() {
    for source in $CORE_SOURCES; do
        case $source in
        hw-model/rtl/core/*) echo "$(pwd)/$1/rtl/${source##*/}" ;;
        *) echo "$(pwd)/$source" ;;
        esac
    done
}

# Runs the random programs; true when they find the fault.
random_finds() {
    # shellcheck disable=SC2046 # a list of files
    bench_of "$1" lockstep_bench "$1/lockstep" $(sources_in "$1") "$(pwd)/$bench" \
        "$(pwd)/$LOCKSTEP_LIB" || return 2
    timeout "$limit_s" "$1/lockstep" +whole "+instructions=$instructions" > "$1/random.out" 2>&1
    case $? in 0 | 124) return 1 ;; esac
}

# Runs the directed programs, on a bench of the mutated core in a folder laid out like the project.
directed_finds() {
    mkdir -p "$1/build/core"
    for file in "$B"/core/*.elf "$B/core/elfrun"; do
        ln -sf "$(pwd)/$file" "$1/build/core/"
    done
    # shellcheck disable=SC2046 # a list of files
    bench_of "$1" tern_core_bench "$1/build/core/bench" $(sources_in "$1") \
        "$(pwd)/hw-model/rtl/core/tern_core_bench.sv" "$(pwd)/$B/core/libbenchexit.a" || return 2
    directed=$(pwd)/$B/core/test_core_directed
    (cd "$1" && timeout "$limit_s" "$directed") > "$1/directed.out" 2>&1
    [ $? != 0 ] && grep -q '^not ok' "$1/directed.out"
}

# Summarises the output of the random programs: instructions<TAB>difference.
random_words() {
    awk '
        /^# first difference: / { sub(/^# first difference: seed [0-9]*, /, ""); what = $0 }
        /^# instructions before it: / { n = $NF }
        /Assertion failed/ && what == "" {
            sub(/.*Assertion failed in [^:]*\.(u_core\.)?/, ""); sub(/:.*/, "")
            what = "assertion " $0
        }
        END { printf "%s\t%s", n == "" ? "-" : n, what == "" ? "see random.out" : what }' "$1"
}

# Writes a verdict to PLACE/verdict: ok or bad<TAB>by<TAB>instructions<TAB>message.
judge() {
    random_finds "$1"
    case $? in
    0) printf 'ok\trandom\t%s\n' "$(random_words "$1/random.out")"; return ;;
    2) printf 'bad\tnothing\t-\tit does not build: %s\n' "$1/lockstep_bench.log"; return ;;
    esac
    directed_finds "$1"
    case $? in
    0) printf 'ok\tdirected\t-\t%s\n' \
        "$(sed -n 's/^not ok [0-9]* - //p' "$1/directed.out" | head -n 1)" ;;
    2) printf 'bad\tnothing\t-\tthe bench does not build: %s\n' "$1/tern_core_bench.log" ;;
    *) printf 'bad\tnothing\t-\tevery test passes\n' ;;
    esac
}

# try_one NAME FILE OLD NEW
try_one() {
    place=$work/$1
    rm -rf "$place"
    mkdir -p "$place/rtl"
    cp hw-model/rtl/core/*.sv "$place/rtl"
    if [ -f "$place/rtl/$2" ] && mutate "$place/rtl/$2" "$3" "$4"; then
        judge "$place" > "$place/verdict"
    else
        printf 'bad\tnothing\t-\tits place in %s is not there, or not the only one\n' "$2" \
            > "$place/verdict"
    fi
    rm -rf "$place/lockstep_bench" "$place/tern_core_bench" "$place/lockstep"
}

# Builds Verilator's common parts once, and checks that the core without a fault agrees.
prepare() {
    rm -rf "$work/runtime"
    mkdir -p "$work/runtime"
    cp -p "$B"/verilated/core/lockstep/verilated*.[od] "$work/runtime/" || return 1
    "$B/core/lockstep" +programs=200 > "$work/unchanged.out" 2>&1
}

# report COUNT: prints the results of the next COUNT rows of descriptor 4.
report() {
    while [ "$1" -gt 0 ] && IFS="$tab" read -r area name file old new <&4; do
        set -- $(($1 - 1))
        number=$((number + 1))
        IFS="$tab" read -r verdict by after how < "$work/$name/verdict"
        if [ "$verdict" = ok ]; then
            found=$((found + 1))
            echo "ok $number - mutant $name is caught"
        else
            echo "not ok $number - mutant $name is caught"
        fi
        printf '# %-10s %-33s %-8s %6s  %s\n' "$area" "$name" "$by" "$after" "$how"
    done
}

# Writes the record that make conformance reads.
record() {
    mkdir -p "$B/test/mutants"
    {
        echo "$1"
        echo "# evidence B3.1 mutants=$total caught=$found"
    } | tee "$B/test/mutants/mutants.tap"
    counts="1 0 0"
    [ "$found" = "$total" ] || counts="0 1 0"
    echo "$counts" > "$B/test/mutants/mutants.result"
}

tab=$(printf '\t')
mkdir -p "$work"
rows "$@" > "$work/rows"
total=$(grep -c . "$work/rows")
[ "$total" != 0 ] || { echo "mutants.sh: no mutant $*" >&2; exit 2; }

if ! prepare; then
    echo "not ok 1 - the core without a fault agrees"
    echo "# see $work/unchanged.out"
    echo "1..1"
    exit 1
fi
echo "ok 1 - the core without a fault agrees"
echo "# area       mutant                            found by  after  how"

number=1 found=0 running=0
exec 4< "$work/rows"
while IFS="$tab" read -r area name file old new; do
    try_one "$name" "$file" "$old" "$new" < /dev/null &
    running=$((running + 1))
    [ "$running" = "$jobs" ] || continue
    wait
    report "$running"
    running=0
done < "$work/rows"
wait
report "$running"

verdict="ok $((number + 1)) - every fault put into the core is found"
[ "$found" = "$total" ] || verdict="not $verdict"
if [ "$*" = all ]; then
    number=$((number + 1))
    record "$verdict"
fi
echo "1..$number"
echo "# $found of $total caught"
[ "$found" = "$total" ]
