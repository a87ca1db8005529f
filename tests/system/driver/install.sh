#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs into an empty folder and uses nothing else: the example, copied out of the tree, builds with
# pkg-config and puts between two NICs of the installed simulator.
set -u

B=${B:-build}
number=0 failed=0 sim=
dir=$(mktemp -d "${TMPDIR:-/tmp}/tern-install.XXXXXX") || exit 1
prefix=$dir/tern
PKG_CONFIG_PATH=$prefix/lib/pkgconfig
TERN_SIM_DIR=$dir/nics
export PKG_CONFIG_PATH TERN_SIM_DIR

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

sh host-driver/tools/install.sh '' "$prefix" > "$dir/log" 2>&1
result=$?
files=$(find "$prefix" -type f | wc -l)
for file in bin/tern libexec/tern/tern-sim libexec/tern/tern-profile lib/libtern.a lib/libtern.so lib/pkgconfig/tern.pc \
    include/tern/tern.h include/tern/tern_abi.h share/tern/tern-fw.elf; do
    [ -s "$prefix/$file" ] || { echo "missing: $file" >> "$dir/log"; result=1; }
done
echo "# evidence A7.1 files=$files"
tap $result "an installation is complete"

cp examples/put.c "$dir" && cd "$dir" || exit 1
# shellcheck disable=SC2046 # the flags are words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror put.c $(pkg-config --cflags --libs tern) -o put > log 2>&1
tap $? "the example builds with pkg-config outside the tree"
cc -std=c11 put.c -I"$prefix/include" "$prefix/lib/libtern.a" -pthread -o put-static > log 2>&1
tap $? "the example builds with the archive"

mkdir nics && mkfifo ready || exit 1
"$prefix/bin/tern" sim --torus 2x1x1 --ready-fd 3 3> ready > log 2>&1 &
sim=$!
read -r _ < ready
tap $? "the installed simulator starts with the installed firmware"
for program in put put-static; do
    ./$program sim:0 sim:1 "outside the tree" > log 2>&1 && grep -q 'the target holds "outside the tree"' log
    result=$?
    echo "# evidence A7.2 cycles=$(sed -n 's/.*after \([0-9]*\) cycles/\1/p' log)"
    tap $result "the example puts between two nodes ($program)"
done
"$prefix/bin/tern" list > log 2>&1 && [ "$(grep -c ready log)" = 2 ]
tap $? "the installed command lists both NICs"

echo "1..$number"
[ $failed = 0 ]
