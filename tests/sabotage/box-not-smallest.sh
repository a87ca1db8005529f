# SPDX-License-Identifier: Apache-2.0
#
# The box around members begins at the first of them, however long it gets.
sh tests/sabotage/change.sh host-driver/core/group/box.c <<'END'
if (arc_length(arc, side) < best_length) {
if (best_length > side) {
END
