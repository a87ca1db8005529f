# SPDX-License-Identifier: Apache-2.0
#
# Now and then a put of the soft tier is acked and not written.
sh tests/sabotage/change.sh sim/soft/rx.c <<'EOS'
status == TERN_ST_OK ? WRITE_PUT : WRITE_REFUSED);
status == TERN_ST_OK && TERN_GET(PKT, opid, w) >> 8 != 33 ? WRITE_PUT : WRITE_REFUSED);
EOS
