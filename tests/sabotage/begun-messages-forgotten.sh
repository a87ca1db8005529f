# SPDX-License-Identifier: Apache-2.0
#
# Whoever shuts a pair does not hear of the entry that a message had begun.
sh tests/sabotage/change.sh fw/app/admin.c <<'EOF'
q->form & PAIR_BEGUN ? q->entry
q->form & PAIR_BEGUN && q->type == 0 ? q->entry
EOF
