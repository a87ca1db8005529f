# SPDX-License-Identifier: Apache-2.0
#
# The buffers of a pair that broke are not flushed.
sh tests/sabotage/change.sh host-driver/core/pair/pair_end.c <<'EOF'
tern_inbox_flush(inbox, pair->number);
(void)inbox;
EOF
