# SPDX-License-Identifier: Apache-2.0
#
# What could not be read is sent all the same.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_store.sv <<'EOF'
assign failing = tag_done
assign failing = 1'b0 && tag_done
EOF
