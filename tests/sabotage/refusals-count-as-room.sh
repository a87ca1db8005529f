# SPDX-License-Identifier: Apache-2.0
#
# The area takes a refusal for a check-in like others.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
area->status = (uint8_t)c.refusal;
;
EOS
