# SPDX-License-Identifier: Apache-2.0
#
# A stale key: the firmware gives a region's number back and leaves its entry valid.
sh tests/sabotage/change.sh fw/state/region.c <<'END'
    key_entry_clear(index);
    (void)index;
END
