# SPDX-License-Identifier: Apache-2.0
#
# A slab is given back whoever has it.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
if (done->value != own_word(slab->generation, holder))
if (done->value == 0 && holder.owner == 0)
EOF
