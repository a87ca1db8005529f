# SPDX-License-Identifier: Apache-2.0
#
# The atomic unit of the soft tier takes any address.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
grant->address % TERN_ATOMIC_BYTES != 0
grant->address % 1 != 0
EOF
