#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: mutants.sh SEED [COUNT]
#
# Makes COUNT (40) single faults, one at a time, in firmware, driver, soft tier and chip, drawn by
# SEED (tests/tools/mutate.awk), and runs `make test` until a test fails; MUTANT_TEST is another
# command, in which MUTANT_FILE is the file with the fault. FROM and TO select some of them. Prints
# a line for each:
#
#   caught     by whom
#   invalid    it does not build, or the same code comes of it
#   survived   with the fault
#
# and fails if fewer than 95 % of the valid ones were caught. $B/mutants-SEED/changes.def has the
# faults as a table of changes.
set -u

seed=${1:?usage: mutants.sh SEED [COUNT]}
total=${2:-40}
B=${B:-build}
from=${FROM:-1}
to=${TO:-$total}
case $B in
/*) work=$B/mutants-$seed ;;
*) work=$(pwd)/$B/mutants-$seed ;;
esac
tree=$work/tree
mkdir -p "$work"
SABOTAGE_CHANGES=$work/changes.def
export SABOTAGE_CHANGES

sh tests/tools/tracked.sh > "$work/files"
grep -E '^(fw/.*\.c|host-driver/.*\.c|sim/soft/.*\.c|hw-model/rtl/(nic|net)/.*\.sv)$' "$work/files" |
    grep -vE '^(fw/tools|host-driver/tools)/' |
    xargs awk -f tests/tools/uncomment.awk |
    awk -v seed="$seed" -v count="$total" -f tests/tools/mutate.awk > "$work/changes.def"
[ "${MUTANTS_LIST:-}" = 1 ] && { cat "$work/changes.def"; exit; }

rm -rf "$tree"
mkdir -p "$tree/build"
tar -cf - -T "$work/files" | tar -xf - -C "$tree" || exit 2
[ ! -d "$B" ] || tar -cf - -C "$B" --exclude=./sabotage --exclude='./mutants*' --exclude='./cleanroom*' \
    --exclude='./pnr*' --exclude='./cbmc*' --exclude=./san --exclude=./test --exclude='./verilated/*' \
    --exclude=./ccache . | tar -xf - -C "$tree/build"

# Restores the file of the fault, and the products built from it.
put_back() {
    (cd "$tree" && find . -type f -newer "$work/before") | while IFS= read -r file; do
        case $file in
        ./build/*) origin=$B/${file#./build/} ;;
        *) origin=$file ;;
        esac
        if [ -f "$origin" ]; then cp -p "$origin" "$tree/$file"; else rm -f "$tree/$file"; fi
    done
}

caught=0 valid=0
for number in $(seq "$from" "$to"); do
    name=mutant-$seed-$number
    file=$(sh tests/sabotage/apply.sh -f "$name")
    [ -n "$file" ] || continue
    log=$work/$name.log
    touch "$work/before"
    while [ ! "$work/after" -nt "$work/before" ]; do touch "$work/after"; done
    if ! sh tests/sabotage/apply.sh "$name" "$tree" > "$log" 2>&1; then
        echo "invalid   $name $file: no place"
        put_back
        continue
    fi
    MUTANT_FILE=$file
    export MUTANT_FILE
    (cd "$tree" && B=build TEST_STOP=1 env -u MAKEFLAGS -u MAKELEVEL -u SABOTAGE_CHANGES sh -c \
        "${MUTANT_TEST:-make WERROR= VERILATOR_FATAL=-Wno-fatal CHANGED=\"\$MUTANT_FILE\" test}") > "$log" 2>&1
    status=$?
    if [ $status = 0 ]; then
        valid=$((valid + 1))
        echo "survived  $name $file"
        awk -v want="$name" '/^$/ { here = 0 } here && /^(old|new)/ { print "    " $0 } $2 == want { here = 1 }' "$work/changes.def"
    elif grep -qE '^make: \*\*\* \[.*\] Error' "$log" && ! grep -qE 'FAILED|^not ok' "$log"; then
        echo "invalid   $name $file: does not build"
    else
        valid=$((valid + 1)) caught=$((caught + 1))
        echo "caught    $name $file: $(sed -n 's/^\[[0-9/]*\] \([a-z]* [A-Za-z0-9_]*\) .* FAILED.*/\1/p; s/^not ok [0-9]* - //p' "$log" | head -n 1)"
    fi
    put_back
done
echo "$caught of $valid valid faults were caught, seed $seed"
[ $((caught * 100)) -ge $((valid * 95)) ]
