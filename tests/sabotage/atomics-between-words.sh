# SPDX-License-Identifier: Apache-2.0
#
# The driver posts atomic operations on any address.
sh tests/sabotage/change.sh host-driver/core/op/atomic.c <<'EOF'
% TERN_ATOMIC_BYTES == 0
% 1 == 0
EOF
