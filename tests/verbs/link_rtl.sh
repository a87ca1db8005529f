#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Verbs programs between two simulators of the chip, which run in step: tests/verbs/link.sh on rtl.
TIER=rtl PINGS=10
. tests/verbs/link.sh
