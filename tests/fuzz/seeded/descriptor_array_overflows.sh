# SPDX-License-Identifier: Apache-2.0
#
# The server makes room for more descriptors in what the kernel hands it than in what it copies them to.
sh tests/sabotage/change.sh sim/host/server.c <<'EOF'
char bytes[CMSG_SPACE(sizeof(int) * VU_FDS_MAX)];
char bytes[CMSG_SPACE(sizeof(int) * 4 * VU_FDS_MAX)];
EOF
