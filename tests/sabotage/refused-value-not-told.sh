# SPDX-License-Identifier: Apache-2.0
#
# A check-in whose value host memory refused counts like any other.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
area->status = (uint8_t)status;
(void)status;
EOS
