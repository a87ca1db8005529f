# SPDX-License-Identifier: Apache-2.0
#
# RX_COPY of the soft tier leaves a generation in the address.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOF'
if (found) {
if (false && found) {
EOF
