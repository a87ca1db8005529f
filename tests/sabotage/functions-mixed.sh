# SPDX-License-Identifier: Apache-2.0
#
# The write engine takes every function for function 0.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_dma_wr.sv <<'EOF'
hwr_fn_o    <= c_fn_q;
hwr_fn_o    <= c_fn_q & 8'd0;
EOF
