# SPDX-License-Identifier: Apache-2.0
#
# A get waits for the piece before the one that it has asked for.
sh tests/sabotage/change.sh host-driver/core/op/remote_get.c <<'EOS'
TERN_SET(CHK, epoch, words, getter->epoch);
TERN_SET(CHK, epoch, words, getter->epoch - 1);
EOS
