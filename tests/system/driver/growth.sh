#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that programs built with another size of the extensible structures run with this library.
set -u

CC=${CC:-gcc}
TIER=soft
. tests/system/demo/nics.sh

# headers KIND: makes headers of a library whose structures have fewer fields, or more.
headers() {
    mkdir -p "$dir/$1/tern"
    cp host-driver/include/tern/*.h "$B/lib/include/tern_abi.h" "$dir/$1/tern/"
    awk -v kind="$1" '
        /^struct tern_(completion|info|region_attr) \{$/ { inside = 1 }
        inside && /^};$/ {
            if (kind == "larger") print "    uint64_t later[3];"
            inside = 0
        }
        inside && kind == "smaller" && /const void \*data;|bool modelled;|uint32_t key; / { next }
        { print }' host-driver/include/tern/tern.h > "$dir/$1/tern/tern.h"
}

start_sim --torus 1x1x1
cp "$B/lib/libtern.so" "$dir/libtern.so.0"
ln -s libtern.so.0 "$dir/libtern.so"
for kind in as_it_is smaller larger; do
    headers $kind
    # shellcheck disable=SC2086 # the compiler may be two words
    $CC -std=c11 -Wall -Werror -I"$dir/$kind" tests/system/driver/growth.c -L"$dir" -ltern -o "$dir/growth" > "$dir/out.log" 2>&1 &&
        LD_LIBRARY_PATH=$dir timeout 60 "$dir/growth" sim:0 > "$dir/out.log" 2>&1
    result=$?
    sed -n 's/^runs with completions of \([0-9]*\) bytes/# completion bytes=\1/p' "$dir/out.log"
    [ $result != 0 ] || cat "$dir/out.log" >> "$dir/sizes"
    tap $result "a program runs that was built against structures: $kind"
done
[ "$(sort -u "$dir/sizes" | grep -c runs)" = 3 ]
tap $? "the three programs know completions of different sizes"

echo "1..$number"
[ $failed = 0 ]
