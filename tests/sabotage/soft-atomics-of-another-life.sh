# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit of the soft tier takes what was meant for a core before.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
incarnation != node->sys.incarnation
incarnation == 0
EOF
