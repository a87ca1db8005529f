# SPDX-License-Identifier: Apache-2.0
#
# The soft tier looks at more nodes than it was told.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
atomic->more = TERN_F(RXA, nodes, value);
atomic->more = TERN_F(RXA, nodes, value) + 1;
EOF
