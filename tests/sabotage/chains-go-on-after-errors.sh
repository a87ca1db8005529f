# SPDX-License-Identifier: Apache-2.0
#
# What decides and fails cuts nothing.
sh tests/sabotage/change.sh fw/app/queue.c <<'EOF'
if (TERN_F(DESC, decides, frame))
if (TERN_F(DESC, decides, frame) && frame == 0)
EOF
