# SPDX-License-Identifier: Apache-2.0
#
# A take of the soft tier adds, and clears what was set below.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
return atomic->old | ((atomic->old + swap) & mask);
return (atomic->old & ~mask) | ((atomic->old + swap) & mask);
EOF
