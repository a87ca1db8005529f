# SPDX-License-Identifier: Apache-2.0
#
# The end of a process leaves its regions registered.
sh tests/sabotage/change.sh fw/app/region.c <<'EOF'
    (void)fw_region_remove(fw, index);
    return;
EOF
