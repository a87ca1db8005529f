#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The interface of the library: its exports are the functions that the installed headers declare, no
# others; and the installed headers have a definition of every constant that they or the examples
# name, where grep finds it.
set -u
. tests/check/lib.sh

B=${B:-build}
CC=${CC:-gcc}
export CC
library=$B/lib/libtern.so

# As install.sh copies them.
include=$work/include/tern
mkdir -p "$include"
cp host-driver/include/tern/*.h "$B/lib/include/tern_abi.h" "$include/"

sh host-driver/exports.sh host-driver/include/tern/*.h > "$work/declared"
nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/exported"
[ "$(grep -c . "$work/declared")" -gt 100 ]
verdict $? "the declarations were found"
comm -23 "$work/declared" "$work/exported" > "$work/found"
empty "$work/found" "every function that a header declares is exported"
comm -13 "$work/declared" "$work/exported" > "$work/found"
empty "$work/found" "nothing else is exported"

# Compiled as an application does it: the folder above tern/, nothing of the tree.
for header in "$include"/*.h; do
    # shellcheck disable=SC2086 # the compiler may be two words
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$work/include" -x c "$header" > "$work/why" 2>&1 ||
        { echo "${header##*/}:"; cat "$work/why"; }
done > "$work/found"
empty "$work/found" "every installed header compiles with the installed headers alone"

# Names of the environment have a $ before them; those with a _ or * behind them are families.
cat "$include"/*.h examples/*.c | grep -oE '[$]?TERN_[A-Z][A-Za-z0-9_]*[*]?' | grep -vE '^[$]|_[*]?$' | sort -u > "$work/names"
while IFS= read -r name; do
    grep -qE "^ *$name = |#define $name( |\(|$)|^ *$name,?( |$)" "$include"/*.h || echo "$name"
done < "$work/names" > "$work/found"
empty "$work/found" "grep finds the definition of every public constant in the installed headers"
# 1 000 000 major + 1 000 minor + patch, in the header and where pkg-config finds it.
version=$(sed -n 's/^Version: *//p' host-driver/tern.pc.in)
number=$(echo "$version" | awk -F . '{ print $1 * 1000000 + $2 * 1000 + $3 }')
grep -q "^#define TERN_VERSION ${number}u\$" host-driver/include/tern/tern.h
verdict $? "the header has the version of the package"
echo "# exports=$(grep -c . "$work/exported") constants=$(grep -c . "$work/names")"
finish
