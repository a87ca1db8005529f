# SPDX-License-Identifier: Apache-2.0
#
# A queue that was cut is not mended by what is not linked.
sh tests/sabotage/change.sh fw/app/desc.c <<'EOF'
if (!TERN_F(DESC, linked, frame))
if (frame == 0)
EOF
