# SPDX-License-Identifier: Apache-2.0
#
# A question may be shorter than what it asks for.
sh tests/sabotage/change.sh sim/host/requests.c <<'EOF'
frame->body_bytes < sizeof info
frame->body_bytes > VU_BODY_MAX
EOF
