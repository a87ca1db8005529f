# SPDX-License-Identifier: Apache-2.0
#
# The random programs of the core lose one corner of their operands.
sh tests/sabotage/change.sh tests/core/golden/layout.c <<'EOT'
0, 1, UINT32_MAX, 1u << 31,
0, 1, UINT32_MAX, 3,
EOT
sh tests/sabotage/change.sh tests/core/golden/layout.c <<'EOT'
0, 1, 0xffffffffu, 0x80000000u,
0, 1, 0xffffffffu, 3,
EOT
