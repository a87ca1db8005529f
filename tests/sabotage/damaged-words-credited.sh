# SPDX-License-Identifier: Apache-2.0
#
# The room that a damaged packet took is told to the peer as freed, on top of that of its copy.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_buffer.sv <<'EOS'
rem == '0 && !again_q;
rem == '0;
EOS
