# SPDX-License-Identifier: Apache-2.0
#
# The flame graph has no frames for inlined functions.
sh tests/sabotage/change.sh host-driver/tools/profile/calls.c <<'EOF'
if (calls->program->scope[scope].parent == PROGRAM_NONE)
if (calls->program->scope[scope].parent == PROGRAM_NONE || scope >= 0)
EOF
