/* SPDX-License-Identifier: Apache-2.0 */
/* See payload.h. */
#define _GNU_SOURCE
#include "payload.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sha256.h"

int payload_map(const char *file, struct payload *payload)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    struct stat info;
    void *data;

    if (fd < 0)
        return -TERN_ST_SYSTEM;
    if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        close(fd);
        return -TERN_ST_SYSTEM;
    }
    payload->bytes = (uint64_t)info.st_size;
    data = payload->bytes ? mmap(NULL, payload->bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    close(fd);
    if (data == MAP_FAILED)
        return -TERN_ST_SYSTEM;
    payload->data = data;
    return sha256(data, payload->bytes, payload->digest) ? 0 : -TERN_ST_NO_MEMORY;
}
