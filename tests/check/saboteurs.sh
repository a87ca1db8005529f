#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Every change of the sabotage table can still be made to the tree, and every one that is kept is in the table.
# Whether a test notices it is for `make sabotage`.
set -u
. tests/check/lib.sh

tree=$work/tree
keep=$work/keep
root=$(pwd)
mkdir -p "$tree"
xargs tar -cf - < "$work/files" | tar -xf - -C "$tree"
# What is younger than this has been changed.
find "$tree" -type f -exec touch -d 2000-01-01 {} +
cp -a "$tree" "$keep"

awk -F '"' '/^SABOTEUR\(/ { print $2 }' tests/sabotage/sabotage.def | sort -u > "$work/named"
grep -v = "$work/named" > "$work/changes"

apply() {
    case $1 in
    *.sh) (cd "$tree" && sh -eu "$root/tests/sabotage/$1") ;;
    *) patch -d "$tree" -p1 -s -f < "tests/sabotage/$1" ;;
    esac
}

list() {
    (cd "$1" && find . -type f) | sort
}
list "$keep" > "$work/list"

# Puts back what the last change changed, and prints how many files that were.
put_back() {
    list "$tree" | comm -3 - "$work/list" | tr -d '\t' > "$work/changed" # new or gone
    (cd "$tree" && find . -type f -newermt 2000-01-02) >> "$work/changed"
    while IFS= read -r file; do
        if [ -f "$keep/$file" ]; then cp -p "$keep/$file" "$tree/$file"; else rm -f "$tree/$file"; fi
    done < "$work/changed"
    grep -c . "$work/changed"
}

while IFS= read -r change; do
    apply "$change" > "$work/log" 2>&1
    status=$?
    count=$(put_back)
    [ $status = 0 ] && [ "$count" != 0 ] && continue
    echo "$change cannot be made: status $status, $count files changed"
    cat "$work/log"
done < "$work/changes" > "$work/out"
[ ! -s "$work/out" ] && [ -s "$work/changes" ]
verdict $? "every saboteur can be applied" "$work/out"

# change.sh is what they share.
files '^tests/sabotage/[^/]*\.(sh|patch)$' | sed 's|.*/||' |
    grep -vxE 'run\.sh|quick\.sh|change\.sh' | sort > "$work/kept"
comm -3 "$work/changes" "$work/kept" > "$work/out"
[ ! -s "$work/out" ]
verdict $? "every saboteur that is kept has its row" "$work/out"
finish
