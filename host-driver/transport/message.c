/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a stream of bytes into vfio-user messages. */
#include "message.h"

#include <string.h>

long vfu_message_size(const void *bytes, size_t have)
{
    struct vfu_header header;

    if (have < sizeof(header))
        return 0;
    memcpy(&header, bytes, sizeof(header));
    if (header.size < sizeof(header) || header.size > VFU_MESSAGE_MAX)
        return -1;
    return have < header.size ? 0 : (long)header.size;
}
