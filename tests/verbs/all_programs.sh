#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs between two nodes, the long list, TIMES (5) times each.
TIMES=${TIMES:-5}
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

for program in ibv_rc_pingpong ibv_uc_pingpong ibv_srq_pingpong; do
    for arguments in "-n 50" "-c -n 50" "-e -n 50" "-s 1048576 -n 10"; do
        # shellcheck disable=SC2086 # several words
        runs $program $arguments
    done
done
runs ibv_rc_pingpong -N -n 50
for arguments in "-n 50" "-c -n 50" "-e -n 50"; do
    # shellcheck disable=SC2086
    runs ibv_ud_pingpong $arguments
done
for program in ib_write_bw ib_write_lat ib_read_bw ib_read_lat ib_send_bw ib_send_lat; do
    # shellcheck disable=SC2086
    runs $program -n 50
    runs $program -a -n 5
done
for program in ib_atomic_bw ib_atomic_lat; do
    runs $program -n 50
done
for program in ib_read_bw ib_read_lat ib_send_bw ib_send_lat ib_atomic_bw ib_atomic_lat; do
    runs $program -e -n 50
done
for program in ib_write_bw ib_read_bw ib_send_bw ib_atomic_bw; do
    runs $program -q 4 -n 50
done
for program in ib_write_bw ib_write_lat ib_send_bw ib_send_lat; do
    runs $program -I 64 -s 64 -n 50
done
for program in ib_send_bw ib_send_lat; do
    runs $program -c UD -s 1024 -n 50
    runs $program -c UC -n 50
    runs $program --use-srq -n 50
done
for program in ib_write_bw ib_write_lat; do
    runs $program -c UC -n 50
done
for program in ib_write_bw ib_write_lat ib_read_bw ib_read_lat ib_send_bw ib_send_lat ib_atomic_bw ib_atomic_lat; do
    runs_cm "$program -F -R -n 50" "$program -F -R -n 50 10.0.0.1"
done
runs_cm "rping -s -a 10.0.0.1 -C 10 -v" "rping -c -a 10.0.0.1 -C 10 -v"
runs_cm "ucmatose -b 10.0.0.1 -c 10 -C 20" "ucmatose -s 10.0.0.1 -c 10 -C 20"
runs_cm "udaddy -b 10.0.0.1" "udaddy -s 10.0.0.1 -b 10.1.0.1"
runs_cm "rstream -b 10.0.0.1 -C 10 -S 4096" "rstream -s 10.0.0.1 -C 10 -S 4096"
runs_cm "riostream -b 10.0.0.1 -C 10 -S 4096" "riostream -s 10.0.0.1 -C 10 -S 4096"

# Sockets over verbs: librspreload follows the library that `tern run` preloads.
for sockets in /usr/lib/*/rsocket/librspreload.so.1; do
    runs_cm "env LD_PRELOAD=$B/lib/libtern-verbs.so:$sockets $B/tests/verbs/echo 10.0.0.1 7471" \
        "env LD_PRELOAD=$B/lib/libtern-verbs.so:$sockets $B/tests/verbs/echo 10.0.0.1 7471 300000"
done
done_testing
