# SPDX-License-Identifier: Apache-2.0
#
# The last free slot waits for a read that may not come, and those that have come wait for a slot.
sh tests/sabotage/change.sh fw/app/read.c <<'EOF'
 || fw->op[slot].next == 0)
)
EOF
