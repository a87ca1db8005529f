# SPDX-License-Identifier: Apache-2.0
#
# Who has taken a slab tells nobody.
sh tests/sabotage/change.sh host-driver/core/alloc.c <<'EOF'
return tern_put_inline(sq, own_at(blocks, index), &own, sizeof(own), 0, 0);
return own == 0 ? -TERN_ST_BAD_ARGUMENT : 0;
EOF
