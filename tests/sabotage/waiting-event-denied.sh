# SPDX-License-Identifier: Apache-2.0
#
# A pop right behind another does not wait for what its source has next.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_mmio.sv <<'EOF'
pop_q && (irq_external_o || !popped_q);
pop_q;
EOF
