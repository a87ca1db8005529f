# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a broadcast awaits nobody.
sh tests/sabotage/change.sh sim/soft/ops.c <<'EOF'
].out = members;
].out = 0 * members;
EOF
