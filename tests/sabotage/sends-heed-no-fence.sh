# SPDX-License-Identifier: Apache-2.0
#
# A message does not wait for what is before it.
sh tests/sabotage/change.sh fw/app/send.c <<'EOS'
return flags & TERN_DFLAG_FENCE ? fw_desc_fence(fw, q, event) : TERN_ST_OK;
return flags & 0 ? fw_desc_fence(fw, q, event) : TERN_ST_OK;
EOS
