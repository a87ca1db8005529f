# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier an ack counts for whatever has its entry of the operation table now.
sh tests/sabotage/change.sh sim/soft/ops.c <<'EOF'
|| op->generation != opid >> 8 ||
||
EOF
