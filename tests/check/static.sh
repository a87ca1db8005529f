#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs cppcheck and clang-tidy on the C of firmware, driver and simulator.
#
# They check each folder with the include roots of its floor, as it is compiled. They check a source
# if it, or a header that it includes, has changed since the last commit, or if the commit selects
# it; with CHECK_ALL=1 all sources. The list of clang-tidy's checks is short on purpose: each finds
# errors that cost hours, none is about taste. A false finding is silenced at its place, with the
# reason.
set -u
. tests/check/lib.sh
. tests/tools/since.sh

checks="-*,bugprone-sizeof-expression,bugprone-sizeof-container,bugprone-suspicious-*"
checks="$checks,-bugprone-suspicious-include,-bugprone-suspicious-string-compare"
checks="$checks,bugprone-integer-division,bugprone-misplaced-widening-cast"
checks="$checks,bugprone-not-null-terminated-result,bugprone-infinite-loop,bugprone-signal-handler"
checks="$checks,bugprone-too-small-loop-variable,bugprone-undefined-memory-manipulation"
checks="$checks,bugprone-signed-char-misuse,bugprone-unused-return-value,misc-redundant-expression"
checks="$checks,clang-analyzer-core.*,clang-analyzer-unix.MismatchedDeallocator"
checks="$checks,clang-analyzer-deadcode.DeadStores"
# A program may end without freeing its memory; a library must not leak any.
library_checks="$checks,clang-analyzer-unix.Malloc"

core_flags="-std=c11 -Wno-everything --target=riscv32-unknown-elf -march=rv32imc"
core_flags="$core_flags -isystem /usr/lib/picolibc/riscv64-unknown-elf/include"
host_flags="$(pkg-config --cflags python3 2> /dev/null | sed 's/-I/-isystem /g') -std=c11 -Wno-everything -D_GNU_SOURCE -DTERN_VERSION_TEXT=\"0\" -DTERN_MODEL_KINDS=&tern_model_kind_sim_2,"
# The makefiles define these for each board; their values do not matter here.
for name in FLASH_BASE SLOT_BYTES BAUD CLOCK_HZ; do
    host_flags="$host_flags -DTERN_BOARD_$name=4096"
done

# "file<TAB>-I roots" for every source, by the longest folder of floors.def.
tr '\n' ' ' < tests/check/floors.def | sed 's/FLOOR(/\n&/g' |
    awk -F '"' '/^FLOOR/ { print $2 "\t" $4 }' > "$work/floors"
files '^(fw|host-driver|sim|examples|hw-model/(abi|model))/.*\.c$' |
    awk -F '\t' -v floors="$work/floors" '
        BEGIN { while ((getline < floors) > 0) roots[$1] = $2 }
        {
            folder = own = $0
            sub(/\/[^\/]*$/, "", own)
            while (sub(/\/[^\/]*$/, "", folder) && !(folder in roots)) ;
            flags = "-I" own " -I" folder
            n = split(roots[folder], root, " ")
            for (i = 1; i <= n; i++) flags = flags " -I" root[i]
            print $0 "\t" flags
        }' > "$work/every"

# Finding the sources that include a file takes long; it is done only if a header, or a table that
# sources include, has changed.
since_read "$work/changed"
grep -q '[.]\(h\|def\)$' "$work/changed" && deep=1 || deep=
while IFS=$(printf '\t') read -r source roots; do
    # shellcheck disable=SC2046,SC2086 # words
    since_wanted "$source" "$source" tests/check/static.sh tests/check/floors.def \
        $([ -z "$deep" ] || gcc -MM -MG -D_GNU_SOURCE $roots "$source" 2> /dev/null | tr -s ' \\' '\n') &&
        printf '%s\t%s\n' "$source" "$roots"
done < "$work/every" > "$work/sources"

# each COMMAND: runs it for every source of standard input, two at a time, with the file in $file
# and its roots in $roots; the output goes to $work/said.
each() {
    xargs -r -d '\n' -n 1 -P 2 sh -c '
        file=${1%%	*} roots=${1#*	}
        '"$1" each > "$work/said" 2>&1
}

each 'cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective \
        --suppress=normalCheckLevelMaxBranches "--suppress=comparePointers:fw/boot/*" \
        --suppress=invalidPrintfArgType_uint --suppress=invalidPrintfArgType_sint \
        --template="{file}:{line}: {severity}: {message} [{id}]" $roots "$file"' < "$work/sources"
sort -u "$work/said" > "$work/found"
empty "$work/found" "cppcheck finds nothing"

# tidy NAME PATTERN CHECKS FLAGS: checks the sources that match.
tidy() {
    grep -E "$2" "$work/sources" > "$work/some"
    CHECKS=$3 FLAGS=$4
    export CHECKS FLAGS
    # shellcheck disable=SC2016
    each 'clang-tidy --quiet --checks="$CHECKS" "$file" -- $FLAGS $roots' < "$work/some"
    grep -hE ': (error|warning): ' "$work/said" | sort -u > "$work/found"
    empty "$work/found" "$1"
}

tidy "clang-tidy finds nothing in the firmware" '^fw/(proto|drv|loop|control|handshake|op|state|boot|hal/target)/' \
    "$library_checks" "$core_flags"
tidy "clang-tidy finds nothing in driver and simulator" \
    '^(host-driver/[a-su-z]|host-driver/transport|sim/|hw-model/model)' "$library_checks" "$host_flags"
tidy "clang-tidy finds nothing in the tools" '^(host-driver/tools|fw/tools|examples|hw-model/abi)/' \
    "$checks" "$host_flags"
echo "# sources: $(grep -c . "$work/sources") of $(grep -c . "$work/every")"
finish
