# SPDX-License-Identifier: Apache-2.0
#
# All room begins at the start of an arena.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
arena->start = skipped != 0 ? 0 : arena->head;
arena->start = 0;
EOS
