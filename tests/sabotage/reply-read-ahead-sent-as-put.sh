# SPDX-License-Identifier: Apache-2.0
#
# What was read ahead with the right of packets is sent by a put.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_front.sv <<'EOF'
cmd_reply == reply_q;
(cmd_reply == reply_q || 1'b1);
EOF
