# SPDX-License-Identifier: Apache-2.0
#
# Slabs are taken whatever life they are of.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
take.compare_mask = tern_map_life(UINT8_MAX);
take.compare_mask = 0;
EOF
