#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A bug report in the form of a test. Copy this folder, replace the marked part by the commands that
# fail, and name the expected result. Run it from the root of the tree after `make`:
#
#   sh tests/example/bug/bug.sh            on rtl
#   TIER=soft sh tests/example/bug/bug.sh  on soft: say in the report whether it fails there, too
#
# It prints `ok`, or `not ok` with the output of all programs, and stops what it started.  Add the commit
# (`git rev-parse HEAD`) and the output of `build/bin/tern doctor` to the report.
set -u
. tests/system/demo/nics.sh

# --- replace this: a torus, your commands, and the expected line ----------------------------------
start_sim --torus 2x1x1 --seed 1
"$tern" put --from sim:0 --to sim:1 --bytes 100 > "$dir/put.log" 2>&1 && grep -q '^1 put of 100 bytes' "$dir/put.log"
tap $? "a put of 100 bytes arrives"
# ---- for a bug in C code: compile a program against build/lib/libtern.a and run it here, instead of `tern put` ------------

echo "1..$number"
[ $failed = 0 ]
