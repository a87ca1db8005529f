# SPDX-License-Identifier: Apache-2.0
#
# The end of one process ends the operations of all others on its node.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
if (!fw_fn_sweeping(fw, op->owner))
if (!fw_fn_sweeping(fw, op->owner) && (kill(fw, slot, TERN_ST_FLUSHED), true))
EOF
