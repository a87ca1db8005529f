# SPDX-License-Identifier: Apache-2.0
#
# A message that no other is missing before asks for ever.
sh tests/sabotage/change.sh fw/app/send.c <<'EOF'
again = fw_pair_is_behind(fw, slot, OP_SEND);
again = true;
EOF
