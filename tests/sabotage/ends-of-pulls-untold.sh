# SPDX-License-Identifier: Apache-2.0
#
# Who asked for a put does not hear that it has ended.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
    tell_end(fw, slot, status);
    (void)status;
EOS
