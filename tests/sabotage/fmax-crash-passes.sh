# SPDX-License-Identifier: Apache-2.0
#
# What a place and route that failed leaves behind counts as its report.
sh tests/sabotage/change.sh hw-model/lint/fmax_pnr.sh <<'EOF'
    if [ $status != 0 ] && echo "$errors"
    if [ $status = 0 ] && echo "$errors"
EOF
