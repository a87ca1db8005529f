# SPDX-License-Identifier: Apache-2.0
#
# In a tree greater keys are looked for among the lesser.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
tree_q && !carry_q
tree_q && carry_q
EOF
