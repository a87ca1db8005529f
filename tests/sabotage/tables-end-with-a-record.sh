# SPDX-License-Identifier: Apache-2.0
#
# Behind the last record there is nothing that a lookup could bring.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
(nodes > table->reach ? nodes : table->reach)
nodes
EOF
