# SPDX-License-Identifier: Apache-2.0
#
# Parts of a message that does not fit are taken as good.
sh tests/sabotage/change.sh fw/app/pair.c <<'EOF'
if (!letter->fits)
if (!letter->fits && q->rq == 0)
EOF
