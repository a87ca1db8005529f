# SPDX-License-Identifier: Apache-2.0
#
# What waits for an area waits on when all have come.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
return area->state == AREA_ENDED ? area->status : FW_STALL;
return FW_STALL;
EOS
