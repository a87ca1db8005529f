/* SPDX-License-Identifier: Apache-2.0 */
/* See filemsg.h. */
#include "filemsg.h"

#include <string.h>

enum { FILEMSG_MAGIC = 0x4c494654 }; /* "TFIL" */

struct filemsg filemsg_make(enum filemsg_type type)
{
    return (struct filemsg){.magic = FILEMSG_MAGIC, .version = FILEMSG_VERSION,
                            .type = (uint16_t)type};
}

bool filemsg_read(const void *data, size_t bytes, struct filemsg *message)
{
    if (bytes != sizeof(*message))
        return false;
    memcpy(message, data, sizeof(*message));
    return message->magic == FILEMSG_MAGIC && message->version == FILEMSG_VERSION &&
           message->type >= FILEMSG_HELLO && message->type <= FILEMSG_VERDICT;
}

void filemsg_set_pointer(struct filemsg *message, struct tern_rptr pointer)
{
    memcpy(message->body, pointer.w, sizeof(pointer.w));
}

struct tern_rptr filemsg_pointer(const struct filemsg *message)
{
    struct tern_rptr pointer;

    memcpy(pointer.w, message->body, sizeof(pointer.w));
    return pointer;
}

const char *filemsg_strerror(uint32_t status)
{
    switch (status) {
    case FILEMSG_NO_FILE:
        return "the sender cannot read its file";
    case FILEMSG_TOO_LARGE:
        return "the file is larger than the receiver's buffer";
    case FILEMSG_DIFFERS:
        return "SHA-256 of what arrived differs";
    case FILEMSG_NOT_SAVED:
        return "the receiver cannot write its file";
    case FILEMSG_NOT_MEMBER:
        return "the sender's group is without this receiver";
    default:
        return tern_strerror((int)status);
    }
}
