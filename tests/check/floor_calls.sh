#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that no call of the firmware goes up a floor (floors.def), and that there is no cycle of
# calls between files. Calls are references in the symbol tables of the objects, so a missing
# include or a declaration by hand hides nothing.
set -u
. tests/check/lib.sh

objects=${B:-build}/obj/fw/tern-fw.elf/
tr '\n' ' ' < tests/check/floors.def | sed 's/FLOOR(/\n&/g' |
    awk -F '"' '/^FLOOR/ { print $2 "\t" $4 }' > "$work/floors"
files "^fw/.*\\.(c|S)$" | sed "s|^|$objects|; s|\\.[cS]\$|.o|" | xargs ls 2> "$work/absent" |
    xargs "${RVPREFIX:-riscv64-unknown-elf-}nm" -A |
    awk -v strip="$objects" -v floors="$work/floors" -f tests/check/knots.awk | sort > "$work/calls"

grep '^up ' "$work/calls" > "$work/found"
empty "$work/found" "no call of the firmware goes up a floor"

grep '^knot ' "$work/calls" > "$work/found"
empty "$work/found" "no files of the firmware call each other in a circle"

read -r _ files _ calls <<E2
$(grep '^files ' "$work/calls")
E2
echo "# evidence firmware files=$files calls=$calls"
[ "$files" -ge 40 ] && [ "$calls" -ge 100 ]
verdict $? "the objects and their calls were found"
finish
