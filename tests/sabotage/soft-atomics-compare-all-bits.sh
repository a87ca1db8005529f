# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit of the soft tier compares all bits, whatever the mask says.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
operand(atomic, TERN_ATO_compare_mask_WORD)) == 0;
UINT64_MAX) == 0;
EOF
