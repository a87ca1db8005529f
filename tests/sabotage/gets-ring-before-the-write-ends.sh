# SPDX-License-Identifier: Apache-2.0
#
# The doorbell of a remote get rings when its descriptor is not there yet.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
to.key = rd32(TERN_MMIO_Q_KEY);
to.key = rd32(TERN_MMIO_Q_KEY), wr32(TERN_MMIO_Q_DB, index + 1);
EOS
