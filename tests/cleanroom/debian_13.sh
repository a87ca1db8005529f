#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The two commands on a new Debian 13, as a test program.
exec sh tests/cleanroom/cleanroom.sh 13
