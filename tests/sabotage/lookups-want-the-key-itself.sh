# SPDX-License-Identifier: Apache-2.0
#
# What is wanted is not sent as its complement.
sh tests/sabotage/change.sh host-driver/core/op/chase.c <<'EOF'
words, -chase->key)
words, chase->key)
EOF
