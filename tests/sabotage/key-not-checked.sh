# SPDX-License-Identifier: Apache-2.0
#
# Any tag passes the region check.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_key.sv <<'EOF'
if (!key_ok_q) 
if (!key_ok_q && !in_table) 
EOF
