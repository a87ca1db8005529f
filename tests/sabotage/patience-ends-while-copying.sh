# SPDX-License-Identifier: Apache-2.0
#
# Accesses that wait for a copy are sent away as those that nobody answers.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_mmio.sv <<'EOF'
mm_valid_o && !copy_near_i && (old_q || tick);
mm_valid_o && (old_q || tick);
EOF
