# SPDX-License-Identifier: Apache-2.0
#
# A queue may have its ring before its region.
sh tests/sabotage/change.sh fw/proto/check.c <<'EOS'
addr < start || addr - start > length || bytes > length - (addr - start)
addr + bytes > start + length
EOS
