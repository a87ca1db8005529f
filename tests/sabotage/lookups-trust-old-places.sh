# SPDX-License-Identifier: Apache-2.0
#
# Whatever stands where a record was is taken for it.
sh tests/sabotage/change.sh host-driver/data/table/lookup.c <<'EOF'
chase.generation = lookup->seen.generation;
chase.generation = 0;
EOF
