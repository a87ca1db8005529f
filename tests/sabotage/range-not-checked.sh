# SPDX-License-Identifier: Apache-2.0
#
# Any range passes the region check.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_key.sv <<'EOF'
else if (!range_ok) 
else if (!range_ok && 1'b0) 
EOF
