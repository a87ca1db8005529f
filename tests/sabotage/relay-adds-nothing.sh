# SPDX-License-Identifier: Apache-2.0
#
# Members pass a request on without saying where they have room.
sh tests/sabotage/change.sh fw/app/relay.c <<'EOS'
const uint32_t entry = arena->start;
const uint32_t entry = 0;
EOS
