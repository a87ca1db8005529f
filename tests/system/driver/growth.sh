#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that programs built with another size of the extensible structures run with this library.
set -u

B=${B:-build}
CC=${CC:-gcc}
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-growth.XXXXXX") || exit 1
TERN_SIM_DIR=$dir/nics
export TERN_SIM_DIR

tap() {
    number=$((number + 1))
    [ "$1" = 0 ] && echo "ok $number - $2" && return
    echo "not ok $number - $2"
    failed=$((failed + 1))
    sed 's/^/# /' "$dir/log"
}

clean_up() {
    status=$?
    [ -z "$sim" ] || { kill -INT "$sim" 2> /dev/null; wait "$sim"; }
    rm -rf "$dir"
    exit $status
}
trap clean_up EXIT
trap 'exit 130' INT TERM

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

mkdir "$dir/nics" && mkfifo "$dir/ready" || exit 1
"$B/bin/tern-sim" --tier soft --torus 1x1x1 --dir "$dir/nics" --firmware "$B/fw/tern-fw.elf" --ready-fd 3 3> "$dir/ready" > "$dir/log" 2>&1 &
sim=$!
read -r _ < "$dir/ready"
cp "$B/lib/libtern.so" "$dir/libtern.so.0"
ln -s libtern.so.0 "$dir/libtern.so"
for kind in as_it_is smaller larger; do
    headers $kind
    # shellcheck disable=SC2086 # the compiler may be two words
    $CC -std=c11 -Wall -Werror -I"$dir/$kind" tests/system/driver/growth.c -L"$dir" -ltern -o "$dir/growth" > "$dir/log" 2>&1 &&
        LD_LIBRARY_PATH=$dir timeout 60 "$dir/growth" sim:0 > "$dir/log" 2>&1
    result=$?
    sed -n 's/^runs with completions of \([0-9]*\) bytes/# completion bytes=\1/p' "$dir/log"
    [ $result != 0 ] || cat "$dir/log" >> "$dir/sizes"
    tap $result "a program runs that was built against structures: $kind"
done
[ "$(sort -u "$dir/sizes" | grep -c runs)" = 3 ]
tap $? "the three programs know completions of different sizes"

echo "1..$number"
[ $failed = 0 ]
