# SPDX-License-Identifier: Apache-2.0
#
# A region is released while its bytes are on their way to others.
sh tests/sabotage/change.sh fw/app/region.c <<'EOF'
if (fw_region_is_read(fw, index))
if (false && fw_region_is_read(fw, index))
EOF
