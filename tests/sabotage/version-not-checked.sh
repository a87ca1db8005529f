# SPDX-License-Identifier: Apache-2.0
#
# Any descriptor version is taken.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_desc_events.sv <<'EOF'
if (version != 4'(
if (version == 4'd0 && version != 4'(
EOF
