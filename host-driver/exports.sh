#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: exports.sh HEADER...
#
# Prints the functions that the headers declare and do not define, one per line: the exports of the
# library. The compiler lists them, so the form of a declaration does not matter.
set -eu

list=$(mktemp) all=$(mktemp)
trap 'rm -f "$list" "$all"' EXIT
for header in "$@"; do
    # shellcheck disable=SC2086 # the compiler may be two words
    ${CC:-gcc} -std=c11 -Ihost-driver/include -Ihw-model/abi -x c -aux-info "$list" -S -o /dev/null "$header"
    cat "$list"
done > "$all"
awk '
    $2 ~ /\/tern\/[a-z_]*\.h:/ && $4 == "extern" && match($0, /tern_[a-z0-9_]+ \(/) {
        print substr($0, RSTART, RLENGTH - 2)
    }' "$all" | sort -u
