# SPDX-License-Identifier: Apache-2.0
#
# The event that is being popped is chosen for the next pop once more.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_mmio.sv <<'EOF'
valid & enabled & ~(pop ? choice_q : 8'b0);
valid & enabled;
EOF
