# SPDX-License-Identifier: Apache-2.0
#
# An opcode nobody knows does nothing and completes well.
sh tests/sabotage/change.sh fw/app/desc.c <<'EOF'
fw_desc_not_started(fw, q, event, TERN_ST_BAD_OPCODE);
nop(fw, q, event);
EOF
