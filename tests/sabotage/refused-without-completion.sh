# SPDX-License-Identifier: Apache-2.0
#
# A descriptor that cannot be started is forgotten.
sh tests/sabotage/change.sh fw/app/desc.c <<'END'
        fw_desc_refuse(fw, q, event, result, 0);
        result == TERN_ST_BAD_OPCODE ? drop(q, event) : fw_desc_refuse(fw, q, event, result, 0);
END
sh tests/sabotage/change.sh fw/app/desc.c <<'END'
void fw_desc_refuse(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status,
static void drop(struct fw_queue *q, uint32_t event); void fw_desc_refuse(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status,
END
