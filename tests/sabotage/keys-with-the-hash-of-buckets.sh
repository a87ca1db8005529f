# SPDX-License-Identifier: Apache-2.0
#
# A key may have the hash 0.
sh tests/sabotage/change.sh host-driver/data/table/table.c <<'EOF'
return hash == 0 ? 1 : hash;
return hash;
EOF
