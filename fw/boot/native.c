/* SPDX-License-Identifier: Apache-2.0 */
#include "native.h"

#include <string.h>

#include "fw.h"

size_t fw_native_bytes(void)
{
    return sizeof(struct fw);
}

bool fw_native_boot(void *context, uint32_t image_bytes, const struct hal_access *access,
                    void *node)
{
    hal_use(access, node);
    memset(context, 0, sizeof(struct fw));
    return fw_init(context, image_bytes);
}

void fw_native_step(void *context, const struct hal_access *access, void *node)
{
    hal_use(access, node);
    fw_step(context);
}
