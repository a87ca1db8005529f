# SPDX-License-Identifier: Apache-2.0
#
# Tasks are made ready while their records are on their way.
sh tests/sabotage/change.sh host-driver/data/tasks/tasks.c <<'EOF'
flags | TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, context);
flags | TERN_DFLAG_SIGNAL, context);
EOF
