# SPDX-License-Identifier: Apache-2.0
#
# The soft tier says of a bad link what it says of a bad request.
sh tests/sabotage/change.sh sim/soft/atomic.c <<'EOF'
status != TERN_ST_OK && atomic->on ?
status == TERN_ST_BAD_ALIGN && atomic->on ?
EOF
