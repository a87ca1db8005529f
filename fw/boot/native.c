/* SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <string.h>

#include "fw.h"

size_t fw_native_bytes(void)
{
    return sizeof(struct fw);
}

bool fw_native_boot(void *context, uint32_t image_bytes)
{
    memset(context, 0, sizeof(struct fw));
    return fw_init(context, image_bytes);
}

void fw_native_step(void *context)
{
    fw_step(context);
}
