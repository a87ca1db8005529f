# SPDX-License-Identifier: Apache-2.0
#
# Arenas whose hosts should be asked give room by themselves.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
        .asks = wanted->asks,
        .asks = wanted->asks & 0,
EOS
