# SPDX-License-Identifier: Apache-2.0
#
# A whole ring is gone round in one direction.
sh tests/sabotage/change.sh host-driver/core/group/box.c <<'END'
if (mesh || arc_length(arc, side) < side)
if (mesh || arc_length(arc, side) <= side)
END
