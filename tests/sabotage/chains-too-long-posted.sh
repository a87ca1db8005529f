# SPDX-License-Identifier: Apache-2.0
#
# The library posts a chain without the steps that were too many.
sh tests/sabotage/change.sh host-driver/core/op/chain.c <<'EOF'
    if (chain->too_long)
    if (chain->too_long && chain->count == 0)
EOF
