# SPDX-License-Identifier: Apache-2.0
#
# A range that wraps is inside its region.
sh tests/sabotage/change.sh fw/proto/check.c <<'EOS'
addr < start || addr - start > length || bytes > length - (addr - start)
addr < start || addr + bytes > start + length + TERN_RING_ALIGN
EOS
