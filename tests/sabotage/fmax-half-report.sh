# SPDX-License-Identifier: Apache-2.0
#
# A report need not be whole.
sh tests/sabotage/change.sh hw-model/lint/fmax.sh <<'EOF'
        !/"critical_paths": / || !/"utilization": [{].*[}] *[}] *[}] *$/ { exit }
        !/"critical_paths": / { exit }
EOF
