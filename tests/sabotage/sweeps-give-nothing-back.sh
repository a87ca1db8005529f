# SPDX-License-Identifier: Apache-2.0
#
# Slabs that are in no bucket any more are not given back.
sh tests/sabotage/change.sh host-driver/data/table/table_sweep.c <<'END'
    if (before != now) {
    if (before != now || holder.owner != 0) {
END
