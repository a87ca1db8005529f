# SPDX-License-Identifier: Apache-2.0
#
# What was taken out of a table keeps its generation.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
(uint16_t)(TERN_GET(REC, generation, record) | TAKEN_OUT)
(uint16_t)TERN_GET(REC, generation, record)
EOF
