# SPDX-License-Identifier: Apache-2.0
#
# What waits for a remote get that was refused waits on.
sh tests/sabotage/change.sh fw/app/send.c <<'EOS'
fw_get_failed(fw, slot, status);
;
EOS
