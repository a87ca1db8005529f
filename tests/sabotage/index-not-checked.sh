# SPDX-License-Identifier: Apache-2.0
#
# A stale descriptor is taken.
sh tests/sabotage/change.sh hw-model/rtl/nic/tern_desc_events.sv <<'EOF'
if (index != want) 
if (index != want && want == 16'hffff) 
EOF
