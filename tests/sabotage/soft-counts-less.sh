# SPDX-License-Identifier: Apache-2.0
#
# The soft tier forgets to count refused puts.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOF'
        SOFT_COUNT(node, rx_refused);
        (void)node;
EOF
