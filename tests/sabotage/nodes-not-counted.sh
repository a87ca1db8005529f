# SPDX-License-Identifier: Apache-2.0
#
# A walk goes on for ever.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
linked && nodes_q != '0 && !lost_q
linked && !lost_q
EOF
