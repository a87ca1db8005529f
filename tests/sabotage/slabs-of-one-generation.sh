# SPDX-License-Identifier: Apache-2.0
#
# What is given back is not counted, so slabs never get another generation.
sh tests/sabotage/change.sh host-driver/core/alloc.c <<'EOF'
.swap = map_frees(1) - bit_of(index),
.swap = map_frees(0) - bit_of(index),
EOF
