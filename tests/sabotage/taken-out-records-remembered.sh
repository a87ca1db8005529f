# SPDX-License-Identifier: Apache-2.0
#
# Where a record was that has just been taken out is remembered.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
if (generation & TAKEN_OUT)
if (generation == TAKEN_OUT)
EOF
