# SPDX-License-Identifier: Apache-2.0
#
# A message that came early is sent again while those before it wait.
sh tests/sabotage/change.sh fw/app/send.c <<'EOF'
fw_pair_is_behind(fw, slot, OP_WAITS)
fw->id.slots == 0
EOF
