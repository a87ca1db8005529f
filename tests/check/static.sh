#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# cppcheck and clang-tidy on the C of firmware, driver and simulator.
#
# The list of clang-tidy's checks is short on purpose: each stands for a mistake
# that costs hours, none for a matter of taste.  A finding that is wrong is
# silenced where it stands, with the reason.
set -u
. tests/check/lib.sh

c_files='^(fw|host-driver|sim|examples|hw-model/(abi|model))/.*\.c$'
files "$c_files" > "$work/sources"
tr '\n' ' ' < tests/check/floors.def | sed 's/FLOOR(/\n&/g' |
    awk -F '"' '/^FLOOR/ { print "-I" $2; n = split($4, r, " "); for (i = 1; i <= n; i++) print "-I" r[i] }' |
    sort -u | tr '\n' ' ' > "$work/roots"

checks="-*,bugprone-sizeof-expression,bugprone-sizeof-container,bugprone-suspicious-*"
checks="$checks,-bugprone-suspicious-include,-bugprone-suspicious-string-compare,bugprone-integer-division"
checks="$checks,bugprone-misplaced-widening-cast"
checks="$checks,bugprone-not-null-terminated-result,bugprone-infinite-loop,bugprone-signal-handler"
checks="$checks,bugprone-too-small-loop-variable,bugprone-undefined-memory-manipulation"
checks="$checks,bugprone-signed-char-misuse,bugprone-unused-return-value,misc-redundant-expression"
checks="$checks,cert-err34-c,clang-analyzer-core.*,clang-analyzer-unix.Malloc"
checks="$checks,clang-analyzer-unix.MismatchedDeallocator,clang-analyzer-deadcode.DeadStores"

# shellcheck disable=SC2046
if [ -s "$work/sources" ]; then
    xargs cppcheck --quiet --std=c11 --enable=warning,performance,portability \
        --inline-suppr --suppress=missingIncludeSystem --suppress=preprocessorErrorDirective \
        --suppress=normalCheckLevelMaxBranches "--suppress=comparePointers:fw/boot/*" \
        --error-exitcode=1 --template='{file}:{line}: {severity}: {message} [{id}]' \
        -j 2 $(cat "$work/roots") < "$work/sources" > "$work/found" 2>&1
    verdict $? "cppcheck finds nothing" "$work/found"
else
    verdict 0 "cppcheck finds nothing"
fi

# run_tidy NAME PATTERN FLAGS...
run_tidy() {
    name=$1 pattern=$2
    shift 2
    grep -E "$pattern" "$work/sources" > "$work/some"
    : > "$work/found"
    if [ -s "$work/some" ]; then
        # shellcheck disable=SC2046
        xargs -n 4 -P 2 sh -c '
            flags=$1; checks=$2; shift 2
            clang-tidy --quiet --warnings-as-errors="*" --checks="$checks" "$@" -- $flags
        ' tidy "$* $(cat "$work/roots")" "$checks" < "$work/some" > "$work/found" 2> "$work/noise"
        status=$?
        cat "$work/found" "$work/noise" | grep -hE "(error|warning):" | sort -u > "$work/short"
        verdict $status "$name" "$work/short"
    else
        verdict 0 "$name"
    fi
}

run_tidy "clang-tidy finds nothing in the firmware" '^fw/' -std=c11 -Wno-everything \
    --target=riscv32-unknown-elf -march=rv32imc \
    -isystem /usr/lib/picolibc/riscv64-unknown-elf/include
run_tidy "clang-tidy finds nothing in driver and simulator" '^(host-driver|sim|examples|hw-model)/' \
    -std=c11 -D_GNU_SOURCE -Wno-everything
finish
