#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that no line of C or RTL is longer than 100 columns, except as many per file as columns.def
# allows.
set -u
. tests/check/lib.sh

files '\.(c|h|sv)$' | grep -v '^hw-model/rtl/abi/' | xargs awk 'length($0) > 100 { n[FILENAME]++; at[FILENAME] = at[FILENAME] " " FNR }
    END { for (f in n) print f "\t" n[f] "\t" at[f] }' > "$work/long"
sed -n 's/^COLUMNS_LEFT("\(.*\)", *\([0-9]*\))$/\1	\2/p' tests/check/columns.def > "$work/left"
awk -F '\t' 'FILENAME ~ /left$/ { left[$1] = $2; next }
    $2 > left[$1] + 0 { print $1 ": " $2 " lines of more than 100 columns, " left[$1] + 0 " are left to it:" $3 }' \
    "$work/left" "$work/long" > "$work/found"
empty "$work/found" "no line of C or RTL is longer than 100 columns, but for those left"
echo "# long=$(awk -F '\t' '{ n += $2 } END { print n + 0 }' "$work/long")"
[ -z "${COLUMNS_COUNT:-}" ] || awk -F '\t' '{ printf "COLUMNS_LEFT(\"%s\", %d)\n", $1, $2 }' "$work/long" | sort
finish
