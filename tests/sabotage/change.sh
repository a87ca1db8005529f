#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage: change.sh FILE < two lines
#
# Replaces the first occurrence of the first line in FILE by the second; fails when there is none.
set -eu
file=$1
IFS= read -r old
IFS= read -r new
grep -qF -e "$old" "$file"
OLD=$old NEW=$new awk '
    !done && (at = index($0, ENVIRON["OLD"])) {
        $0 = substr($0, 1, at - 1) ENVIRON["NEW"] substr($0, at + length(ENVIRON["OLD"]))
        done = 1
    }
    { print }' "$file" > "$file.new"
cat "$file.new" > "$file"
rm "$file.new"
