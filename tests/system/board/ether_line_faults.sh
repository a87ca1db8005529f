#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# ether.sh on a cable of whose frames one in a hundred has a bit flipped, one is lost, one comes twice
# and one is overtaken.
set -u
BOARD=colorlight-i9 FAULTS=10 exec sh tests/system/board/board.sh
