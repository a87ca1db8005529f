# SPDX-License-Identifier: Apache-2.0
#
# Packets may come from where no node is.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx_check.sv <<'EOS'
src_ok <= !src[15] &&
src_ok <= 1'b1 || !src[15] &&
EOS
