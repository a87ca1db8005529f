# SPDX-License-Identifier: Apache-2.0
#
# A take of the soft tier does not look whether the word is as it should be.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
if (!alike(atomic))
if (!atomic->take && !alike(atomic))
EOF
