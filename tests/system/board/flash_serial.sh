#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# flash.sh on a ULX3S.
set -u
BOARD=ulx3s exec sh tests/system/board/flash.sh
