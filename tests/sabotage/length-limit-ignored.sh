# SPDX-License-Identifier: Apache-2.0
#
# A header may claim any size.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOS'
words <= (to == Ack ? 8'd5 : 8'(MaxWords));
(words <= (to == Ack ? 8'd5 : 8'(MaxWords)) || 1'b1);
EOS
