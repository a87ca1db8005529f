# SPDX-License-Identifier: Apache-2.0
#
# A slab without an owner is freed before a lease is over.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
if ((seen[word] & ~map_bits) == map && seen[word] & orphans)
if (orphans)
EOF
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
freed = free_orphans(a, word, map, seen[word] & orphans);
freed = free_orphans(a, word, map, orphans);
EOF
