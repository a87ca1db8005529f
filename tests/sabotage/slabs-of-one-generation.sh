# SPDX-License-Identifier: Apache-2.0
#
# What is given back is not counted, so slabs never get another generation.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
.swap = tern_map_frees((uint32_t)__builtin_popcountll(bits)) - bits,
.swap = 0 - bits,
EOF
