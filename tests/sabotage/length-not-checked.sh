# SPDX-License-Identifier: Apache-2.0
#
# A put of no bytes, or of too many, is taken.
sh tests/sabotage/change.sh fw/app/put.c <<'EOF'
return put->bytes - 1 <
return put->bytes == put->bytes || put->bytes - 1 <
EOF
