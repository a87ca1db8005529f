# SPDX-License-Identifier: Apache-2.0
#
# What a benchmark says meanwhile stands among its figures.
sh tests/sabotage/change.sh tests/bench/run.sh <<'EOF'
> "$output" 2> "$said"
> "$output" 2>&1
EOF
