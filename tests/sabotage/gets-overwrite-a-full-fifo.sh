# SPDX-License-Identifier: Apache-2.0
#
# A remote get that finds the FIFO full takes the place of its oldest descriptor.
sh tests/sabotage/change.sh fw/app/get.c <<'EOS'
< 1u << q->log2_entries ? TERN_ST_OK
<= 1u << q->log2_entries ? TERN_ST_OK
EOS
