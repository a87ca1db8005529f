#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks the interface of the library: it exports exactly the functions that the installed headers
# declare; and the installed headers have a definition, which grep finds, of every constant that
# they or the examples name.
set -u
. tests/check/lib.sh

B=${B:-build}
CC=${CC:-gcc}
export CC
library=$B/lib/libtern.so

# The headers, copied as install.sh does.
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

# Compiles as an application does: with the folder above tern/ and nothing else of the tree.
for header in "$include"/*.h; do
    # shellcheck disable=SC2086 # the compiler may be two words
    $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$work/include" -x c "$header" > "$work/why" 2>&1 ||
        { echo "${header##*/}:"; cat "$work/why"; }
done > "$work/found"
empty "$work/found" "every installed header compiles with the installed headers alone"

# Names of environment variables follow a $; names that end with _ or * are families.
cat "$include"/*.h examples/*.c | grep -oE '[$]?TERN_[A-Z][A-Za-z0-9_]*[*]?' | grep -vE '^[$]|_[*]?$' | sort -u > "$work/names"
while IFS= read -r name; do
    grep -qE "^ *$name = |#define $name( |\(|$)|^ *$name,?( |$)" "$include"/*.h || echo "$name"
done < "$work/names" > "$work/found"
empty "$work/found" "grep finds the definition of every public constant in the installed headers"
# The version is 1 000 000 major + 1 000 minor + patch, the same in the header and for pkg-config.
version=$(sed -n 's/^Version: *//p' host-driver/tern.pc.in)
number=$(echo "$version" | awk -F . '{ print $1 * 1000000 + $2 * 1000 + $3 }')
grep -q "^#define TERN_VERSION ${number}u\$" host-driver/include/tern/tern.h
verdict $? "the header has the version of the package"
echo "# exports=$(grep -c . "$work/exported") constants=$(grep -c . "$work/names")"
finish
