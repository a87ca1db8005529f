#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Unmodified verbs programs between two nodes of the simulated chip.
TIER=rtl
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

for program in ibv_rc_pingpong ibv_uc_pingpong ibv_ud_pingpong ibv_srq_pingpong; do
    runs $program -n 10
done
runs ibv_rc_pingpong -c -e -n 10
runs ib_write_bw -n 20
runs_cm "rping -s -a 10.0.0.1 -C 5 -v" "rping -c -a 10.0.0.1 -C 5 -v"
done_testing
