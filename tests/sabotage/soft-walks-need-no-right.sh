# SPDX-License-Identifier: Apache-2.0
#
# The soft tier walks where others may not read.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
.right = TERN_RIGHT_REMOTE_READ,
.right = 0,
EOF
