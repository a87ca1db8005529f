# SPDX-License-Identifier: Apache-2.0
#
# What stands behind a wait that failed starts all the same.
sh tests/sabotage/change.sh fw/app/area.c <<'EOS'
fw_queue_break(fw, queue, QUEUE_BROKEN);
(void)queue;
EOS
