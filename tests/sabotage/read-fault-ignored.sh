# SPDX-License-Identifier: Apache-2.0
#
# What could not be read is sent all the same.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_store.sv <<'EOF'
if (tag_done && err) 
if (tag_done && err && 1'b0) 
EOF
