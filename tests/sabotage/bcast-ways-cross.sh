# SPDX-License-Identifier: Apache-2.0
#
# Long broadcasts to two boxes are under way at once.
sh tests/sabotage/change.sh fw/app/bcast.c <<'EOF'
status == TERN_ST_OK && ways_cross(fw, b)
false && ways_cross(fw, b)
EOF
