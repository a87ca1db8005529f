# SPDX-License-Identifier: Apache-2.0
#
# Who never finds a bucket at rest is told that its expectation does not hold.
sh tests/sabotage/change.sh host-driver/data/table/table_shared.c <<'EOF'
status = -TERN_ST_AGAIN;
status = -TERN_ST_UNLIKE;
EOF
