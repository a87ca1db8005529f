# SPDX-License-Identifier: Apache-2.0
# A harness whose ends cannot be reached proves everything.
sh tests/sabotage/change.sh tests/proofs/proofs.sh <<'EOF'
if (mark == ($NF == "FAILURE") && (mark || $NF == "SUCCESS")) next
if (mark || $NF == "SUCCESS") next
EOF
