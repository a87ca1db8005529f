# SPDX-License-Identifier: Apache-2.0
#
# Combined answers need not tell of all members.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
if (area->missing == 0 && area->counted < area->members
if (0 && area->counted < area->members
EOS
