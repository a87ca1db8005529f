# SPDX-License-Identifier: Apache-2.0
#
# A link that is asked for packets again does not send them.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_replay.sv <<'EOS'
behind_q <= 1'b1;
behind_q <= 1'b0;
EOS
