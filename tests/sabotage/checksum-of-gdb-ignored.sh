# SPDX-License-Identifier: Apache-2.0
#
# Packets of gdb pass whatever their checksum.
sh tests/sabotage/change.sh sim/debug/rsp.c <<'EOF'
if (rsp->bad_digit || rsp->told != rsp->sum)
if (rsp->bad_digit)
EOF
