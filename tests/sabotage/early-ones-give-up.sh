# SPDX-License-Identifier: Apache-2.0
#
# A message that came before the one before it is not sent again.
sh tests/sabotage/change.sh fw/app/send.c <<'EOF'
again = fw_pair_is_behind(fw, slot, OP_SEND);
again = false;
EOF
