/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest client that attaches to a NIC. */
#include "attach.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { BODY_MAX = 4096, PATIENCE_MS = 60000 };

/* Receives all of `bytes`; advances the simulation while there are none. */
static bool receive(struct attach *attach, void *into, size_t bytes)
{
    uint8_t *at = into;

    while (bytes > 0) {
        struct pollfd fd = {.fd = attach->fd, .events = POLLIN};
        ssize_t count;

        if (poll(&fd, 1, attach->advance != NULL ? 0 : PATIENCE_MS) == 0) {
            if (attach->advance == NULL)
                return false;
            attach->advance(attach->arg);
            continue;
        }
        count = recv(attach->fd, at, bytes, 0);
        if (count <= 0)
            return false;
        at += count;
        bytes -= (size_t)count;
    }
    return true;
}

int attach_ask(struct attach *attach, unsigned command, const void *body, size_t bytes,
               void *answer, size_t answer_bytes)
{
    struct vu_header header = {.id = attach->next_id++,
                               .command = (uint16_t)command,
                               .bytes = (uint32_t)(sizeof header + bytes)};
    uint8_t message[sizeof header + BODY_MAX], rest[BODY_MAX];
    size_t count;

    memcpy(message, &header, sizeof header);
    if (bytes)
        memcpy(message + sizeof header, body, bytes);
    if (send(attach->fd, message, sizeof header + bytes, MSG_NOSIGNAL) !=
        (ssize_t)(sizeof header + bytes))
        return -1;
    if (!receive(attach, &header, sizeof header) || header.bytes < sizeof header ||
        header.bytes - sizeof header > sizeof rest)
        return -1;
    count = header.bytes - sizeof header;
    if (!receive(attach, rest, count))
        return -1;
    if (answer != NULL && answer_bytes)
        memcpy(answer, rest, count < answer_bytes ? count : answer_bytes);
    return header.flags & VU_FLAG_ERROR ? (int)header.error : 0;
}

bool attach_begin(struct attach *attach, int fd, void (*advance)(void *arg), void *arg)
{
    static const char hello[] = "\0\0\0\0{\"capabilities\":{\"tern\":{\"process_vm\":true}}}";
    char answer[BODY_MAX] = {0};
    const char *function;

    *attach = (struct attach){.fd = fd, .function = -1, .advance = advance, .arg = arg};
    if (fd < 0 ||
        attach_ask(attach, VU_VERSION, hello, sizeof hello, answer, sizeof answer - 1) != 0)
        return false;
    function = strstr(answer + sizeof(struct vu_version), "\"function\":");
    if (function != NULL)
        attach->function = atoi(function + 11);
    return true;
}

bool attach_path(struct attach *attach, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0)
        return attach_begin(attach, fd, NULL, NULL);
    if (fd >= 0)
        close(fd);
    return false;
}

void attach_end(struct attach *attach)
{
    close(attach->fd);
}

uint32_t attach_read(struct attach *attach, uint32_t offset)
{
    struct vu_region_access access = {.offset = offset, .bytes = 4};
    uint8_t answer[sizeof access + 4] = {0};
    uint32_t value;

    if (attach_ask(attach, VU_REGION_READ, &access, sizeof access, answer, sizeof answer) != 0)
        return 0xdeadbeef;
    memcpy(&value, answer + sizeof access, sizeof value);
    return value;
}

void attach_write(struct attach *attach, uint32_t offset, uint32_t value)
{
    struct vu_region_access access = {.offset = offset, .bytes = 4};
    uint8_t body[sizeof access + 4];

    memcpy(body, &access, sizeof access);
    memcpy(body + sizeof access, &value, sizeof value);
    attach_ask(attach, VU_REGION_WRITE, body, sizeof body, NULL, 0);
}

int attach_map(struct attach *attach, void *memory, size_t bytes)
{
    struct vu_dma_map map = {.argsz = sizeof map, .flags = VU_PROT_READ | VU_PROT_WRITE,
                             .address = (uint64_t)(uintptr_t)memory, .bytes = bytes};

    return attach_ask(attach, VU_DMA_MAP, &map, sizeof map, NULL, 0);
}
