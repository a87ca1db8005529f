# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit reads while writes that came before are on their way.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
load_q[OpW] && !mark_q && !flying_q;
load_q[OpW] && !mark_q;
EOF
