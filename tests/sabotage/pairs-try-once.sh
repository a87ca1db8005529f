# SPDX-License-Identifier: Apache-2.0
#
# A pair that shall try for ever gives up when the NIC does.
sh tests/sabotage/change.sh host-driver/core/pair/pair_end.c <<'EOF'
(pair->tries == TERN_PAIR_FOR_EVER || pair->tried < pair->tries);
pair->tries > TERN_PAIR_FOR_EVER;
EOF
