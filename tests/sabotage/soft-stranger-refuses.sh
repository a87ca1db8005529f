# SPDX-License-Identifier: Apache-2.0
#
# On the soft tier a node that is no member refuses.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOF'
if (status == TERN_ST_BAD_KEY && TERN_GET(PKT, deposit, w)) {
if (0 && TERN_GET(PKT, deposit, w)) {
EOF
