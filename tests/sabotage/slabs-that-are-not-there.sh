# SPDX-License-Identifier: Apache-2.0
#
# The last map word gives out slabs that its memory has no room for.
sh tests/sabotage/change.sh host-driver/data/slabs/slabs.c <<'EOF'
words[words_of(slabs) - 1] |= map_bits
words[words_of(slabs) - 1] |= 0 & map_bits
EOF
