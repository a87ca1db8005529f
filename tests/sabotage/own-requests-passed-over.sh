# SPDX-License-Identifier: Apache-2.0
#
# The router: links take each receive slot that becomes free.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_router.sv <<'EOF'
(passed_q || (rx_valid_o
(passed_q && (rx_valid_o
EOF
