# SPDX-License-Identifier: Apache-2.0
#
# An answer behind which no other comes is one like others.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_optab.sv <<'EOF'
acked_q ? final_q || out[CountW-1:1]
acked_q ? out[CountW-1:1]
EOF
