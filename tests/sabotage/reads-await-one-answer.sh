# SPDX-License-Identifier: Apache-2.0
#
# The firmware awaits one answer to a read, however many packets bring its bytes.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
more = beyond / run->fw->id.payload_max;
more = 0 * beyond;
EOF
