# SPDX-License-Identifier: Apache-2.0
#
# Any range passes the region check.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_key.sv <<'EOF'
else if (!fits_q || over) 
else if ((!fits_q || over) && 1'b0) 
EOF
