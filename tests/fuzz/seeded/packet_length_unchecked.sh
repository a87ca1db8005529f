# SPDX-License-Identifier: Apache-2.0
#
# A copy overflow: a packet that travels on is copied as long as its header says, and no check has
# looked at that.
sh tests/sabotage/change.sh sim/soft/link.c <<'END'
           words <= soft_packet_bytes(most) / 8 &&
           most < words * UINT32_C(1000) &&
END
