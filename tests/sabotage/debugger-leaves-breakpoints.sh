# SPDX-License-Identifier: Apache-2.0
#
# A session that ends leaves its breakpoints in the firmware.
sh tests/sabotage/change.sh sim/debug/hart.c <<'EOF'
while (hart->patch_count > 0 &&
while (false && hart->patch_count > 0 &&
EOF
