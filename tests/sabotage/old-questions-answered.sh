# SPDX-License-Identifier: Apache-2.0
#
# An answer to any question is taken for the last one.
sh tests/sabotage/change.sh fw/app/arena.c <<'EOS'
if (arena->state != ARENA_ASKED || arena->asked.question != answer->question)
if (arena->state != ARENA_ASKED)
EOS
