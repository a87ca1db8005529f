# SPDX-License-Identifier: Apache-2.0
#
# A packet goes up whatever is shorter.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_way.sv <<'EOS'
past_q ? above || near : above && near
1'b1
EOS
