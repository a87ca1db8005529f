#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# board.sh on a line of whose frames one in a hundred has a bit flipped, one is lost, one comes twice.
set -u
FAULTS=10 exec sh tests/system/board/board.sh
