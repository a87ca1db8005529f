# SPDX-License-Identifier: Apache-2.0
#
# The driver does not ask for the word in the completion of an atomic operation.
sh tests/sabotage/change.sh host-driver/core/op/atomic.c <<'EOF'
TERN_SET(DESC, result, words, 1);
TERN_SET(DESC, result, words, 0);
EOF
