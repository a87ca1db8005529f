# SPDX-License-Identifier: Apache-2.0
#
# Slabs of any epoch of an owner are taken back.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
return a.owner == b.owner && a.epoch == b.epoch;
return a.owner == b.owner;
EOF
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
status = give_back(a, dead, &slab);
status = give_back(a, own.holder, &slab);
EOF
