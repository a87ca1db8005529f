#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every change of the sabotage table can still be made to the tree, and that the table
# has every change that is kept. `make sabotage` finds out whether a test notices it.
set -u
. tests/check/lib.sh

tree=$work/tree
keep=$work/keep
mkdir -p "$tree"
xargs tar -cf - < "$work/files" | tar -xf - -C "$tree"
# Newer files have been changed.
find "$tree" -type f -exec touch -d 2000-01-01 {} +
cp -a "$tree" "$keep"

awk -F '"' '/^SABOTEUR\(/ { print $2 }' tests/sabotage/sabotage.def | sort -u > "$work/named"
grep -v = "$work/named" > "$work/changes"

list() {
    (cd "$1" && find . -type f) | sort
}
list "$keep" > "$work/list"

# Restores the files of the last change, and prints how many there were.
put_back() {
    list "$tree" | comm -3 - "$work/list" | tr -d '\t' > "$work/changed" # new or gone
    (cd "$tree" && find . -type f -newermt 2000-01-02) >> "$work/changed"
    while IFS= read -r file; do
        if [ -f "$keep/$file" ]; then cp -p "$keep/$file" "$tree/$file"; else rm -f "$tree/$file"; fi
    done < "$work/changed"
    grep -c . "$work/changed"
}

while IFS= read -r change; do
    sh tests/sabotage/apply.sh "$change" "$tree" > "$work/log" 2>&1
    status=$?
    count=$(put_back)
    [ $status = 0 ] && [ "$count" != 0 ] && continue
    echo "$change cannot be made: status $status, $count files changed"
    cat "$work/log"
done < "$work/changes" > "$work/out"
[ ! -s "$work/out" ] && [ -s "$work/changes" ]
verdict $? "every saboteur can be applied" "$work/out"

# Scripts that changes share are not changes.
{
    files '^tests/sabotage/[^/]*\.(sh|patch)$' | sed 's|.*/||' | grep -vxE '(run|quick|apply|change)\.sh'
    sed -n 's/^change //p' tests/sabotage/changes.def
} | sed 's/\.sh$//' | sort > "$work/kept"
sed 's/\.sh$//' "$work/changes" | sort | comm -3 - "$work/kept" > "$work/out"
[ ! -s "$work/out" ]
verdict $? "every saboteur that is kept has its row" "$work/out"

awk -F '"' '/^SABOTEUR\(/ && $6 == ""' tests/sabotage/sabotage.def > "$work/out"
[ ! -s "$work/out" ]
verdict $? "every row of the sabotage table names a test" "$work/out"
finish
