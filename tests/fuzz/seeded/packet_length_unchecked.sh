# SPDX-License-Identifier: Apache-2.0
#
# A buffer overflow: the link copies as many bytes of a forwarded packet as its header says, and
# does not check that length first.
sh tests/sabotage/change.sh sim/soft/link.c <<'END'
           words <= soft_packet_bytes(most) / 8 &&
           most < words * UINT32_C(1000) &&
END
