# SPDX-License-Identifier: Apache-2.0
#
# The cells that keep tiles free stand in every module from the placed one on.
sh tests/sabotage/change.sh hw-model/lint/fmax_spare.awk <<'EOF'
{ in_top = $1 ==
{ in_top = in_top || $1 ==
EOF
