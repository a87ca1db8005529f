#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every header compiles alone, with the include roots of its floor; a public one also as
# C++, those of the firmware for the core.
set -u
. tests/check/lib.sh

RVCC=${RVCC:-riscv64-unknown-elf-gcc}
warnings='-Wall -Wextra -Werror'
tr '\n' ' ' < tests/check/floors.def | sed 's/FLOOR(/\n&/g' |
    awk -F '"' '/^FLOOR/ { print $2 "\t" $4 }' > "$work/floors"

# roots_of FILE: -I flags of its floor, its own folder first.
roots_of() {
    awk -F '\t' -v file="$1" '
        index(file, $1 "/") == 1 && length($1) > length(best) { best = $1; roots = $2 }
        END {
            sub(/\/[^\/]*$/, "", file)
            printf "-I%s -I%s", file, best
            n = split(roots, root, " ")
            for (i = 1; i <= n; i++) printf " -I%s", root[i]
        }' "$work/floors"
}

# shellcheck disable=SC2046,SC2086 # flags are words
compile() {
    case $1 in
    fw/*) $RVCC -march=rv32imc_zicsr_zifencei -mabi=ilp32 --specs=picolibc.specs \
        -std=c11 $warnings -fsyntax-only $(roots_of "$1") -x c "$1" ;;
    host-driver/python/*) gcc -std=c11 $warnings -fsyntax-only $(roots_of "$1") \
        $(pkg-config --cflags python3 | sed 's/-I/-isystem /g') -x c "$1" ;;
    *) gcc -std=c11 $warnings -fsyntax-only $(roots_of "$1") -x c "$1" ;;
    esac
}

# Those of the module for Python compile where Python has headers.
files '^(hw-model|fw|host-driver|sim)/.*\.h$' |
    { pkg-config --exists python3 2> /dev/null && cat || grep -v '^host-driver/python/'; } > "$work/headers"
while IFS= read -r header; do
    compile "$header" > "$work/why" 2>&1 || { echo "$header:"; cat "$work/why"; }
done < "$work/headers" > "$work/found"
empty "$work/found" "every header compiles alone"

grep '^host-driver/include/' "$work/headers" | while IFS= read -r header; do
    # shellcheck disable=SC2046,SC2086
    g++ -std=c++17 $warnings -fsyntax-only $(roots_of "$header") -x c++ "$header" \
        > "$work/why" 2>&1 || { echo "$header:"; cat "$work/why"; }
done > "$work/found"
empty "$work/found" "every public header compiles as C++"
echo "# headers: $(grep -c . "$work/headers")"
finish
