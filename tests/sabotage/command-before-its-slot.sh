# SPDX-License-Identifier: Apache-2.0
#
# A command is taken while words for its slot are on their way.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_tx.sv <<'EOF'
(hit_cmd && cmd_room && !copy_i)
(hit_cmd && cmd_room)
EOF
