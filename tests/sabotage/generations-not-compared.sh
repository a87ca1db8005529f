# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit takes any node for the one that a link was made for.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
stale_q <= jb_generation_i != '0 && 
stale_q <= 1'b0 && 
EOF
