# SPDX-License-Identifier: Apache-2.0
#
# The profiler does not compare the firmware with that of the trace.
sh tests/sabotage/change.sh host-driver/tools/profile/program.c <<'EOF'
(uint32_t)crc32(0, image, bytes) == crc;
((uint32_t)crc32(0, image, bytes) == crc || crc != 0);
EOF
