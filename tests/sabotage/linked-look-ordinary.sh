# SPDX-License-Identifier: Apache-2.0
#
# The chip hands on what is linked as if it were an ordinary descriptor.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_desc_events.sv <<'EOF'
first_words[tern_abi_pkg::DESC_LINKED_LSB]}
1'b0}
EOF
