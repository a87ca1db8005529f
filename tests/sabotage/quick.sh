#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The quick rows of the sabotage table, as a test.
exec sh tests/sabotage/run.sh quick
