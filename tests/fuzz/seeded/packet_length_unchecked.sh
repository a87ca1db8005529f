# SPDX-License-Identifier: Apache-2.0
#
# A copy overflow: the payload of a packet for the firmware is copied as long as its header says, and nobody
# has looked at that.
sh tests/sabotage/change.sh sim/soft/link.c <<'END'
           length <= SOFT_PAYLOAD && (vn != TERN_VN_ACK || length == 0) &&
           (vn != TERN_VN_ACK || length == 0) &&
END
