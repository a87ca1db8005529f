# SPDX-License-Identifier: Apache-2.0
#
# A remote get by a wrong key ends the area that it names.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
if (names_memory(status))
if (names_memory(status) || status == TERN_ST_BAD_KEY)
EOS
