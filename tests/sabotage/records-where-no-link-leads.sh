# SPDX-License-Identifier: Apache-2.0
#
# Records stand where links have no low word.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
(uint32_t)(uintptr_t)node_at(table, table->used) == 0)
table->memory == NULL)
EOF
