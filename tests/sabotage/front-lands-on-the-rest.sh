# SPDX-License-Identifier: Apache-2.0
#
# Where a host says that bytes go is not heeded: they go to the start of its arena.
sh tests/sabotage/change.sh host-driver/core/group/arena.c <<'EOS'
return answer(arena, asked, (uintptr_t)to - (uintptr_t)arena->base, TERN_ST_OK);
return answer(arena, asked, 0 * ((uintptr_t)to - (uintptr_t)arena->base), TERN_ST_OK);
EOS
