# SPDX-License-Identifier: Apache-2.0
#
# A broadcast that was cut short waits for answers all the same.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_optab.sv <<'EOF'
|| cut);
|| (cut && 1'b0));
EOF
