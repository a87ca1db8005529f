# SPDX-License-Identifier: Apache-2.0
#
# Puts of a pair do not wait for the messages before them.
sh tests/sabotage/change.sh host-driver/core/pair/pair_post.c <<'EOF'
before != CLASS_NONE && before != class
before != CLASS_NONE && before == class
EOF
