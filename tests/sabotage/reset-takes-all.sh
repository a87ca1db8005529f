# SPDX-License-Identifier: Apache-2.0
#
# The end of one process takes everybody's queues and regions down.
sh tests/sabotage/change.sh fw/app/fw.h <<'END'
return fw->fn[fn].sweep == SWEEP_ALL || fw->fn[fn].sweep == SWEEP_KEEP_ADMIN;
return fw->resetting != 0 || fw->fn[fn].sweep == SWEEP_ALL;
END
