#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs tests/verbs/leaves.c between two nodes of the soft tier.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
timeout "$limit" "$tern" run -- "$B/tests/verbs/leaves" ${ROUNDS:+"$ROUNDS"}
