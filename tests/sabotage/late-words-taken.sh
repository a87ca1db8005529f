# SPDX-License-Identifier: Apache-2.0
#
# The word of an ACK goes into a slot whose operation it does not end.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_optab.sv <<'EOF'
assign rxo_take_o = acked_q && word_q && done && notify_now;
assign rxo_take_o = acked_q && word_q;
EOF
