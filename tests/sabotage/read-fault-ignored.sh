# SPDX-License-Identifier: Apache-2.0
#
# What could not be read is sent all the same.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx_store.sv <<'EOF'
if (tag_done && err && !dead
if (1'b0 && tag_done && err && !dead
EOF
