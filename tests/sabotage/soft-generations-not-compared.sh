# SPDX-License-Identifier: Apache-2.0
#
# The soft tier looks at nodes of any generation.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
if (atomic->generation != 0 && 
if (false && 
EOF
