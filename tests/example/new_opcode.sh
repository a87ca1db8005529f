#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The worked example of docs/new-opcode.md: adds an opcode in a copy of the tree. It changes nothing
# of the chip, its model and the simulator, and works on both tiers; on rtl it uses the existing
# model.
set -u
. tests/check/lib.sh

B=${B:-build}
copy=$B/example/ask
log=$(pwd)/$B/example/ask.log

copy_tree() {
    rm -rf "$copy"
    mkdir -p "$copy/build"
    tar -cf - -T "$work/files" | tar -xf - -C "$copy" &&
        tar -cf - -C "$B" abi lib obj fw bin plain told | tar -xf - -C "$copy/build"
}

in_copy() {
    (cd "$copy" && env -u MAKEFLAGS -u MAKELEVEL -u B "$@") > "$log" 2>&1
}

# Prints what differs in the copy, except build products.
changed() {
    while IFS= read -r file; do
        cmp -s "$file" "$copy/$file" || echo "$file"
    done < "$work/files"
    (cd "$copy" && find . -path ./build -prune -o -type f -print) | sed 's|^\./||' | sort |
        comm -13 "$work/sorted" -
}

sort "$work/files" > "$work/sorted"
copy_tree && in_copy sh tests/example/ask/apply.sh && in_copy make abi
verdict $? "the example can be applied" "$log"

changed > "$work/changed"
echo "# evidence B7.20 files=$(grep -c . "$work/changed")"
grep -E '^(hw-model/rtl|hw-model/model|sim)/' "$work/changed" > "$work/found"
empty "$work/found" "it changes no file of the chip, its model and the simulator"
[ "$tap_failed" = 0 ] || finish # else another model would be built

in_copy make -j2 build/tests/system/driver_asks
verdict $? "it builds" "$log"
cmp -s "$B/lib/libternmodel-checked.a" "$copy/build/lib/libternmodel-checked.a"
verdict $? "with the model that was built before"

for tier in rtl soft; do
    in_copy env TIER=$tier build/tests/system/driver_asks
    verdict $? "it does what it shall on $tier" "$log"
done
[ "$tap_failed" != 0 ] || rm -rf "$copy"
finish
