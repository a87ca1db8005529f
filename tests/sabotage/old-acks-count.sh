# SPDX-License-Identifier: Apache-2.0
#
# An ack counts for whatever has its entry of the operation table now.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_optab.sv <<'EOF'
live && gen == gen_q && out
live && (gen == gen_q || gen != gen_q) && out
EOF
