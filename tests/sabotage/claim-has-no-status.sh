# SPDX-License-Identifier: Apache-2.0
#
# A queue number that is taken is refused like one that does not exist.
sh tests/sabotage/change.sh fw/app/admin.c <<'END'
== TERN_QTYPE_NONE ? TERN_ST_OK : TERN_ST_QUEUE_BUSY;
== TERN_QTYPE_NONE ? TERN_ST_OK : TERN_ST_BAD_QUEUE;
END
