# SPDX-License-Identifier: Apache-2.0
#
# What is behind an operation of a pair that failed goes on.
sh tests/sabotage/change.sh host-driver/core/pair/pair_post.c <<'EOF'
TERN_SET(DESC, decides, words, 1);
TERN_SET(DESC, decides, words, 0);
EOF
