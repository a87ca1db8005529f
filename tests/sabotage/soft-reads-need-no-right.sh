# SPDX-License-Identifier: Apache-2.0
#
# The soft tier sends bytes that others may not read.
sh tests/sabotage/change.sh sim/soft/tx.c <<'EOF'
? TERN_RIGHT_REMOTE_READ :
? 0 :
EOF
