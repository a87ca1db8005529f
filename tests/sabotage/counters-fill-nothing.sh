# SPDX-License-Identifier: Apache-2.0
#
# A counter that reaches zero says so to no area.
sh tests/sabotage/change.sh fw/app/counter.c <<'EOF'
fw_area_end_now(fw, fw->counter_owner[counter], cq - FW_QUEUES, TERN_ST_OK);
(void)fw->counter_owner[counter];
EOF
