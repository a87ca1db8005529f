# SPDX-License-Identifier: Apache-2.0
#
# Who has taken a slab tells nobody.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
return tern_put_inline(sq, own_at(blocks, slab->index), &own, sizeof(own), flags, context);
return own == 0 || !sq || !blocks || (flags && context) ? -TERN_ST_BAD_ARGUMENT : 0;
EOF
