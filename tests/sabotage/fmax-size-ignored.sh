# SPDX-License-Identifier: Apache-2.0
#
# Whatever fits the device is small enough.
sh tests/sabotage/change.sh hw-model/lint/fmax.sh <<'EOF'
if (most != "-" && comb + 0 > most + 0)
if (0)
EOF
