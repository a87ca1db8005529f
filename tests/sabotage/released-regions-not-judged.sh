# SPDX-License-Identifier: Apache-2.0
#
# The fuzz targets let a NIC write into a region that was released.
sh tests/sabotage/change.sh tests/fuzz/laws.c <<'END'
(region->live || late);
(region->live || late || region->was_live);
END
