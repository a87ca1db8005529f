# SPDX-License-Identifier: Apache-2.0
#
# A packet that is sent again costs its credit again.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_tx.sv <<'EOS'
(s_begins && s_new_q)
(s_begins)
EOS
