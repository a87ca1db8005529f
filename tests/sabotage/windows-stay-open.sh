# SPDX-License-Identifier: Apache-2.0
#
# What comes after everything has come is written.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
window_write(arena, arena->key >> 16, 0);
window_write(arena, arena->key >> 16, TERN_RIGHT_REMOTE_WRITE);
EOS
