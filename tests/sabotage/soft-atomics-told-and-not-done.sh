# SPDX-License-Identifier: Apache-2.0
#
# Now and then the soft tier answers an atomic operation that it has not done.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
if (!alike(atomic))
if (!alike(atomic) || atomic->opid >> 8 == 33)
EOF
