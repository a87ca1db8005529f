#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# board.sh on a Colorlight i9, whose host link is Ethernet.
set -u
BOARD=colorlight-i9 exec sh tests/system/board/board.sh
