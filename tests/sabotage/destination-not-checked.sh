# SPDX-License-Identifier: Apache-2.0
#
# A header may name a destination outside the torus.
sh tests/sabotage/change.sh hw-model/rtl/net/tern_link_rx.sv <<'EOF'
dst[4:0] <= dims_i[4:0] && 

EOF
