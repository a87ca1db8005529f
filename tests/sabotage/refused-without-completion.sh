# SPDX-License-Identifier: Apache-2.0
#
# A descriptor that cannot be started is forgotten.
sh tests/sabotage/change.sh fw/app/desc.c <<'END'
        refuse(fw, q, event, result);
        result == TERN_ST_BAD_OPCODE ? drop(q, event) : refuse(fw, q, event, result);
END
sh tests/sabotage/change.sh fw/app/desc.c <<'END'
/* Completes a descriptor that never started. */
static void drop(struct fw_queue *q, uint32_t event);
END
