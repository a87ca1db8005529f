# SPDX-License-Identifier: Apache-2.0
#
# The library hands out each completion of a step that was flushed.
sh tests/sabotage/change.sh host-driver/core/op/chain.c <<'EOF'
    return told;
    return told && status == TERN_ST_OK;
EOF
