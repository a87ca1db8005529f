# SPDX-License-Identifier: Apache-2.0
#
# Words of the next inline descriptor come before the slot of the last one is known to be its own.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_bar.sv <<'EOF'
(in_ready_i && !(db_valid_o && db_inline_o));
in_ready_i;
EOF
