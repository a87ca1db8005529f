# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit of the soft tier asks for no right.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
.right = TERN_RIGHT_REMOTE_ATOMIC,
.right = 0,
EOF
