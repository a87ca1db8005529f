# SPDX-License-Identifier: Apache-2.0
#
# A key that is taken is given out again.
sh tests/sabotage/change.sh fw/app/region.c <<'END'
TERN_ST_QUEUE_BUSY : TERN_ST_OK;
TERN_ST_OK : TERN_ST_OK;
END
