#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Checks that a checkout whose path has a space builds: driver and command, firmware, native
# firmware, the abi, and a verilated bench.
set -u
. tests/check/lib.sh

copy="$work/a checkout"
mkdir "$copy"
tar -cf - -T "$work/files" | tar -xf - -C "$copy"
(cd "$copy" && env -u MAKEFLAGS -u MAKELEVEL -u B -u ROOT make build/bin/tern build/fw/tern-fw.img build/fw/native/libfw.a \
    build/tests/unit/driver_rings build/rtl/path/regs_64) > "$work/log" 2>&1
status=$?
tail -n 20 "$work/log" > "$work/tail"
verdict $status "a checkout with a space in its path builds" "$work/tail"
(cd "$copy" && build/bin/tern --version && build/tests/unit/driver_rings && build/rtl/path/regs_64) > "$work/log" 2>&1
verdict $? "what was built there runs" "$work/log"
rm -rf "/var/tmp/tern-$(id -u)-$(cd "$copy" && pwd | cksum | tr -c '0-9\n' -)"
finish
