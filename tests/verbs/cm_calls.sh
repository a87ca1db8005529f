#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs the calls of tests/verbs/cm_calls.c between two nodes of the soft tier.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1
timeout "$limit" "$tern" run -- "$B/tests/verbs/cm_calls"
