# SPDX-License-Identifier: Apache-2.0
#
# A read has no more time than others, though its answer stands behind what its target sends.
sh tests/sabotage/change.sh fw/app/op.c <<'EOF'
fw->ticks % OP_PATIENT_TICKS != 0 && is_read(slot)
fw->ticks % OP_PATIENT_TICKS > OP_PATIENT_TICKS && is_read(slot)
EOF
