# SPDX-License-Identifier: Apache-2.0
#
# The soft tier goes to lesser keys where greater ones are wanted.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
beyond >= key ?
beyond < key ?
EOF
