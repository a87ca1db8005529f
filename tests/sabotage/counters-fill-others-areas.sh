# SPDX-License-Identifier: Apache-2.0
#
# A counter fills an area that is another function's by then.
sh tests/sabotage/change.sh fw/app/area.c <<'EOF'
if (area_at(fw, id)->fn == fn)
if (area_at(fw, id)->fn == fn || fn < FW_FUNCTIONS)
EOF
