# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit of the soft tier swaps all bits, whatever the mask says.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
(atomic->old & ~mask) | swap;
swap;
EOF
