# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a range may end one byte behind its region.
sh tests/sabotage/change.sh sim/soft/key.c <<'EOF'
check->bytes > length - offset ||
check->bytes > length - offset + 1 ||
EOF
