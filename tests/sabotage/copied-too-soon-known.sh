# SPDX-License-Identifier: Apache-2.0
#
# The transmit unit is told of a slot whose key is still on its way.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_rx.sv <<'EOF'
copy_word_o == 4'(tern_abi_pkg::DESC_LOCAL_KEY_LSB / 32);
copy_word_o == 4'(tern_abi_pkg::DESC_LENGTH_LSB / 32);
EOF
