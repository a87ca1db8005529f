# SPDX-License-Identifier: Apache-2.0
#
# A broadcast waits for nobody.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_optab.sv <<'EOF'
mm_go && is_members;
mm_go && is_members && 1'b0;
EOF
