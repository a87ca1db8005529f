# SPDX-License-Identifier: Apache-2.0
#
# A stomped packet that is forgotten is not told as freed.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_buffer.sv <<'EOS'
(cut && !begun && !again_i)
(1'b0)
EOS
