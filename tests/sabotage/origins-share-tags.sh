# SPDX-License-Identifier: Apache-2.0
#
# The bytes of all origins have the same keys.
sh tests/sabotage/change.sh host-driver/core/group/rendezvous.c <<'EOS'
uint32_t count = rendezvous->pass % 0xffffu + rendezvous->epoch;
uint32_t count = rendezvous->epoch;
EOS
