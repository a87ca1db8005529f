# SPDX-License-Identifier: Apache-2.0
#
# Words that the peer sent and that noise destroyed are never given back to it.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_freed.sv <<'EOS'
told_i && missing != '0;
1'b0;
EOS
