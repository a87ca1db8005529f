# SPDX-License-Identifier: Apache-2.0
#
# Place and route is as fast as its luckiest seed.
sh tests/sabotage/change.sh hw-model/lint/fmax.sh <<'EOF'
sort -k 2n | head -n 1
sort -k 2n | tail -n 1
EOF
