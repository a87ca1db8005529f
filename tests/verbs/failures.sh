#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs whose peer or simulator is killed.
. tests/verbs/verbs.sh
start_sim --torus 2x1x1

part killed killed
part daemon daemon "$sim"
sim=
done_testing
