# SPDX-License-Identifier: Apache-2.0
#
# The key of buckets may be wanted.
sh tests/sabotage/change.sh host-driver/core/op/chase.c <<'EOF'
chase->key == 0 || chase->nodes == 0
chase->nodes == 0
EOF
