# SPDX-License-Identifier: Apache-2.0
#
# Of a walk only the first node has its key checked.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_atomic.sv <<'EOF'
jb_done_i && jb_status_i == 5'(tern_abi_pkg::ST_OK) && aligned
jb_done_i && (on_q || jb_status_i == 5'(tern_abi_pkg::ST_OK)) && aligned
EOF
