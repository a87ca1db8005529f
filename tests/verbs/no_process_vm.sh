#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs where the system refuses process_vm_readv() and process_vm_writev() to all: simulator and programs run below a
# seccomp filter. The simulator then moves data by shared files and messages.
if [ -z "${TERN_REFUSED:-}" ]; then
    TERN_REFUSED=1
    export TERN_REFUSED
    exec "${B:-build}/tests/verbs/refuse" sh "$0"
fi
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

grep -q '^Seccomp:.*2$' "/proc/$sim/status"
tap $? "the simulator runs below a filter that refuses process_vm"
runs ibv_rc_pingpong -c -n 50
[ $failed = 0 ] || done_testing # the others would wait for their time limits
runs ibv_rc_pingpong -c -e -n 50
runs ibv_rc_pingpong -c -s 1048576 -n 5
runs ibv_ud_pingpong -c -n 50
runs ib_write_bw -n 50
runs ib_read_bw -n 50
runs ib_send_lat -n 50
runs ib_atomic_lat -n 50
runs_cm "rping -s -a 10.0.0.1 -C 5 -V" "rping -c -a 10.0.0.1 -C 5 -V"
done_testing
